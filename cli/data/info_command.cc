// Implements `triarch data info`: summarizes self-play data.

#include <cstdint>
#include <memory>
#include <string>

#include "cli/data/data_info.h"
#include "cli/data/data_options.h"
#include "cli/files.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/dataset/data_summary.h"

namespace triarch {
namespace {

constexpr int64_t kOpeningPliesMax = 1'000;

struct InfoOptions {
  std::string location;
  int64_t opening_plies = DataSummary().opening_plies;
  bool is_json = false;
};

absl::Status ShowInfo(const InfoOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.location));
  DataSummary summary;
  summary.opening_plies = options.opening_plies;
  for (const ShardEntry& entry : data.entries()) {
    ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
    if (summary.shards > 0 && shard.meta.game != summary.meta.game) {
      return InShard(
          data, entry,
          absl::InvalidArgumentError("expected the game of the first shard, " +
                                     Quote(summary.meta.game) + ", not " + Quote(shard.meta.game)));
    }
    summary.Add(entry, shard);
  }
  Print(options.is_json ? InfoJson(summary, data.location()) : InfoText(summary, data.location()));
  return absl::OkStatus();
}

int RunInfo(const InfoOptions& options) { return Finish(ShowInfo(options)); }

}  // namespace

void AddInfoCommand(const Command& data) {
  auto options = std::make_shared<InfoOptions>();
  const Command command =
      data.AddCommand("info", "Summarize the data: games, samples, results, lengths.");
  AddLocation(command, &options->location);
  command.AddNumber({"--opening", "PLIES", "Distinguish openings by their first PLIES moves"},
                    {1, kOpeningPliesMax}, &options->opening_plies);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer("Example:\n  triarch data info ./data");
  command.OnRun(options, RunInfo);
}

}  // namespace triarch
