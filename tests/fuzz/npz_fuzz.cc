// Fuzzes NPZ files: they never expand beyond the limit.

#include "selfplay/shard/npz.h"
#include "selfplay/shard/shard.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  constexpr size_t kBytesMax = 1 << 20;
  const absl::StatusOr<std::map<std::string, std::string>> files =
      triarch::ReadNpz(text, kBytesMax);
  if (!files.ok()) return;
  size_t bytes = 0;
  for (const auto& [name, file] : *files) bytes += file.size();
  CHECK(bytes <= kBytesMax && files->size() <= triarch::kNpzArraysMax);
  const absl::StatusOr<triarch::Shard> shard = triarch::ReadShard(text);
  CHECK(!shard.ok() || triarch::CheckShard(*shard).ok());
}
