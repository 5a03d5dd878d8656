// Describes a shard of self-play data: one line of its run's manifest.

#ifndef TRIARCH_CORE_RECORD_SHARD_ENTRY_H_
#define TRIARCH_CORE_RECORD_SHARD_ENTRY_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace triarch {

struct ShardEntry {
  std::string shard = {};   // its name in the blob store: "shards/000000001000-9f3c….npz"
  std::string sha256 = {};  // of the file
  int64_t samples = 0;
  int64_t bytes = 0;  // of the file
  int64_t games = 0;
  int64_t first = 0;       // index of its first game in the tournament
  int64_t last = 0;        // index of its last game
  int64_t format = 0;      // the file's format: kShardFormat
  std::string game = {};   // "triumvirate"
  std::string spec = {};   // SHA-256 of the tournament's identity
  std::string build = {};  // the build of the worker that wrote it

  friend bool operator==(const ShardEntry&, const ShardEntry&) = default;
};

// Returns whether the text is a shard's name: "shards/", then digits, lower-case letters and
// dashes, then ".npz".
bool IsShardName(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SHARD_ENTRY_H_
