// Implements `triarch data verify`: checks self-play data against its manifest and the rules.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/data/data_options.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "selfplay/dataset/data_check.h"

namespace triarch {
namespace {

constexpr int64_t kFaultsShown = 20;

struct VerifyOptions {
  std::string location;
  std::optional<std::string> shard;
};

// Reports files under shards/ that the manifest does not name.
absl::Status PrintUnnamed(const DataSet& data) {
  ASSIGN_OR_RETURN(const int64_t unnamed, data.CountUnlistedFiles());
  if (unnamed == 0) return absl::OkStatus();
  Print("ignored " + Counted(unnamed, "file") + " under shards/ that the manifest does not name\n");
  return absl::OkStatus();
}

absl::Status Verify(const VerifyOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.location));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, ChosenShards(data, options.shard));
  int64_t faults = 0;
  ASSIGN_OR_RETURN(const DataCounts counts,
                   CheckData(data, shards, [&faults](const std::string& fault) {
                     if (++faults <= kFaultsShown) Print(fault + "\n");
                   }));
  if (faults > kFaultsShown) Print(absl::StrFormat("and %d more\n", faults - kFaultsShown));
  if (faults > 0) {
    return absl::InvalidArgumentError(data.location() + ": " + Counted(faults, "fault"));
  }
  if (counts.shards == 0) {
    return absl::InvalidArgumentError(data.location() + ": the manifest names no shards");
  }
  Print(Counted(counts.shards, "shard") + ", " + Counted(counts.games, "game") + ", " +
        Counted(counts.samples, "sample") + ": no faults\n");
  return options.shard ? absl::OkStatus() : PrintUnnamed(data);
}

int RunVerify(const VerifyOptions& options) { return Finish(Verify(options)); }

}  // namespace

void AddDataVerifyCommand(const Command& data) {
  auto options = std::make_shared<VerifyOptions>();
  const Command command = data.AddCommand(
      "verify", "Check the manifest, every file, and every sample against the rules.");
  AddLocation(command, &options->location);
  AddShardOption(command, &options->shard);
  command.Footer("Example:\n  triarch data verify ./data");
  command.OnRun(options, RunVerify);
}

}  // namespace triarch
