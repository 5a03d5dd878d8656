#ifndef TRIARCH_SELFPLAY_DATASET_DATA_SUMMARY_H_
#define TRIARCH_SELFPLAY_DATASET_DATA_SUMMARY_H_

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/game/seat.h"
#include "selfplay/dataset/data_set.h"

namespace triarch {

// How games ended for a seat or a bot.
struct EndCounts {
  int64_t games = 0;
  int64_t wins = 0;    // alone in the first place
  int64_t shared = 0;  // first with others
  double share = 0;    // of the points, in all
};

// What shards hold, counted one after the other.
struct DataSummary {
  int64_t opening_plies = 8;  // openings are told apart by so many first moves

  ShardMeta meta = {};  // of the first shard
  std::set<std::string> specs = {};
  std::set<std::string> builds = {};
  int64_t shards = 0;
  int64_t bytes = 0;
  int64_t games = 0;
  int64_t samples = 0;
  int64_t with_policy = 0;  // samples
  int64_t with_value = 0;
  int64_t legal_moves = 0;                       // of all samples
  double weight = 0;                             // likewise
  std::map<int64_t, int64_t> game_plies = {};    // games by their plies, leavings not counted
  std::map<int64_t, int64_t> sample_plies = {};  // samples by their ply
  std::array<EndCounts, kSeatsMax> seats = {};
  std::map<std::string, EndCounts> bots = {};
  absl::flat_hash_set<uint64_t> openings = {};  // hashes
  // Seats that would have resigned in a game that was played out; those of them that got points
  // then; and what share they got in all.
  int64_t resignations = 0;
  int64_t false_resignations = 0;
  double resigned_share = 0;

  // Requires: the shard is of the same game as those before.
  void Add(const ShardEntry& entry, const Shard& shard);

 private:
  void AddGame(const Shard& shard, size_t game);
  void AddSample(const Shard& shard, size_t sample);
};

// A bar of a histogram: so many from `first` to `last`.
struct Bar {
  int64_t first = 0;
  int64_t last = 0;
  int64_t count = 0;
};

// The counts in at most `bars_max` bars of equal, round width (1, 2 or 5 and zeros) that begin at a
// multiple of it; empty ones between others are there.
std::vector<Bar> Histogram(const std::map<int64_t, int64_t>& counts, size_t bars_max);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_SUMMARY_H_
