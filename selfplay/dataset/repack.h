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

// Appends a game with its samples to a shard of the same run. What is already there is not looked
// at: its games must have smaller indices. An empty shard begins with MakeEmptyShard.
void AppendGame(const Shard& from, size_t game, SampleRange samples, Shard* to);
Shard MakeEmptyShard(const ShardMeta& meta);

struct RepackOptions {
  int64_t shard_samples = 200'000;  // a shard ends with the game that reaches it
  Compression compression = Compression::kDeflate;
};

// Writes the data again, in shards of another size: all games in the order of their indices, each
// whole, and last of all the manifest. Where shards of several builds come together, `build` names
// them all. In memory are one shard read, one to be written, and games of shards whose indices
// overlap. Returns the new manifest. FailedPrecondition: there is a manifest in `to`.
// InvalidArgument: the data are faulty. Else as the blob stores.
absl::StatusOr<std::vector<ShardEntry>> Repack(const DataSet& data, const RepackOptions& options,
                                               BlobStore& to);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_REPACK_H_
