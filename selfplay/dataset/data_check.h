#ifndef TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_
#define TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/dataset/data_set.h"

namespace triarch {

// What was looked at.
struct DataCounts {
  int64_t shards = 0;
  int64_t games = 0;
  int64_t samples = 0;
};

// Whether these shards of the data set are true: the manifest, each file's size and SHA-256, all
// that ReadShard checks, the entry's figures, that no game is in two of the shards, and every
// sample by the rules (ReplaySamples). Tells each fault, "SHARD: what": a shard that is missing is
// one. Other errors are those of the blobs, and end it.
absl::StatusOr<DataCounts> CheckData(const DataSet& data, const std::vector<ShardEntry>& shards,
                                     const std::function<void(const std::string&)>& on_fault);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_CHECK_H_
