#ifndef TRIARCH_SELFPLAY_SHARD_NPZ_H_
#define TRIARCH_SELFPLAY_SHARD_NPZ_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/shard/npy.h"

// Named NumPy arrays as one file, a zip of NPY files: what numpy.load and numpy.savez call .npz.
namespace triarch {

struct NamedArray {
  std::string name;
  NpyArray array;
};

// Of all arrays together. A zip could have more; we neither write nor read it.
inline constexpr size_t kNpzBytesMax = size_t{2} << 30;
inline constexpr size_t kNpzArraysMax = 256;
inline constexpr int kNpzStored = 0;
inline constexpr std::string_view kNpySuffix = ".npy";  // of the files in it

// The same arrays (one at least) give the same bytes. `level` is that of deflate, 1 to 9, or
// kNpzStored; arrays that deflate does not make smaller are stored. `memory` is a string whose
// memory may be used again. ResourceExhausted: more than kNpzBytesMax.
absl::StatusOr<std::string> WriteNpz(const std::vector<NamedArray>& arrays, int level,
                                     std::string memory = {});

// The NPY file of each array (for ReadNpy), by its name. Nothing of the file is believed: it gives
// at most bytes_max, no array is larger than deflate could have made it, and checksums must hold.
// InvalidArgument: what is wrong.
absl::StatusOr<std::map<std::string, std::string>> ReadNpz(std::string_view bytes,
                                                           size_t bytes_max = kNpzBytesMax);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_NPZ_H_
