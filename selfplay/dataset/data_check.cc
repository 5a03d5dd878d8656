#include "selfplay/dataset/data_check.h"

#include <optional>

#include "absl/strings/str_format.h"
#include "core/base/range_set.h"
#include "core/base/status_macros.h"
#include "selfplay/dataset/replay_samples.h"
#include "selfplay/shard/manifest.h"

namespace triarch {
namespace {

class DataChecker {
 public:
  DataChecker(const DataSet& data, const std::function<void(const std::string&)>& on_fault)
      : data_(data), on_fault_(on_fault) {}

  absl::Status Add(const ShardEntry& entry) {
    const auto tell = [&](const std::string& what) { on_fault_(entry.shard + ": " + what); };
    const absl::StatusOr<std::string> bytes = data_.Fetch(entry);
    if (absl::IsNotFound(bytes.status())) {
      tell("the file is missing");
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(bytes.status());
    for (const std::string& fault : FindFileFaults(entry, *bytes)) tell(fault);
    const absl::StatusOr<Shard> shard = ReadShard(*bytes);
    if (!shard.ok()) {
      tell(std::string(shard.status().message()));
      return absl::OkStatus();
    }
    for (const std::string& fault : FindEntryFaults(entry, *shard)) tell(fault);
    if (!first_) first_ = shard->meta;
    const absl::Status run = CheckSameRun(shard->meta, *first_);
    if (!run.ok()) tell(std::string(run.message()));
    for (const int64_t game : shard->game_index) {
      if (games_.Add({game, game + 1}) != 0) continue;
      tell(absl::StrFormat("game %d: an earlier shard contains it too", game));
    }
    ReplaySamples(*shard, [&](const SampleFault& fault) { tell(ToString(fault)); });
    ++counts_.shards;
    counts_.games += static_cast<int64_t>(shard->games());
    counts_.samples += static_cast<int64_t>(shard->samples());
    return absl::OkStatus();
  }

  const DataCounts& counts() const { return counts_; }

 private:
  const DataSet& data_;
  const std::function<void(const std::string&)>& on_fault_;
  std::optional<ShardMeta> first_;
  RangeSet games_;
  DataCounts counts_;
};

}  // namespace

absl::StatusOr<DataCounts> CheckData(const DataSet& data, const std::vector<ShardEntry>& shards,
                                     const std::function<void(const std::string&)>& on_fault) {
  for (const std::string& fault : FindManifestFaults(data.entries())) {
    on_fault(std::string(kManifestName) + ": " + fault);
  }
  DataChecker checker(data, on_fault);
  for (const ShardEntry& entry : shards) RETURN_IF_ERROR(checker.Add(entry));
  return checker.counts();
}

}  // namespace triarch
