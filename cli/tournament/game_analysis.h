// Judges what each event of recorded games cost its player.

#ifndef TRIARCH_CLI_TOURNAMENT_GAME_ANALYSIS_H_
#define TRIARCH_CLI_TOURNAMENT_GAME_ANALYSIS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/tournament/analyst.h"
#include "core/game/seat.h"
#include "core/record/game_record.h"
#include "worker/match/player_cache.h"

namespace triarch {

// An event that costs its player at least this many expected points is a blunder. In an even game,
// this is about a knight or a bishop.
inline constexpr double kBlunderPoints = 0.2;

// The phases of a game, by the material of all seats together.
enum class Phase : uint8_t { kOpening, kMiddle, kEnding };
inline constexpr size_t kPhases = 3;
std::string_view ToString(Phase phase);
// `material` and `at_start` are totals in hundredths of a pawn, `at_start` that of the game's usual
// start. The opening has more than 85 % of the material, the ending less than 45 %.
Phase PhaseOf(int64_t material, int64_t at_start);

// What the analyst thinks of one event of a game.
struct EventAnalysis {
  int64_t round = 0;                   // the move number
  int64_t ply = 1;                     // from 1; of an event that is no move, that of the next
  Phase phase = Phase::kMiddle;        // before it
  std::string best = {};               // the best move as in TPGN, or "resigns" or "claims draw"
  std::vector<std::string> line = {};  // the best moves, as in TPGN
  // The points that each seat expects with the best move, and after the event.
  PerSeat<double> before = {};
  PerSeat<double> after = {};
  // The expected points that the event costs its player; not below 0, because a played move that
  // looks better than the best one only shows the limits of the analyst.
  double loss = 0;

  bool is_blunder() const { return loss >= kBlunderPoints; }
};

// Requires: the record was replayed by the rules, and has that event.
absl::StatusOr<EventAnalysis> AnalyzeEvent(const GameRecord& record, size_t event,
                                           Analyst& analyst);

// One event to analyse; the record must outlive the task.
struct AnalysisTask {
  const GameRecord* record;
  size_t event;
};

struct AnalysisSettings {
  BotSpec analyst;
  PlayerMaker make_player;
  size_t slots = 1;  // threads, each with its own player
};

// Analyses the events, several at a time. The results depend neither on the number of slots nor on
// the order. Calls `look` with the number of events done, a few times per second, from the calling
// thread; when it returns false, the analysis ends early. Unfinished tasks have no result.
absl::StatusOr<std::vector<std::optional<EventAnalysis>>> Analyze(
    const std::vector<AnalysisTask>& tasks, const AnalysisSettings& settings,
    const std::function<bool(size_t done)>& look);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_GAME_ANALYSIS_H_
