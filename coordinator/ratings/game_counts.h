#ifndef TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_
#define TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "core/record/game_summary.h"

// What the rating model needs of the games: how often each result was had by the same bots at the
// same seats, and which of these stood together in a block. A million games of ten bots come down
// to at most 9 360 counts.
namespace triarch::ratings {

struct GameCount {
  PerSeat<int> bots;
  size_t placement = 0;  // in Placements(seats)
  int64_t games = 0;
};

struct GameCounts {
  size_t bots = 0;
  size_t seats = 0;
  std::vector<GameCount> counts;  // by bots, then placement; each once
  // Every game: its block (GameSummary::match) and its place in `counts`, by block.
  struct InBlock {
    int64_t block = 0;
    size_t count = 0;
  };
  std::vector<InBlock> games;
};

// InvalidArgument, naming the game, if a bot is not one of `bots` or the places are no result of a
// game of `seats` (2 or 3) seats. The order of the games does not matter.
absl::StatusOr<GameCounts> CountGames(size_t bots, size_t seats,
                                      std::span<const GameSummary> games);

// Calls visit(bots by seat, games) once for each seating of bots that was played.
template <class Visit>
void VisitSeatings(const GameCounts& counts, Visit visit) {
  for (size_t i = 0; i < counts.counts.size();) {
    const PerSeat<int>& bots = counts.counts[i].bots;
    int64_t games = 0;
    for (; i < counts.counts.size() && counts.counts[i].bots == bots; ++i) {
      games += counts.counts[i].games;
    }
    visit(bots, games);
  }
}

// Which bots a chain of games connects. Groups are numbered from 0.
struct Connections {
  // Bots of one group have met, directly or through others. Between groups there is no comparison
  // but the prior.
  std::vector<int> group;
  // Bots of one group can each be reached from each by "placed above or level with". Where
  // connected bots fall apart here, one side won everything against the other (Ford's condition):
  // the likelihood alone would put them infinitely far apart.
  std::vector<int> strong_group;
};
Connections FindConnections(const GameCounts& counts);

// The number of the group with most members (the first of equals), among members that played.
int LargestGroup(const std::vector<int>& group);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_
