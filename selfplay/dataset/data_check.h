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

// Numbers of checked items.
struct DataCounts {
  int64_t shards = 0;
  int64_t games = 0;
  int64_t samples = 0;
};

// Checks each shard: the manifest, the file's size and SHA-256, everything that ReadShard checks,
// the figures in the manifest, that no game occurs in two shards, and every sample against the
// rules (ReplaySamples). Reports each fault, including a missing shard, as "SHARD: what". Errors of
// the blob store end the check and are returned.
absl::StatusOr<DataCounts> CheckData(const DataSet& data, const std::vector<ShardEntry>& shards,
                                     const std::function<void(const std::string&)>& on_fault);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_
