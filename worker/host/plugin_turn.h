// Passes a turn to a plugin.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_TURN_H_
#define TRIARCH_WORKER_HOST_PLUGIN_TURN_H_

#include "absl/container/inlined_vector.h"
#include "bots/sdk/triarch_bot.h"
#include "core/any_state.h"
#include "core/play/player.h"

namespace triarch {

// A turn as the ABI defines it. Requires: the arguments outlive it and everything it points to.
class PluginTurn {
 public:
  PluginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits);
  PluginTurn(const PluginTurn&) = delete;
  PluginTurn& operator=(const PluginTurn&) = delete;

  const triarch_turn& turn() const { return turn_; }

 private:
  bool should_stop() const;

  const SearchLimits& limits_;
  triarch_state state_;
  absl::InlinedVector<triarch_move, 128> moves_;
  triarch_turn turn_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_TURN_H_
