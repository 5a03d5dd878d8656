// Plays a recorded game again with one of its bots, while the other seats repeat their moves.

#ifndef TRIARCH_CLI_TOURNAMENT_REPLAY_GAME_H_
#define TRIARCH_CLI_TOURNAMENT_REPLAY_GAME_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/play/player.h"
#include "core/record/game_fault.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Returns the spec of a recorded game, without bots, opening and adjudication.
GameSpec SpecOfRecord(const GameRecord& record, const TimeControl& time_control);

struct ReplayResult {
  int64_t answers = 0;      // the bot's answers, without a fault
  int64_t differences = 0;  // answers that differ from the record
  // Its fault: where the record has one, or earlier.
  std::optional<GameFault> fault = {};
};

// Receives a line about each answer that differs.
using ReplayLog = std::function<void(const std::string& line)>;

// Asks the player for all decisions of its seat up to its recorded forfeit or the end of the game,
// with the recorded seed and clocks. Whatever it answers, the game continues as it was recorded.
// Stops at its first fault, or when `stop` is set. Fails if the record cannot be replayed or the
// player cannot be started here.
absl::StatusOr<ReplayResult> ReplayGame(const GameRecord& record, const GameSpec& spec, Seat seat,
                                        PlayerRef player, const std::atomic<bool>& stop,
                                        const ReplayLog& log);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_REPLAY_GAME_H_
