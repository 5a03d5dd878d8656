// Defines the matches of a Swiss event, a knock-out or a league, and ranks bots by their points.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Bots are numbers from 0. Everything here depends only on the arguments, on every machine.
namespace triarch::experiments {

// The bots of one match: two or three, without repetition.
using Table = std::vector<int>;

struct MatchResult {
  Table bots;
  std::vector<double> points;  // of each bot over the games of the match; multiples of 1/4
};

// The matches to play next. Bots with a bye do not play.
struct Pairings {
  std::vector<Table> tables = {};
  std::vector<int> byes = {};
};

struct RoundResult {
  std::vector<MatchResult> matches = {};
  std::vector<int> byes = {};
};

// Return all bots by starting number: drawn by lot, or the best rating first.
std::vector<int> DrawStartingOrder(size_t bots, uint64_t seed);
std::vector<int> StartingOrderByRating(std::span<const double> ratings);

// Returns the points for a bye: half the games of a match, so 3 of 6 with three seats and 1 of 2
// with two.
double ByePoints(size_t seats);

// Returns the points of each bot, with those for byes.
std::vector<double> PointsOf(size_t bots, size_t seats, std::span<const RoundResult> rounds);

struct EventStanding {
  int bot = 0;
  double points = 0;
  // The mean over the bot's opponents of their points per match, rounded to millionths. A bye is no
  // match.
  double opponents_points = 0;
  // Own points less those of the other, over matches with bots that have the same `points` and
  // `opponents_points`.
  double mutual_points = 0;
};

// Returns the bots of `starting_order`, which may be some of those of the tournament, from first to
// last: by points, opponents' points, mutual points, rating (if
// `ratings`, one per bot of the tournament, is not empty) and starting number. More first places
// are no tie-break: they name the stronger of two bots no better than a coin.
std::vector<EventStanding> RankEvent(size_t seats, std::span<const int> starting_order,
                                     std::span<const RoundResult> rounds,
                                     std::span<const double> ratings = {});

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_H_
