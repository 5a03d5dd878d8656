#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/color_option.h"
#include "cli/commands.h"
#include "cli/data/data_info.h"
#include "cli/data/data_samples.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/base/counted.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/dataset/data_check.h"
#include "selfplay/dataset/data_set.h"
#include "selfplay/dataset/data_summary.h"
#include "selfplay/dataset/repack.h"
#include "selfplay/storage/blob_store.h"

// data: what self-play has written, looked at, checked, and written again in other forms.
namespace triarch {
namespace {

constexpr int64_t kOpeningPliesMax = 1'000;
constexpr int64_t kFaultsShown = 20;
constexpr int64_t kCountMax = 1'000;
constexpr int64_t kShardSamplesMax = 4'000'000;

constexpr const char* kPlaceHelp =
    "Where the data lie: a folder with a manifest.jsonl, or s3://BUCKET/PREFIX";

void AddPlace(CLI::App* command, std::string* place) {
  command->add_option("PLACE", *place, kPlaceHelp)->type_name("")->required();
}

CLI::Option* AddShardOption(CLI::App* command, std::optional<std::string>* shard,
                            const std::string& description) {
  return AddTextOption(command, "--shard", shard, description)->type_name("NAME");
}

// That the place may be one. An error is one of usage.
absl::Status CheckPlace(const std::string& place, const std::string& name) {
  if (place.empty()) return absl::InvalidArgumentError(name + ": a folder or s3://… was expected");
  const absl::Status status = OpenBlobStore(place).status();
  if (!absl::IsInvalidArgument(status)) return absl::OkStatus();
  return absl::InvalidArgumentError(name + ": " + std::string(status.message()));
}

absl::Status CheckNumber(const std::string& flag, int64_t number, int64_t min, int64_t max) {
  if (number >= min && number <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected a number from %d to %d, not %d", flag, min, max, number));
}

absl::StatusOr<DataSet> OpenData(const std::string& place) {
  ASSIGN_OR_RETURN(std::unique_ptr<BlobStore> blobs, OpenBlobStore(place));
  return DataSet::Open(std::move(blobs));
}

// All shards, or the one of that name.
absl::StatusOr<std::vector<ShardEntry>> Chosen(const DataSet& data,
                                               const std::optional<std::string>& shard) {
  if (!shard) return data.entries();
  ASSIGN_OR_RETURN(ShardEntry entry, data.Find(*shard));
  return std::vector<ShardEntry>{std::move(entry)};
}

// ---- info

struct InfoOptions {
  std::string place;
  int64_t opening_plies = DataSummary().opening_plies;
  bool is_json = false;
};

absl::Status ShowInfo(const InfoOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.place));
  DataSummary summary;
  summary.opening_plies = options.opening_plies;
  for (const ShardEntry& entry : data.entries()) {
    ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
    if (summary.shards > 0 && shard.meta.game != summary.meta.game) {
      return absl::InvalidArgumentError(data.location() + "/" + entry.shard + ": its game is " +
                                        Quote(shard.meta.game) + "; expected " +
                                        Quote(summary.meta.game) + ", as for the first shard");
    }
    summary.Add(entry, shard);
  }
  Print(options.is_json ? InfoJson(summary, data.location()) : InfoText(summary, data.location()));
  return absl::OkStatus();
}

int RunInfo(const InfoOptions& options) {
  absl::Status usage = CheckPlace(options.place, "PLACE");
  usage.Update(CheckNumber("--opening", options.opening_plies, 1, kOpeningPliesMax));
  if (!usage.ok()) return UsageError(usage);
  const absl::Status status = ShowInfo(options);
  return status.ok() ? kExitDone : Fail(status);
}

void AddInfo(CLI::App* data, int* exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* const command = data->add_subcommand("info", "Count what there is.");
  AddPlace(command, &options->place);
  command
      ->add_option("--opening", options->opening_plies,
                   "By how many first plies openings are told apart")
      ->type_name("PLIES")
      ->capture_default_str();
  command->add_flag("--json", options->is_json, "One JSON object");
  command->footer("Example:\n  triarch data info ./data");
  SetRun(command, options, RunInfo, exit_code);
}

// ---- verify

struct VerifyOptions {
  std::string place;
  std::optional<std::string> shard;
};

absl::Status Verify(const VerifyOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.place));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, Chosen(data, options.shard));
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
    return absl::InvalidArgumentError(std::string(data.location()) +
                                      ": its manifest names no shards; expected one at least");
  }
  Print(Counted(counts.shards, "shard") + ", " + Counted(counts.games, "game") + ", " +
        Counted(counts.samples, "sample") + ": all true\n");
  if (options.shard) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int64_t unnamed, data.CountUnlistedFiles());
  if (unnamed > 0) {
    Print(Counted(unnamed, "file") + " under shards/ not named by the manifest, which " +
          (unnamed == 1 ? "does" : "do") + " not count\n");
  }
  return absl::OkStatus();
}

int RunVerify(const VerifyOptions& options) {
  const absl::Status usage = CheckPlace(options.place, "PLACE");
  if (!usage.ok()) return UsageError(usage);
  const absl::Status status = Verify(options);
  return status.ok() ? kExitDone : Fail(status);
}

void AddVerify(CLI::App* data, int* exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* const command = data->add_subcommand(
      "verify", "Check the manifest, every file, and every sample against the rules.");
  AddPlace(command, &options->place);
  AddShardOption(command, &options->shard, "This shard of the manifest alone");
  command->footer("Example:\n  triarch data verify ./data");
  SetRun(command, options, RunVerify, exit_code);
}

// ---- sample

struct SampleOptions {
  std::string place;
  std::optional<std::string> shard;
  std::optional<int64_t> number;
  std::optional<int64_t> count;
  uint64_t seed = 1;
  std::string color = "auto";
};

// Numbers below `all`, in their order: the one that is wanted, or some that are drawn.
absl::StatusOr<std::set<int64_t>> NumbersOf(const SampleOptions& options, int64_t all) {
  if (options.number && *options.number >= all) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: there is no sample %d; there are %d, counted from 0", options.place,
                        *options.number, all));
  }
  if (options.number) return std::set<int64_t>{*options.number};
  if (all == 0) return absl::InvalidArgumentError(options.place + ": there are no samples");
  // Floyd's way to draw so many different numbers.
  std::set<int64_t> numbers;
  Random random(options.seed);
  for (int64_t last = std::max<int64_t>(all - options.count.value_or(1), 0); last < all; ++last) {
    const auto drawn = static_cast<int64_t>(random.Unit() * static_cast<double>(last + 1));
    if (!numbers.insert(std::min(drawn, last)).second) numbers.insert(last);
  }
  return numbers;
}

absl::Status ShowSamples(const SampleOptions& options, bool is_colored) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.place));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, Chosen(data, options.shard));
  int64_t all = 0;
  for (const ShardEntry& entry : shards) all += entry.samples;
  ASSIGN_OR_RETURN(const std::set<int64_t> numbers, NumbersOf(options, all));
  int64_t before = 0;
  bool is_first = true;
  for (const ShardEntry& entry : shards) {
    auto at = numbers.lower_bound(before);
    const auto end = numbers.lower_bound(before + entry.samples);
    if (at != end) {
      ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
      for (; at != end; ++at) {
        const auto sample = static_cast<size_t>(*at - before);
        const absl::StatusOr<std::string> text = SampleText(shard, sample, is_colored);
        if (!text.ok()) {
          return absl::InvalidArgumentError(data.location() + "/" + entry.shard + ": " +
                                            std::string(text.status().message()));
        }
        Print(std::string(is_first ? "" : "\n") +
              absl::StrFormat("sample      %d of %s\n", sample, entry.shard) + *text);
        is_first = false;
      }
    }
    before += entry.samples;
  }
  return absl::OkStatus();
}

int RunSample(const SampleOptions& options) {
  absl::Status usage = CheckPlace(options.place, "PLACE");
  usage.Update(CheckNumber("--number", options.number.value_or(0), 0, INT64_MAX));
  usage.Update(CheckNumber("--count", options.count.value_or(1), 1, kCountMax));
  const absl::StatusOr<bool> is_colored = IsColored(options.color);
  usage.Update(is_colored.status());
  if (!usage.ok()) return UsageError(usage);
  const absl::Status status = ShowSamples(options, *is_colored);
  return status.ok() ? kExitDone : Fail(status);
}

void AddSample(CLI::App* data, int* exit_code) {
  auto options = std::make_shared<SampleOptions>();
  CLI::App* const command = data->add_subcommand(
      "sample", "Look at samples: the board, the moves with their shares, the numbers.");
  AddPlace(command, &options->place);
  AddShardOption(command, &options->shard, "Samples of this shard of the manifest alone");
  CLI::Option* const number =
      command
          ->add_option("--number", options->number,
                       "The sample with this number, counted from 0 in the shard,\n"
                       "or through all of them")
          ->type_name("N");
  command->add_option("--count", options->count, "How many are drawn (1)")
      ->type_name("K")
      ->excludes(number);
  command->add_option("--seed", options->seed, "What they are drawn by")
      ->type_name("S")
      ->capture_default_str()
      ->excludes(number);
  AddColorOption(command, &options->color);
  command->footer(
      "Examples:\n"
      "  triarch data sample ./data --count 3 --seed 7\n"
      "  triarch data sample ./data --number 12041");
  SetRun(command, options, RunSample, exit_code);
}

// ---- export

struct ExportOptions {
  std::string place;
  std::optional<std::string> to;
  std::string format = "jsonl";
  std::optional<int64_t> shard_samples;
  std::optional<std::string> compression;
};

absl::Status ExportLines(const ExportOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.place));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(*options.to));
  for (const ShardEntry& entry : data.entries()) {
    ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
    absl::Status written;
    const absl::Status status = ForEachSampleLine(
        shard, [&](const std::string& line) { return written = file.Write(line); });
    RETURN_IF_ERROR(written);
    if (!status.ok()) {
      return absl::InvalidArgumentError(data.location() + "/" + entry.shard + ": " +
                                        std::string(status.message()));
    }
  }
  return file.Commit();
}

absl::Status ExportShards(const ExportOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.place));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> to, OpenBlobStore(*options.to));
  RepackOptions repack;
  if (options.shard_samples) repack.shard_samples = *options.shard_samples;
  if (options.compression == "stored") repack.compression = Compression::kStored;
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> entries, Repack(data, repack, *to));
  int64_t samples = 0;
  int64_t bytes = 0;
  for (const ShardEntry& entry : entries) {
    samples += entry.samples;
    bytes += entry.bytes;
  }
  Print(absl::StrFormat("%s in %s, %d bytes, in %s\n", Counted(samples, "sample"),
                        Counted(entries.size(), "shard"), bytes, to->Describe()));
  return absl::OkStatus();
}

absl::Status CheckExport(const ExportOptions& options) {
  RETURN_IF_ERROR(CheckPlace(options.place, "PLACE"));
  const bool is_npz = options.format == "npz";
  if (!is_npz && options.format != "jsonl") {
    return absl::InvalidArgumentError("--format: expected jsonl or npz, not " +
                                      Quote(options.format));
  }
  if (options.to->empty()) {
    return absl::InvalidArgumentError(is_npz ? "--to: a folder or s3://… was expected"
                                             : "--to: the name of a file was expected");
  }
  if (is_npz) RETURN_IF_ERROR(CheckPlace(*options.to, "--to"));
  if (is_npz && *options.to == "-") {
    return absl::InvalidArgumentError("--to: shards go to a folder or s3://…, not to -");
  }
  if (!is_npz && (options.shard_samples || options.compression)) {
    return absl::InvalidArgumentError(
        std::string(options.shard_samples ? "--shard-samples" : "--compression") +
        ": it is for --format npz alone");
  }
  if (options.compression && options.compression != "deflate" && options.compression != "stored") {
    return absl::InvalidArgumentError("--compression: expected deflate or stored, not " +
                                      Quote(*options.compression));
  }
  return CheckNumber("--shard-samples", options.shard_samples.value_or(1), 1, kShardSamplesMax);
}

int RunExport(const ExportOptions& options) {
  const absl::Status usage = CheckExport(options);
  if (!usage.ok()) return UsageError(usage);
  const absl::Status status =
      options.format == "npz" ? ExportShards(options) : ExportLines(options);
  return status.ok() ? kExitDone : Fail(status);
}

void AddExport(CLI::App* data, int* exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* const command = data->add_subcommand(
      "export", "Write the samples as lines of JSON, or as shards of another size.");
  AddPlace(command, &options->place);
  AddTextOption(command, "--to", &options->to,
                "Where to: of jsonl a file, - is standard output;\n"
                "of npz a folder or s3://… that has no data yet")
      ->type_name("OUT")
      ->required();
  command->add_option("--format", options->format, "jsonl: a sample a line; npz: shards")
      ->type_name("FORMAT")
      ->capture_default_str();
  command
      ->add_option("--shard-samples", options->shard_samples,
                   "npz: a shard ends with the game that reaches so many (200000)")
      ->type_name("N");
  AddTextOption(command, "--compression", &options->compression, "npz: deflate (default) or stored")
      ->type_name("HOW");
  command->footer(
      "Examples:\n"
      "  triarch data export ./data --to samples.jsonl\n"
      "  triarch data export ./data --to ./large --format npz --shard-samples 1000000");
  SetRun(command, options, RunExport, exit_code);
}

}  // namespace

void AddDataCommands(CLI::App& app, int* exit_code) {
  CLI::App* const data =
      app.add_subcommand("data", "Look at, check and export the samples that self-play wrote.");
  data->require_subcommand(1);
  AddInfo(data, exit_code);
  AddVerify(data, exit_code);
  AddSample(data, exit_code);
  AddExport(data, exit_code);
  data->footer(
      "Examples:\n"
      "  triarch data info ./data\n"
      "  triarch data verify ./data\n"
      "`triarch data COMMAND --help` explains one.");
}

}  // namespace triarch
