#include "worker/match/turn_facts.h"

#include <chrono>

namespace triarch {

using std::chrono::milliseconds;

GameHistory::GameHistory(const GameSpec& spec, const AnyState& start)
    : text_(spec.position.empty() ? "startpos" : "fen " + start.ToString()) {}

void GameHistory::Add(const std::string& move) {
  text_ += has_moves_ ? " " : " moves ";
  text_ += move;
  has_moves_ = true;
}

void GameHistory::BeginAt(const AnyState& state) {
  text_ = "fen " + state.ToString();
  has_moves_ = false;
}

TurnContext FactsOfTurn(const AnyState& state, const GameHistory& history,
                        const PerSeat<TimeControl>& controls, const GameClock& clock,
                        GameClock::TimePoint began) {
  const Seat seat = state.to_move();
  TurnContext context{.position = history.text(), .seat = seat, .began = began};
  context.can_claim = state.Visit([](const auto& game) { return game.claimable().has_value(); });
  context.moves_to_go = clock.moves_to_go(seat);
  if (const auto allowed = clock.Allowed(seat)) {
    context.allowed = *allowed;
    context.late = *allowed + clock.margin(seat);
  }
  if (const auto& time = controls[seat].movetime_ms) context.move_time = milliseconds(*time);
  for (size_t i = 0; i < state.info().seats; ++i) {
    const Seat other = SeatAt(i);
    if (!clock.has_clock(other)) continue;
    context.clocks[other] = std::chrono::duration_cast<milliseconds>(clock.left(other));
    context.increments[other] = milliseconds(controls[other].clock->increment_ms);
  }
  return context;
}

}  // namespace triarch
