// Fuzzes shards by changing bytes of their arrays.

#include <map>
#include <string>

#include "selfplay/shard/npz.h"
#include "selfplay/shard/shard.h"
#include "selfplay/shard/small_shard.h"
#include "tests/fuzz/fuzz.h"

namespace triarch {
namespace {

using Files = std::map<std::string, std::string>;

const Files& SmallArrays() {
  static const Files kFiles = *ReadNpz(*WriteShard(MakeSmallShard(), Compression::kStored));
  return kFiles;
}

}  // namespace
}  // namespace triarch

// Every three bytes of input select an array, an offset from its end, and a new value (128 or more
// in the first byte: truncate there). Changes the arrays rather than the zip, because its checksums
// would reject most changes.
FUZZ_TEXT(text) {
  using namespace triarch;
  Files files = SmallArrays();
  for (; text.size() >= 3; text.remove_prefix(3)) {
    const auto number = static_cast<unsigned char>(text[0]);
    auto file = files.begin();
    std::advance(file, number % files.size());
    std::string& bytes = file->second;
    const size_t back = static_cast<unsigned char>(text[1]);
    if (back >= bytes.size()) continue;
    bytes[bytes.size() - 1 - back] = text[2];
    if (number >= 128) bytes.resize(bytes.size() - back);
  }
  const absl::StatusOr<Shard> shard = ReadShardArrays(files);
  if (!shard.ok()) {
    CHECK(shard.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(shard.status().message().substr(0, 6) == "array ");
    return;
  }
  const absl::StatusOr<std::string> written = WriteShard(*shard, Compression::kStored);
  CHECK(written.ok());
  const absl::StatusOr<Shard> again = ReadShard(*written);
  CHECK(again.ok() && *again == *shard);
}
