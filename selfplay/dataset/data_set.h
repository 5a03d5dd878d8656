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

// The data of self-play that lie in a place: its manifest and, read one by one, its shards.
class DataSet {
 public:
  // Reads the manifest. NotFound: there is none; InvalidArgument: what is wrong with it; else as
  // the blobs.
  static absl::StatusOr<DataSet> Open(std::unique_ptr<BlobStore> blobs);

  // As in messages: "/data".
  const std::string& place() const { return place_; }
  // In the order of the manifest.
  const std::vector<ShardEntry>& entries() const { return entries_; }
  // The one of that name, with or without shards/ and .npz. NotFound.
  absl::StatusOr<ShardEntry> Find(std::string_view name) const;

  // How many files lie under shards/ that the manifest does not name. As the blobs.
  absl::StatusOr<int64_t> CountUnnamed() const;

  // The file, unchecked. As the blobs, by name of the place and shard.
  absl::StatusOr<std::string> Fetch(const ShardEntry& entry) const;
  // The shard, of which all is true but what ReplaySamples would find. InvalidArgument:
  // "PLACE/SHARD: what is wrong"; else as the blobs.
  absl::StatusOr<Shard> Read(const ShardEntry& entry) const;

 private:
  DataSet(std::unique_ptr<BlobStore> blobs, std::vector<ShardEntry> entries)
      : blobs_(std::move(blobs)), place_(blobs_->Describe()), entries_(std::move(entries)) {}

  std::unique_ptr<BlobStore> blobs_;
  std::string place_;
  std::vector<ShardEntry> entries_;
};

// What is wrong, each of it in words; nothing if all is true.
// Of entries that are not of one run, or that name one file twice.
std::vector<std::string> FaultsOfManifest(const std::vector<ShardEntry>& entries);
// Of a file: its size and SHA-256.
std::vector<std::string> FaultsOfFile(const ShardEntry& entry, std::string_view bytes);
// Of what an entry says of its shard, for which CheckShard has nothing to say, and of the shard's
// meta.
std::vector<std::string> FaultsOfEntry(const ShardEntry& entry, const Shard& shard);
// That two shards are of one run: all of their meta but the build is the same. InvalidArgument:
// what is not.
absl::Status CheckSameRun(const ShardMeta& meta, const ShardMeta& first);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_DATA_SET_H_
