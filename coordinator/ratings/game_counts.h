// Counts games by seating and result, the only data that the rating model needs.

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

// Also records which games belong to the same block. A million games of ten bots reduce to at most
// 9 360 counts.
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
  // The number of games that one block has of one element of `counts`. Sorted by block and count. A
  // block is a match (GameSummary::match) or, with very many games, several consecutive matches.
  struct InBlock {
    int64_t block = 0;
    size_t count = 0;
    int64_t games = 0;
  };
  std::vector<InBlock> in_blocks = {};
};

// Counts games in any order, in bounded memory: if GameCounts::in_blocks would exceed a million
// entries, merges neighbouring blocks, repeatedly if necessary. Always keeps some blocks, because
// errors are estimated from the differences between blocks.
class GameCounter {
 public:
  // `seats` is 2 or 3. Tests may set a different bound on in_blocks.
  GameCounter(size_t bots, size_t seats, size_t in_blocks_max = 1 << 20)
      : bots_(bots), seats_(seats), in_blocks_max_(in_blocks_max) {}

  // Fails with InvalidArgument, naming the game, if a bot does not exist or the places are not a
  // valid result for `seats` seats.
  absl::Status Add(const GameSummary& game);
  // Fails with InvalidArgument if no rating exists for this number of seats.
  absl::StatusOr<GameCounts> Counts() const;

 private:
  void MergeBlocks();

  const size_t bots_;
  const size_t seats_;
  const size_t in_blocks_max_;
  absl::flat_hash_map<uint64_t, int64_t> counts_;                         // by KeyOf
  absl::flat_hash_map<std::pair<int64_t, uint64_t>, int64_t> in_blocks_;  // by block and KeyOf
  int64_t first_block_ = INT64_MAX;
  int64_t last_block_ = 0;
  int shift_ = 0;  // a block is a match number without its lowest `shift_` bits
};

// Counts all these games.
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
