// Gives plugins the rules of a game as C functions.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_RULES_H_
#define TRIARCH_WORKER_HOST_PLUGIN_RULES_H_

#include <optional>

#include "bots/sdk/triarch_bot.h"
#include "core/any_state.h"
#include "core/play/player.h"

namespace triarch {

// The rules of a game as the ABI gives them. Lives for ever; null if there is no such game.
const triarch_host* FindPluginHost(std::string_view game);

// A turn as the ABI gives it; it and what it points to must not outlive the arguments.
class PluginTurn {
 public:
  PluginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits);

  const triarch_turn& turn() const { return turn_; }

  // What the ABI asks of a turn's host_data.
  bool should_stop() const;
  uint32_t CountOccurrences(uint64_t hash) const;

 private:
  const AnyState& state_;
  const SearchLimits& limits_;
  triarch_turn turn_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_RULES_H_
