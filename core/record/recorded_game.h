// Holds one recorded game with everything that is known about it.

#ifndef TRIARCH_CORE_RECORD_RECORDED_GAME_H_
#define TRIARCH_CORE_RECORD_RECORDED_GAME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// The number of a game as in the Round tag and the first column of `triarch games`: "3.17" is game
// 17 of the tournament, in match 3.
struct GameNumber {
  int64_t match = 0;  // both from 0
  int64_t index = 0;

  friend bool operator==(const GameNumber&, const GameNumber&) = default;
};
std::string ToString(const GameNumber& number);

struct RecordedGame {
  std::string tpgn;  // its text as it was recorded
  // Replayed by the rules; all texts are on one line and Printable (core/base/text.h). `costs` are
  // set only if there is a summary.
  GameRecord record;
  // Where the game comes from a database or a coordinator.
  std::optional<GameSummary> summary = {};
  std::optional<TournamentSpec> spec = {};
};

// Replays the only game of a TPGN text, and makes its tags printable. Fails with the errors of
// ReplayTpgn, and with DataLoss if there is no game.
absl::StatusOr<GameRecord> ReplayOnly(std::string_view tpgn);
// Replays a game of a store. Fails likewise, and names the game.
absl::StatusOr<RecordedGame> ReplayStored(const GameSummary& summary, std::string tpgn);

// Says to which game or file an error belongs.
absl::Status About(const std::string& what, const absl::Status& error);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_RECORDED_GAME_H_
