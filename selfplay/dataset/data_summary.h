// Computes statistics over the shards of self-play data.

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

// Results of a seat or a bot.
struct EndCounts {
  int64_t games = 0;
  int64_t wins = 0;    // sole first place
  int64_t shared = 0;  // shared first place
  double share = 0;    // total share of the points
};

// Statistics, accumulated over shards.
struct DataSummary {
  int64_t opening_plies = 8;  // number of first moves that distinguish openings

  ShardMeta meta = {};  // the meta of the first shard
  std::set<std::string> specs = {};
  std::set<std::string> builds = {};
  int64_t shards = 0;
  int64_t bytes = 0;
  int64_t games = 0;
  int64_t samples = 0;
  int64_t with_policy = 0;  // samples with a policy
  int64_t with_value = 0;
  int64_t legal_moves = 0;  // total over all samples
  double weight = 0;        // total over all samples
  std::map<int64_t, int64_t> game_plies =
      {};  // number of games by plies, not counting seats that left
  std::map<int64_t, int64_t> sample_plies = {};  // number of samples by ply
  std::array<EndCounts, kSeatsMax> seats = {};
  std::map<std::string, EndCounts> bots = {};
  absl::flat_hash_set<uint64_t> openings = {};  // hashes
  // Seats that would have resigned in a game that continued: their number, how many of them still
  // scored, and their total share of the points.
  int64_t resignations = 0;
  int64_t false_resignations = 0;
  double resigned_share = 0;

  // Adds a shard. Requires: its game is that of the earlier shards.
  void Add(const ShardEntry& entry, const Shard& shard);

 private:
  void AddGame(const Shard& shard, size_t game);
  void AddSample(const Shard& shard, size_t sample);
};

// A bar of a histogram: the count of values from `first` to `last`.
struct Bar {
  int64_t first = 0;
  int64_t last = 0;
  int64_t count = 0;
};

// Groups the counts into at most `bars_max` bars of equal, round width (1, 2 or 5 times a power of
// ten). Each bar begins at a multiple of the width; empty bars in between are included.
std::vector<Bar> Histogram(const std::map<int64_t, int64_t>& counts, size_t bars_max);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_SUMMARY_H_
