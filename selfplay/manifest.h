#ifndef TRIARCH_SELFPLAY_MANIFEST_H_
#define TRIARCH_SELFPLAY_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace triarch {

// What is said of a shard beside it: a line of manifest.jsonl.
struct ManifestEntry {
  std::string shard;   // its name in the sink: "shards/12-000000001000-9f3c.npz"
  std::string sha256;  // of the file
  int64_t samples = 0;
  int64_t bytes = 0;  // of the file
  int64_t games = 0;
  int64_t first = 0;   // index of its first game in the tournament
  int64_t last = 0;    // of its last one
  int64_t format = 0;  // kShardFormat
  std::string game;    // "triumvirate"
  std::string spec;    // digest of the tournament's spec
  std::string build;   // of the worker that wrote it

  friend bool operator==(const ManifestEntry&, const ManifestEntry&) = default;
};

// One line, without its end.
std::string ManifestLine(const ManifestEntry& entry);

// Reads a line. InvalidArgument: the key, and what was expected.
absl::StatusOr<ManifestEntry> ParseManifestLine(std::string_view line);

// Reads a whole file, whose name is for messages. InvalidArgument: "FILE:LINE: what is wrong".
absl::StatusOr<std::vector<ManifestEntry>> ParseManifest(std::string_view text,
                                                         std::string_view file);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_MANIFEST_H_
