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

// An entry as a line of manifest.jsonl, without its end.
std::string ManifestLine(const ShardEntry& entry);

// Reads a line. InvalidArgument: the key, and what was expected.
absl::StatusOr<ShardEntry> ParseManifestLine(std::string_view line);

// Reads a whole file, whose name is for messages. InvalidArgument: "FILE:LINE: what is wrong".
absl::StatusOr<std::vector<ShardEntry>> ParseManifest(std::string_view text, std::string_view file);

// What ShardEntry::spec says of a tournament: SHA-256 of what makes it itself.
std::string SpecDigest(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_MANIFEST_H_
