#include "core/record/game_conditions.h"

namespace triarch {

bool GameConditions::AreMetBy(const GameSummary& game) const {
  // Whether the bot, or with no bot any bot, plays in that seat.
  const auto covers = [&](Seat at) { return !bot || game.bots[at] == *bot; };
  if (match && game.match != *match) return false;
  if (game.plies < plies_min || game.plies > plies_max) return false;
  if (seat && !covers(*seat)) return false;
  bool is_faulty = false;
  bool ended_so = !termination || game.outcome.termination == *termination;
  for (size_t i = 0; i < seats; ++i) {
    if (!covers(SeatAt(i))) continue;
    is_faulty |= with_fallbacks && game.fallbacks[SeatAt(i)] > 0;
    const std::optional<Termination>& ending = game.endings[SeatAt(i)];
    if (!ending) continue;
    is_faulty |= IsForfeit(*ending);
    ended_so |= ending == termination;
  }
  return ended_so && (is_faulty || !has_faults);
}

}  // namespace triarch
