// Selects games by how they were played and ended.

#ifndef TRIARCH_CORE_RECORD_GAME_CONDITIONS_H_
#define TRIARCH_CORE_RECORD_GAME_CONDITIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/game_summary.h"

namespace triarch {

// The conditions that a game must meet, apart from those that a store checks (GameFilter).
struct GameConditions {
  size_t seats = kSeatsMax;
  std::optional<int> bot;       // its number; `has_faults` and `termination` then concern only it
  std::optional<Seat> seat;     // of that bot
  bool has_faults = false;      // a bot forfeited
  bool with_fallbacks = false;  // a move that was played for a bot is such a fault, too
  std::optional<Termination> termination;  // of the game or of a bot
  std::optional<int64_t> match;
  int64_t plies_min = 0;
  int64_t plies_max = INT64_MAX;

  bool AreMetBy(const GameSummary& game) const;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_CONDITIONS_H_
