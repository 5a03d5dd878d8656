// Exposes the rules of a game to plugins as C functions.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_RULES_H_
#define TRIARCH_WORKER_HOST_PLUGIN_RULES_H_

#include <string_view>

#include "absl/container/inlined_vector.h"
#include "bots/sdk/triarch_bot.h"
#include "core/any_state.h"
#include "core/play/player.h"

namespace triarch {

// Returns the rules of a game as the ABI defines them, or null for an unknown game. The result is
// valid for the lifetime of the process.
const triarch_host* FindPluginHost(std::string_view game);

// A turn as the ABI defines it. Requires: the arguments outlive it and everything it points to.
class PluginTurn {
 public:
  PluginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits);

  const triarch_turn& turn() const { return turn_; }

  // Queried by the ABI's functions through a turn's host_data.
  bool should_stop() const;
  uint32_t CountOccurrences(uint64_t hash) const;

 private:
  const AnyState& state_;
  const SearchLimits& limits_;
  absl::InlinedVector<triarch_move, 128> moves_;
  triarch_turn turn_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_RULES_H_
