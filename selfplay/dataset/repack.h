// Rewrites self-play data in shards of another size.

#ifndef TRIARCH_SELFPLAY_DATASET_REPACK_H_
#define TRIARCH_SELFPLAY_DATASET_REPACK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/dataset/data_set.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/shard.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

// Appends a game with its samples to a shard of the same run. Requires: its index is larger than
// those of the games in `to`. Create an empty shard with MakeEmptyShard.
void AppendGame(const Shard& from, size_t game, SampleRange samples, Shard* to);
Shard MakeEmptyShard(const ShardMeta& meta);

struct RepackOptions {
  int64_t shard_samples = 200'000;  // a shard ends with the game that reaches this number
  Compression compression = Compression::kDeflate;
};

// Writes all games in the order of their indices, without splitting any, and the manifest last. If
// shards of several builds are merged, `build` names all of them. Holds in memory one input shard,
// one output shard, and the games of shards whose indices overlap. Returns the new manifest. Fails
// with FailedPrecondition if `to` has a manifest, with InvalidArgument if the data is invalid, or
// like the blob stores.
absl::StatusOr<std::vector<ShardEntry>> Repack(const DataSet& data, const RepackOptions& options,
                                               BlobStore& to);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_REPACK_H_
