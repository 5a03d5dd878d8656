#ifndef TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_
#define TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

// The ordered table of a tournament as a value: numbers only, computed from the recorded games.
namespace triarch {

// How often a bot broke the rules of the match.
struct Faults {
  int64_t time_forfeit = 0;
  int64_t illegal_move = 0;
  int64_t crash = 0;

  int64_t total() const { return time_forfeit + illegal_move + crash; }
  friend bool operator==(const Faults&, const Faults&) = default;
};

struct BotStanding {
  int bot = 0;   // index into the spec's bots
  int rank = 0;  // from 1; 0 where nobody is rated
  std::string name;
  // Elo against the anchor or the pool mean; empty without games.
  std::optional<ratings::Estimate> rating;
  // Probability of being stronger than the bot in the next row; empty in the last rated row.
  std::optional<double> superiority;
  bool is_unconnected = false;  // no chain of games to most others
  bool is_one_sided = false;    // won or lost everything against most others: rating is a bound

  int64_t games = 0;
  double points = 0;  // placement points: 1, 1/2, 0 (two seats: 1, 0), ties sharing the mean
  // Every game counts in exactly one of these. A draw is a *shared first* place; a place shared
  // further down counts as that place ("1-2-2": both second; "1-1-3": two draws and a third).
  int64_t firsts = 0;
  int64_t draws = 0;
  int64_t seconds = 0;
  int64_t thirds = 0;
  Faults faults;
  int64_t fallbacks = 0;  // moves that it failed to choose
  // Empty if the bot made no move.
  std::optional<double> time_per_move_ms;  // by the clock on the wall
  std::optional<double> cpu_per_move_ms;   // of the games in which it was measured
  std::optional<double> nodes_per_move;
};

struct SeatStanding {
  std::string name;
  ratings::Estimate effect;  // Elo against the mean of the seats
  std::optional<double> points_per_game;
};

// Row against column, over the games where both sat at the table.
struct CrossScore {
  double score = 0;  // placed better: 1, level: 1/2
  int64_t games = 0;
};

// What self-play has recorded beside its games.
struct SampleCounts {
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t bytes = 0;  // of the shards' files
};

// Self-play makes samples and rates nobody: there bots are in the order of the spec without rank,
// rating and superiority, once for each seat that they had; `seats` have no effect; and what comes
// of comparing bots (anchor, ties, cross, next_margin, coalitions) is empty.
struct Standings {
  std::string name;  // of the tournament; else of the game
  int64_t games_recorded = 0;
  int64_t games_asked = 0;
  std::optional<int> anchor;      // index into the spec's bots
  std::vector<BotStanding> bots;  // by rank
  std::vector<SeatStanding> seats;
  ratings::TieRates ties;
  std::vector<std::vector<CrossScore>> cross;   // [row of `bots`][row of `bots`]
  std::map<Termination, int64_t> terminations;  // those that occurred
  // Mean plies of a game; empty without games.
  std::optional<double> plies_per_game;
  // The 95 % margin that at least half of the ratings keep to now, the next round figure below it,
  // and about how many more games that takes (RatingFit::TypicalMargin). Empty if there is none.
  struct NextMargin {
    double now_elo = 0;
    double next_elo = 0;
    int64_t games = 0;
  };
  std::optional<NextMargin> next_margin;
  // Names bots by their index in the spec. Made from a fit with a tie term for each kind of tie:
  // what the single term of the ratings misses must not look like a coalition.
  ratings::CoalitionReport coalitions;
  // Of self-play, and only of that. StandingsBuilder knows games alone, and leaves them 0.
  std::optional<SampleCounts> samples;

  bool is_rated() const { return !samples.has_value(); }
  // The row in `bots` of a bot of the spec.
  size_t RowOf(int bot) const;
};

// Takes the games of a tournament in any order, in memory that does not grow with their number.
class StandingsBuilder {
 public:
  // Both must outlive it.
  StandingsBuilder(const TournamentSpec& spec, const GameInfo& game);
  ~StandingsBuilder();

  // InvalidArgument if the game names a bot or a placement that cannot be.
  absl::Status Add(const GameSummary& game);
  // InvalidArgument if the spec names an anchor that is none of its bots. The count of games asked
  // for comes from the spec, and whether anybody is rated.
  absl::StatusOr<Standings> Compute() const;

 private:
  struct Tally;

  Standings ComputeUnrated() const;

  const TournamentSpec& spec_;
  const GameInfo& game_;
  ratings::GameCounter counter_;
  std::unique_ptr<Tally> tally_;
};

// The standings of all these.
absl::StatusOr<Standings> ComputeStandings(const TournamentSpec& spec,
                                           std::span<const GameSummary> games,
                                           const GameInfo& game);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_STANDINGS_H_
