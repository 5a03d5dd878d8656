#include "cli/data/data_options.h"

#include <memory>
#include <utility>

#include "core/base/status_macros.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

void AddLocation(const Command& command, std::string* location) {
  const auto read = [location](const std::string& text) {
    *location = text;
    return CheckLocation(text);
  };
  command.Add({"LOCATION", "", "Folder with a manifest.jsonl, or s3://BUCKET/PREFIX"}, read)
      .Required();
}

void AddShardOption(const Command& command, std::optional<std::string>* shard) {
  command.AddText({"--shard", "NAME", "Use only this shard of the manifest"}, shard);
}

absl::Status CheckLocation(const std::string& location) {
  if (location.empty()) {
    return absl::InvalidArgumentError("expected a folder or s3://BUCKET/PREFIX");
  }
  const absl::Status status = OpenBlobStore(location).status();
  return absl::IsInvalidArgument(status) ? status : absl::OkStatus();
}

absl::StatusOr<DataSet> OpenData(const std::string& location) {
  ASSIGN_OR_RETURN(std::unique_ptr<BlobStore> blobs, OpenBlobStore(location));
  return DataSet::Open(std::move(blobs));
}

absl::StatusOr<std::vector<ShardEntry>> ChosenShards(const DataSet& data,
                                                     const std::optional<std::string>& shard) {
  if (!shard) return data.entries();
  ASSIGN_OR_RETURN(ShardEntry entry, data.Find(*shard));
  return std::vector<ShardEntry>{std::move(entry)};
}

absl::Status InShard(const DataSet& data, const ShardEntry& entry, const absl::Status& error) {
  return absl::InvalidArgumentError(data.location() + "/" + entry.shard + ": " +
                                    std::string(error.message()));
}

}  // namespace triarch
