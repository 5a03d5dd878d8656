#ifndef TRIARCH_CORE_RECORD_SHARD_ENTRY_H_
#define TRIARCH_CORE_RECORD_SHARD_ENTRY_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace triarch {

// What is known of a shard, a file of samples of self-play: a line of its run's manifest.
struct ShardEntry {
  std::string shard = {};   // its name in the sink: "shards/000000001000-9f3c….npz"
  std::string sha256 = {};  // of the file
  int64_t samples = 0;
  int64_t bytes = 0;  // of the file
  int64_t games = 0;
  int64_t first = 0;       // index of its first game in the tournament
  int64_t last = 0;        // of its last one
  int64_t format = 0;      // of the file: kShardFormat
  std::string game = {};   // "triumvirate"
  std::string spec = {};   // SHA-256 of the tournament's identity
  std::string build = {};  // of the worker that wrote it

  friend bool operator==(const ShardEntry&, const ShardEntry&) = default;
};

// Whether a worker may call a shard so: shards/ and digits, small letters and dashes, .npz.
bool IsShardName(std::string_view text);
// Whether it is 64 digits of a hexadecimal number, in small letters.
bool IsSha256(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SHARD_ENTRY_H_
