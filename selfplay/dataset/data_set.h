// Gives access to the data of one self-play run: its manifest and shards.

#ifndef TRIARCH_SELFPLAY_DATASET_DATA_SET_H_
#define TRIARCH_SELFPLAY_DATASET_DATA_SET_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/shard_entry.h"
#include "selfplay/shard/shard.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

// Reads the manifest of a run, and its shards one at a time.
class DataSet {
 public:
  // Reads the manifest. Fails with NotFound if it does not exist, with InvalidArgument if it is
  // invalid, or with errors of the blob store.
  static absl::StatusOr<DataSet> Open(std::unique_ptr<BlobStore> blobs);

  // The location for messages: "/data".
  const std::string& location() const { return location_; }
  // In manifest order.
  const std::vector<ShardEntry>& entries() const { return entries_; }
  // Returns the shard of that name, with or without shards/ and .npz. Fails with NotFound.
  absl::StatusOr<ShardEntry> Find(std::string_view name) const;

  // Returns how many files under shards/ are missing from the manifest. Fails like the blob store.
  absl::StatusOr<int64_t> CountUnlistedFiles() const;

  // Returns the file, unchecked. Fails like the blob store; the message names location and shard.
  absl::StatusOr<std::string> Fetch(const ShardEntry& entry) const;
  // Returns the shard after all checks except ReplaySamples. Fails with InvalidArgument
  // ("LOCATION/SHARD: what is wrong"), or like the blob store.
  absl::StatusOr<Shard> Read(const ShardEntry& entry) const;

 private:
  DataSet(std::unique_ptr<BlobStore> blobs, std::vector<ShardEntry> entries)
      : blobs_(std::move(blobs)), location_(blobs_->Describe()), entries_(std::move(entries)) {}

  std::unique_ptr<BlobStore> blobs_;
  std::string location_;
  std::vector<ShardEntry> entries_;
};

// Each function returns a message per fault, and nothing if all is well.
// Finds entries of different runs and duplicate file names.
std::vector<std::string> FindManifestFaults(const std::vector<ShardEntry>& entries);
// Compares a file's size and SHA-256 with its entry.
std::vector<std::string> FindFileFaults(const ShardEntry& entry, std::string_view bytes);
// Compares an entry's figures with its shard and the shard's meta. Requires: CheckShard succeeds.
std::vector<std::string> FindEntryFaults(const ShardEntry& entry, const Shard& shard);
// Checks that two shards belong to one run: their meta may differ only in the build. Fails with
// InvalidArgument.
absl::Status CheckSameRun(const ShardMeta& meta, const ShardMeta& first);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_SET_H_
