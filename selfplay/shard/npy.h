// Reads and writes one NumPy array in the NPY format (version 1.0, little endian, C order).

#ifndef TRIARCH_SELFPLAY_SHARD_NPY_H_
#define TRIARCH_SELFPLAY_SHARD_NPY_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/check.h"
#include "selfplay/shard/half.h"

namespace triarch {

static_assert(std::endian::native == std::endian::little,
              "columns are written as they are in memory");

// Element type of an array.
struct NpyType {
  char kind = 'u';   // u: unsigned, i: signed, f: floating-point, S: bytes
  size_t width = 1;  // bytes of an element

  friend bool operator==(const NpyType&, const NpyType&) = default;
};

// Returns NumPy's name for the type: "|u1", "<i8", "|S20".
std::string ToString(const NpyType& type);

// A view of an array. `data` holds as many elements as the product of `shape`.
struct NpyArray {
  NpyType type;
  std::vector<size_t> shape;  // {} for a scalar
  std::string_view data;
};

// Returns the shape as text: "(3, 96)".
std::string ShapeText(const std::vector<size_t>& shape);

// Returns the bytes of the file that precede the data.
std::string NpyHeader(const NpyType& type, const std::vector<size_t>& shape);

// Parses a file of type u1, u2, u4, i4, i8, f2, f4 or S. The result points into `bytes`. Fails with
// InvalidArgument, saying what is wrong and what was expected.
absl::StatusOr<NpyArray> ReadNpy(std::string_view bytes);

template <class T>
constexpr NpyType NpyTypeOf() {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, Half>);
  if (std::is_floating_point_v<T> || std::is_same_v<T, Half>) return {'f', sizeof(T)};
  return {std::is_signed_v<T> ? 'i' : 'u', sizeof(T)};
}

// Returns a view of the values. Requires: `shape` matches their number.
template <class T>
NpyArray NpyOf(const std::vector<T>& values, std::vector<size_t> shape) {
  size_t count = 1;
  for (const size_t extent : shape) count *= extent;
  CHECK(count == values.size());
  return {.type = NpyTypeOf<T>(),
          .shape = std::move(shape),
          .data = {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}};
}

// Returns a copy of the values. Requires: the array has type T.
template <class T>
std::vector<T> ValuesOf(const NpyArray& array) {
  CHECK(array.type == NpyTypeOf<T>());
  std::vector<T> values(array.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_NPY_H_
