// Summarises a recorded game without its moves, for standings and ratings.

#ifndef TRIARCH_CORE_RECORD_GAME_SUMMARY_H_
#define TRIARCH_CORE_RECORD_GAME_SUMMARY_H_

#include <cstdint>
#include <optional>

#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/game_record.h"

namespace triarch {

struct GameSummary {
  int64_t index = 0;
  int64_t match = 0;  // games of one match share bots and opening: a block of the rating model
  PerSeat<int> bots;  // index into the tournament's list of bots
  Outcome outcome;
  PerSeat<std::optional<Termination>> endings;  // of eliminated seats
  int64_t plies = 0;
  PerSeat<SeatCost> costs;
  PerSeat<int64_t> fallbacks{};  // number of fallback moves

  friend bool operator==(const GameSummary&, const GameSummary&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_SUMMARY_H_
