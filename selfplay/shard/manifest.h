// Reads and writes manifest.jsonl, the list of a run's shards.

#ifndef TRIARCH_SELFPLAY_SHARD_MANIFEST_H_
#define TRIARCH_SELFPLAY_SHARD_MANIFEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"

namespace triarch {

inline constexpr std::string_view kManifestName = "manifest.jsonl";

// Returns an entry as one line of manifest.jsonl, without the newline.
std::string ManifestLine(const ShardEntry& entry);

// Parses one line. Fails with InvalidArgument, naming the key and the expected value.
absl::StatusOr<ShardEntry> ParseManifestLine(std::string_view line);

// Parses a whole file; `file` is its name for messages. Fails with InvalidArgument: "FILE:LINE:
// what is wrong".
absl::StatusOr<std::vector<ShardEntry>> ParseManifest(std::string_view text, std::string_view file);

// Returns the prefix of the names of a run's shards: "shards/0123456789abcdef-".
std::string ShardPrefix(std::string_view run);

// Returns ShardEntry::spec for a tournament: a SHA-256 over the fields that identify it.
std::string SpecDigest(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_MANIFEST_H_
