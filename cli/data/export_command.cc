// Implements `triarch data export`: rewrites self-play data as lines of JSON or as other shards.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/data/data_options.h"
#include "cli/data/data_samples.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "selfplay/dataset/repack.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {
namespace {

constexpr int64_t kShardSamplesMax = 4'000'000;

struct ExportOptions {
  std::string location;
  std::string to;
  std::string format = "jsonl";
  std::optional<int64_t> shard_samples;
  std::string compression;
};

absl::Status ExportLines(const ExportOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.location));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(options.to, kJsonLinesFile));
  for (const ShardEntry& entry : data.entries()) {
    ASSIGN_OR_RETURN(const Shard shard, data.Read(entry));
    absl::Status written;
    const absl::Status status = ForEachSampleLine(
        shard, [&](const std::string& line) { return written = file.Write(line); });
    RETURN_IF_ERROR(written);
    if (!status.ok()) return InShard(data, entry, status);
  }
  return file.Commit();
}

absl::Status ExportShards(const ExportOptions& options) {
  ASSIGN_OR_RETURN(const DataSet data, OpenData(options.location));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> to, OpenBlobStore(options.to));
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

// Returns whether the file lies in the folder of the data set.
bool IsInside(const std::string& file, const std::string& folder) {
  std::error_code error;
  const auto inner = std::filesystem::weakly_canonical(file, error);
  const auto outer = std::filesystem::canonical(folder, error);  // fails for s3://…
  if (error) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

absl::Status CheckExport(const ExportOptions& options) {
  if (options.format == "jsonl") {
    if (options.to.empty()) {
      return absl::InvalidArgumentError("--to: expected the name of a file");
    }
    if (options.to != "-" && IsInside(options.to, options.location)) {
      return absl::InvalidArgumentError("--to: " + options.to +
                                        " is in the folder of the data set; expected another one");
    }
    if (!options.shard_samples && options.compression.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        std::string(options.shard_samples ? "--shard-samples" : "--compression") +
        " needs --format npz");
  }
  if (options.to == "-") {
    return absl::InvalidArgumentError("--to: expected a folder or s3://BUCKET/PREFIX, not -");
  }
  const absl::Status location = CheckLocation(options.to);
  if (location.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError("--to: " + std::string(location.message()));
}

int RunExport(const ExportOptions& options) {
  const absl::Status usage = CheckExport(options);
  if (!usage.ok()) return UsageError(usage);
  return Finish(options.format == "npz" ? ExportShards(options) : ExportLines(options));
}

}  // namespace

void AddExportCommand(const Command& data) {
  auto options = std::make_shared<ExportOptions>();
  const Command command = data.AddCommand(
      "export", "Write the samples as lines of JSON, or as shards of another size.");
  AddLocation(command, &options->location);
  command
      .AddText({"--to", "OUT",
                "Write to OUT: for jsonl a file, where - means standard output;\n"
                "for npz a folder or s3://BUCKET/PREFIX without data"},
               &options->to)
      .Required();
  command.AddChoice({"--format", "FORMAT", "Write jsonl (one sample per line) or npz (shards)"},
                    {"jsonl", "npz"}, &options->format);
  command.AddNumber({"--shard-samples", "N",
                     "For npz: end a shard with the game that reaches N samples\n"
                     "(default: 200000)"},
                    {1, kShardSamplesMax}, &options->shard_samples);
  command.AddChoice({"--compression", "HOW", "For npz: deflate (the default) or stored"},
                    {"deflate", "stored"}, &options->compression);
  command.Footer(
      "Examples:\n"
      "  triarch data export ./data --to samples.jsonl\n"
      "  triarch data export ./data --to ./large --format npz --shard-samples 1000000");
  command.OnRun(options, RunExport);
}

}  // namespace triarch
