// Plays a recorded game again and keeps every position.

#ifndef TRIARCH_CORE_RECORD_GAME_STEPS_H_
#define TRIARCH_CORE_RECORD_GAME_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/game_record.h"

namespace triarch {

// Returns the position before the first event.
absl::StatusOr<AnyState> StartOfGame(const GameRecord& record);
// Plays an event of a record that was replayed by the rules.
absl::Status PlayEvent(const RecordedEvent& event, AnyState* state);

// One event of the game.
struct GameStep {
  RecordedEvent event;
  int64_t round = 0;  // the move number
  int64_t ply = 1;    // from 1; of an event that is no move, that of the next move
  AnyState after;     // the position after it
  // The expected points of each seat after it: the mean of the bots' latest evaluations. Empty
  // before the first evaluation.
  std::optional<PerSeat<double>> points;
  // By how much the bot's evaluation differs from its previous one: the largest difference of a
  // seat's expected points.
  double swing = 0;

  bool is_capture() const;
  // What the bot said about the move, or null.
  const MoveInfo* info(const GameRecord& record) const;
  // A forfeit, or a move played for a bot that failed to choose one.
  bool is_fault() const;
};

struct GameSteps {
  GameRecord record;
  AnyState start;
  std::vector<GameStep> steps;  // by event
  bool has_evals = false;

  const GameInfo& info() const { return start.info(); }
  // The position after that many events.
  const AnyState& at(size_t count) const { return count == 0 ? start : steps[count - 1].after; }
};

// Requires: the record was replayed by the rules, as by ReplayTpgn.
absl::StatusOr<GameSteps> PlaySteps(const GameRecord& record);

// Returns, for each ply and for 0, how many steps lead to the position after it. If an event such
// as a forfeit ends the game, its ply is the last one, and no move.
std::vector<size_t> StepsByPly(const GameSteps& game);

// Returns the points that all seats of the game share: 1.5 for three and 1 for two.
double PointsInGame(size_t seats);
// Returns "E2xD3+", "resigns", "forfeits: crash" or "claims draw".
std::string EventText(const RecordedEvent& event);

// The events of one round by seat, as numbers of steps; usually one per seat.
struct StepRound {
  int64_t number = 0;
  PerSeat<std::vector<size_t>> steps;
};
std::vector<StepRound> RoundsOf(const GameSteps& game);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_STEPS_H_
