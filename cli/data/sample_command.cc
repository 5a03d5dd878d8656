// Implements `triarch data sample`: shows samples of self-play data.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/color_option.h"
#include "cli/data/data_options.h"
#include "cli/data/data_samples.h"
#include "cli/files.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

constexpr int64_t kCountMax = 1'000;

struct SampleOptions {
  std::string location;
  std::optional<std::string> shard;
  std::optional<int64_t> number;
  int64_t count = 1;
  uint64_t seed = 1;
  std::string color = "auto";
};

// Returns the numbers of the samples to show, all below `all`: the requested one, or random ones.
absl::StatusOr<std::set<int64_t>> ChooseNumbers(const SampleOptions& options, int64_t all) {
  if (all == 0) return absl::InvalidArgumentError(options.location + ": there are no samples");
  if (options.number && *options.number >= all) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: there is no sample %d; samples are numbered 0 to %d", options.location,
                        *options.number, all - 1));
  }
  if (options.number) return std::set<int64_t>{*options.number};
  // Floyd's algorithm draws distinct numbers.
  std::set<int64_t> numbers;
  Random random(options.seed);
  for (int64_t last = std::max<int64_t>(all - options.count, 0); last < all; ++last) {
    const auto drawn = static_cast<int64_t>(random.Unit() * static_cast<double>(last + 1));
    if (!numbers.insert(std::min(drawn, last)).second) numbers.insert(last);
  }
  return numbers;
}

// Prints samples of one shard. `is_first`: nothing was printed before.
absl::Status PrintSamples(const DataSet& data, const ShardEntry& entry,
                          const std::vector<int64_t>& numbers, bool is_colored, bool* is_first) {
  if (numbers.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
  for (const int64_t number : numbers) {
    const absl::StatusOr<std::string> text =
        SampleText(shard, static_cast<size_t>(number), is_colored);
    if (!text.ok()) return InShard(data, entry, text.status());
    Print(std::string(*is_first ? "" : "\n") +
          absl::StrFormat("sample      %d of %s\n", number, entry.shard) + *text);
    *is_first = false;
  }
  return absl::OkStatus();
}

absl::Status ShowSamples(const SampleOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.location));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, ChosenShards(data, options.shard));
  int64_t all = 0;
  for (const ShardEntry& entry : shards) all += entry.samples;
  ASSIGN_OR_RETURN(const std::set<int64_t> chosen, ChooseNumbers(options, all));
  int64_t before = 0;
  bool is_first = true;
  for (const ShardEntry& entry : shards) {
    std::vector<int64_t> numbers;  // within the shard
    const auto end = chosen.lower_bound(before + entry.samples);
    for (auto at = chosen.lower_bound(before); at != end; ++at) numbers.push_back(*at - before);
    RETURN_IF_ERROR(PrintSamples(data, entry, numbers, IsColored(options.color), &is_first));
    before += entry.samples;
  }
  return absl::OkStatus();
}

int RunSample(const SampleOptions& options) { return Finish(ShowSamples(options)); }

}  // namespace

void AddSampleCommand(const Command& data) {
  auto options = std::make_shared<SampleOptions>();
  const Command command = data.AddCommand(
      "sample", "Show samples: the board, the moves with their policy, the targets.");
  AddLocation(command, &options->location);
  AddShardOption(command, &options->shard);
  const CommandOption number =
      command.AddNumber({"--number", "N",
                         "Show sample N, counted from 0 in the shard or in all the\n"
                         "data; excludes --count and --seed"},
                        {0, INT64_MAX}, &options->number);
  command.AddNumber({"--count", "K", "Draw K samples at random"}, {1, kCountMax}, &options->count)
      .Excludes(number);
  command.AddNumber({"--seed", "S", "Draw them with this seed"}, &options->seed).Excludes(number);
  AddColorOption(command, &options->color);
  command.Footer(
      "Examples:\n"
      "  triarch data sample ./data --count 3 --seed 7\n"
      "  triarch data sample ./data --number 12041");
  command.OnRun(options, RunSample);
}

}  // namespace triarch
