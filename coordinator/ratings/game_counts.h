#ifndef TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_
#define TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
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
  int64_t games = 0;
  // How many games of a place in `counts` each block has, by block and count. A block is a match
  // (GameSummary::match) or, of very many games, some that follow each other.
  struct InBlock {
    int64_t block = 0;
    size_t count = 0;
    int64_t games = 0;
  };
  std::vector<InBlock> in_blocks;
};

// Counts games as they come, in any order, in memory that does not grow with their number: where
// there would be more than a million of GameCounts::in_blocks, two blocks that follow each other
// become one, as often as it takes. Some blocks are always left, since errors come from how they
// differ.
class GameCounter {
 public:
  // `seats`: 2 or 3. For tests, another bound of in_blocks.
  GameCounter(size_t bots, size_t seats, size_t in_blocks_max = 1 << 20)
      : bots_(bots), seats_(seats), in_blocks_max_(in_blocks_max) {}

  // InvalidArgument, naming the game, if a bot is not one of `bots` or the places are no result of
  // a game of `seats` seats.
  absl::Status Add(const GameSummary& game);
  // InvalidArgument if there are no games of so many seats.
  absl::StatusOr<GameCounts> Counts() const;

 private:
  void MergeBlocks();

  const size_t bots_;
  const size_t seats_;
  const size_t in_blocks_max_;
  absl::flat_hash_map<uint64_t, int64_t> counts_;                         // by bots and placement
  absl::flat_hash_map<std::pair<int64_t, uint64_t>, int64_t> in_blocks_;  // by block and that
  int64_t first_block_ = INT64_MAX;
  int64_t last_block_ = 0;
  int shift_ = 0;  // a block is a match's number without so many bits
};

// The counts of all these.
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
