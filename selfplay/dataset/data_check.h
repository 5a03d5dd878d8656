// Checks self-play data against its manifest and the rules.

#ifndef TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_
#define TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/dataset/data_set.h"

namespace triarch {

// What was checked.
struct DataCounts {
  int64_t shards = 0;
  int64_t games = 0;
  int64_t samples = 0;
};

// Checks the shards: the manifest, the size and SHA-256 of each file, everything that ReadShard
// checks, the figures of the manifest, that no two shards contain the same game, and every sample
// against the rules (ReplaySamples). Reports each fault, including a missing shard, as "SHARD:
// what". Other errors are those of the blob store and end the check.
absl::StatusOr<DataCounts> CheckData(const DataSet& data, const std::vector<ShardEntry>& shards,
                                     const std::function<void(const std::string&)>& on_fault);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_
