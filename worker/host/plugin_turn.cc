#include "worker/host/plugin_turn.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "capi/plain_state.h"

namespace triarch {
namespace {

// Returns the remaining time, 0 if it is used up, or -1 without a limit.
int64_t MillisecondsLeft(const SearchLimits& limits) {
  if (!limits.deadline) return -1;
  const auto left = *limits.deadline - std::chrono::steady_clock::now();
  return std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
}

}  // namespace

PluginTurn::PluginTurn(const AnyState& state, const AnyState::Moves& moves,
                       const SearchLimits& limits)
    : limits_(limits) {
  state.Visit([&]<class P>(const GameState<P>& game) {
    new (&state_) capi::PlainState<P>(game);
    moves.As<P>().ForEach(
        [this](typename P::Move move) { moves_.push_back(capi::NumberOf(move)); });
  });
  turn_ = {.size = sizeof(triarch_turn),
           .state = &state_,
           .moves = moves_.data(),
           .move_count = moves.size(),
           .nodes = static_cast<uint64_t>(limits.nodes.value_or(0)),
           .depth = static_cast<uint32_t>(limits.depth.value_or(0)),
           .milliseconds = MillisecondsLeft(limits),
           .should_stop = [](const triarch_turn* turn) -> int {
             return static_cast<const PluginTurn*>(turn->host_data)->should_stop();
           },
           .host_data = this};
}

bool PluginTurn::should_stop() const {
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return true;
  return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
}

}  // namespace triarch
