// Reads and writes named NumPy arrays as one NPZ file (numpy.savez, numpy.load).

#ifndef TRIARCH_SELFPLAY_SHARD_NPZ_H_
#define TRIARCH_SELFPLAY_SHARD_NPZ_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/shard/npy.h"

namespace triarch {

struct NamedArray {
  std::string name;
  NpyArray array;
};

// Limit on the total size of the arrays, for reading and writing.
inline constexpr size_t kNpzBytesMax = size_t{2} << 30;
inline constexpr size_t kNpzArraysMax = 256;
inline constexpr int kNpzStored = 0;
inline constexpr std::string_view kNpySuffix = ".npy";  // extension of the files in the zip

// Writes at least one array. Equal arrays produce equal bytes. `level` is a deflate level from 1 to
// 9, or kNpzStored; an array that deflate does not shrink is stored. The memory of `memory` is
// reused for the result. Fails with ResourceExhausted above kNpzBytesMax.
absl::StatusOr<std::string> WriteNpz(const std::vector<NamedArray>& arrays, int level,
                                     std::string memory = {});

// Returns the NPY file of each array (for ReadNpy), by name. Safe for untrusted input: the result
// holds at most bytes_max bytes, no declared size exceeds what deflate can produce, and checksums
// are verified. Fails with InvalidArgument.
absl::StatusOr<std::map<std::string, std::string>> ReadNpz(std::string_view bytes,
                                                           size_t bytes_max = kNpzBytesMax);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_NPZ_H_
