// Counts games by seating and result, the only data that the rating model needs.

#ifndef TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_
#define TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "core/record/game_summary.h"

// Also counts equal blocks, because the errors depend on how games of a block vary together. Ten
// million games of ten bots reduce to at most 9 360 counts, and to about a million different
// blocks.
namespace triarch::ratings {

struct GameCount {
  PerSeat<int> bots;
  size_t placement = 0;  // index into Placements(seats)
  int64_t games = 0;
};

struct GameCounts {
  size_t bots = 0;
  size_t seats = 0;
  std::vector<GameCount> counts = {};  // sorted by bots, then placement; unique
  int64_t games = 0;
  // A block is a match (GameSummary::match). One Block stands for all that have the same results.
  struct Block {
    size_t first = 0;  // its games are block_games[first, last)
    size_t last = 0;
    int64_t times = 0;  // how many blocks have these games
  };
  // Blocks with the same bots on the same seats and the same seats in play at each stage are
  // adjacent: they have the same information (GameTerms::information).
  std::vector<Block> blocks = {};
  std::vector<uint32_t> block_games = {};  // for each game of a block, its index in `counts`
};

// Counts games. Memory grows with the number of different blocks.
class GameCounter {
 public:
  // `seats` is 2 or 3.
  GameCounter(size_t bots, size_t seats) : bots_(bots), seats_(seats) {}

  // Games may come in any order, except that those of one match come one after another, without
  // Counts in between. Fails with InvalidArgument, naming the game, if a bot does not exist or the
  // places are not a valid result for `seats` seats.
  absl::Status Add(const GameSummary& game);
  // Fails with InvalidArgument if no rating exists for this number of seats.
  absl::StatusOr<GameCounts> Counts();

 private:
  // A seating with a result.
  struct Kind {
    uint64_t key = 0;  // KeyOf
    // A key without the differences in results that do not change the information.
    uint64_t information = 0;
    int64_t games = 0;
  };
  struct Block {
    uint64_t information = 0;  // a hash of what its games say about that; decides the order
    uint64_t hash = 0;         // of its games
    GameCounts::Block games;   // ranges of block_games_
  };

  // Returns the number of a kind.
  uint32_t KindOf(uint64_t key);
  void EndBlock();
  // Sorts the blocks and joins equal ones.
  void Merge();
  bool AreEqual(const Block& a, const Block& b) const;

  const size_t bots_;
  const size_t seats_;
  absl::flat_hash_map<uint64_t, uint32_t> kind_of_;  // by key
  std::vector<Kind> kinds_;
  std::vector<Block> blocks_;
  std::vector<uint32_t> block_games_;  // kinds; those of a block are sorted by key
  size_t merged_ = 0;                  // number of blocks, sorted and different; others follow
  size_t merge_at_ = 0;                // number of blocks
  int64_t match_ = -1;                 // of the last game
  std::vector<uint64_t> match_games_;  // the keys of its games, not yet in blocks_
};

// Returns for each count the number of its class, from 0. Counts of a class have the same bots and
// the same seats in play at each stage.
std::vector<uint32_t> InformationClasses(const GameCounts& counts);

// Counts all these games, in any order.
absl::StatusOr<GameCounts> CountGames(size_t bots, size_t seats,
                                      std::span<const GameSummary> games);

// Calls visit(bots by seat, games) once for each seating played.
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

// Tells how games connect the bots. Groups are numbered from 0.
struct Connections {
  // Bots in one group have met, directly or through others. Only the prior relates different
  // groups.
  std::vector<int> group;
  // Within a strong group, every bot is reachable from every other by "placed above or level with".
  // If connected bots are in different strong groups, one side won everything against the other
  // (Ford's condition), and the likelihood alone would separate them infinitely.
  std::vector<int> strong_group;
};
Connections FindConnections(const GameCounts& counts);

// Returns the group with the most members that played; the first if several are equally large.
int LargestGroup(const std::vector<int>& group);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_GAME_COUNTS_H_
