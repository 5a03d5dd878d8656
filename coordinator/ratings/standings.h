// Computes the standings of a tournament from its recorded games.

#ifndef TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_
#define TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/ratings/coalition.h"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/game/seat.h"
#include "core/record/game_costs.h"
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// How often a bot violated the rules of the match.
struct Faults {
  int64_t time_forfeit = 0;
  int64_t illegal_move = 0;
  int64_t crash = 0;

  int64_t total() const { return time_forfeit + illegal_move + crash; }
  // Counts how a seat was eliminated, if that was a fault.
  void Count(const std::optional<Termination>& ending) {
    if (ending == Termination::kTimeForfeit) ++time_forfeit;
    if (ending == Termination::kIllegalMove) ++illegal_move;
    if (ending == Termination::kCrash) ++crash;
  }
  friend bool operator==(const Faults&, const Faults&) = default;
};

struct BotStanding {
  int bot = 0;   // index into the spec's bots
  int rank = 0;  // from 1; 0 if unrated
  std::string name;
  // Elo relative to the anchor or the pool mean; empty without games.
  std::optional<ratings::Estimate> rating;
  // How much stronger the bot is while three are in play than in duels (RatingFit::Style); empty in
  // two-player games and with too few games.
  std::optional<ratings::Estimate> style;
  bool has_style = false;  // the style differs from 0 at 5 %, corrected for the number of styles
  // Probability of being stronger than the bot in the next row; empty in the last rated row.
  std::optional<double> superiority;
  bool is_unconnected = false;  // no chain of games connects it to most others
  bool is_one_sided =
      false;  // won or lost everything against most others: so its rating is a bound

  int64_t games = 0;
  double points = 0;  // placement points: 1, 1/2, 0 (two seats: 1, 0); ties get the mean
  // Every game counts in exactly one of these. A draw is a *shared first* place. A lower shared
  // place counts as that place ("1-2-2": both second; "1-1-3": two draws and a third).
  int64_t firsts = 0;
  int64_t draws = 0;
  int64_t seconds = 0;
  int64_t thirds = 0;
  Faults faults;
  int64_t fallbacks = 0;  // moves that the bot failed to choose
  // Empty if the bot made no move.
  std::optional<double> time_per_move_ms;  // wall-clock time
  std::optional<double> cpu_per_move_ms;   // over the games in which it was measured
  std::optional<double> nodes_per_move;
};

struct SeatStanding {
  std::string name;
  ratings::Estimate effect;  // Elo relative to the mean of the seats
  std::optional<double> points_per_game;
};

// Score of row against column, over the games that both played.
struct CrossScore {
  double score = 0;  // 1 if placed higher, 1/2 if level
  int64_t games = 0;
};

// Recorded self-play data.
struct SampleCounts {
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t bytes = 0;  // size of the shards
};

// Self-play is unrated: the bots are in the order of the spec without rank, rating and superiority;
// seats have no effect; and all comparisons of bots (anchor, ties, cross, next_margin, coalitions)
// are empty.
struct Standings {
  std::string name;  // of the tournament, or else of the game
  int64_t games_recorded = 0;
  int64_t games_asked = 0;
  std::optional<int> anchor;      // index into the spec's bots
  std::vector<BotStanding> bots;  // ordered by rank
  std::vector<SeatStanding> seats;
  ratings::TieRates ties;
  std::vector<std::vector<CrossScore>> cross;   // [row of `bots`][row of `bots`]
  std::map<Termination, int64_t> terminations;  // only those that occurred
  // Mean number of plies; empty without games.
  std::optional<double> plies_per_game;
  // The upper median of the ratings' 95 % margins, the next round figure below it, and roughly how
  // many more games it takes to reach it (RatingFit::TypicalMargin). Empty if undefined.
  struct NextMargin {
    double now_elo = 0;
    double next_elo = 0;
    int64_t games = 0;
  };
  std::optional<NextMargin> next_margin;
  // Uses the bots' indices in the spec.
  ratings::CoalitionReport coalitions;
  // The fit of the ratings, for further comparisons; bots are indices in the spec. Empty in
  // self-play.
  std::optional<ratings::RatingFit> fit;
  // Only for self-play. StandingsBuilder, which sees only games, leaves it 0.
  std::optional<SampleCounts> samples;

  bool is_rated() const { return !samples.has_value(); }
  // Returns the row in `bots` of a bot of the spec.
  size_t RowOf(int bot) const;
};

// A fit takes memory with the square of the number of bots and time with its cube.
inline constexpr size_t kRatedBotsMax = 1000;
// Fails with InvalidArgument if a tournament or pool has too many bots for standings.
absl::Status CheckBotsToRate(const TournamentSpec& spec);

// Styles and coalitions take several times as long as ratings.
enum class StandingsParts : uint8_t { kWithoutStyles, kAll };

// Accumulates the games of a tournament.
class StandingsBuilder {
 public:
  // Both arguments must outlive the builder.
  StandingsBuilder(const TournamentSpec& spec, const GameInfo& game);

  // Adds a game without its plies, costs and fallbacks. The games of one match come one after
  // another. Fails with InvalidArgument if a bot or placement is invalid.
  absl::Status Add(const GameSummary& game);
  // Adds the costs of games. Fails with InvalidArgument if a bot does not exist.
  absl::Status AddCosts(const GameCosts& costs);
  // Fails with InvalidArgument if the spec's anchor is not one of its bots, and like
  // CheckBotsToRate. The spec also defines the requested number of games and whether they are
  // rated.
  absl::StatusOr<Standings> Compute(StandingsParts parts = StandingsParts::kAll);

 private:
  static constexpr size_t kTerminations = static_cast<size_t>(Termination::kAbandoned) + 1;

  Standings ComputeUnrated(const ratings::GameCounts& counts) const;

  const TournamentSpec& spec_;
  const GameInfo& game_;
  ratings::GameCounter counter_;
  std::array<int64_t, kTerminations> terminations_{};
  std::vector<Faults> faults_;   // by bot
  std::vector<BotCosts> costs_;  // by bot
  int64_t plies_ = 0;
};

// Computes the standings of all these games, in the order of their matches.
absl::StatusOr<Standings> ComputeStandings(const TournamentSpec& spec,
                                           std::span<const GameSummary> games,
                                           const GameInfo& game);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_
