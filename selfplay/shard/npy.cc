#include "selfplay/shard/npy.h"

#include <array>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr size_t kLengthSize = 2;
constexpr size_t kAlignment = 64;      // as NumPy does, so that files can be memory-mapped
constexpr size_t kWidthMax = 1 << 20;  // bytes of an element of type S
constexpr size_t kAxesMax = 8;
constexpr std::array kTypes = {NpyType{'u', 1}, NpyType{'u', 2}, NpyType{'u', 4}, NpyType{'i', 4},
                               NpyType{'i', 8}, NpyType{'f', 2}, NpyType{'f', 4}};

absl::Status NotNpy(const std::string& what) {
  return absl::InvalidArgumentError("not an NPY file: " + what);
}

// Tokenizes a header: "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), }".
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  bool Take(char sign) {
    SkipSpaces();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool TakeWord(std::string_view word) {
    SkipSpaces();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string_view> TakeQuoted() {
    SkipSpaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::optional<size_t> TakeNumber() {
    SkipSpaces();
    size_t count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') ++count;
    const std::optional<uint64_t> number = ParseUint64(rest_.substr(0, count));
    if (number) rest_.remove_prefix(count);
    return number;
  }
  bool IsAtEnd() {
    SkipSpaces();
    return rest_.empty();
  }

 private:
  void SkipSpaces() {
    while (rest_.starts_with(' ') || rest_.starts_with('\n')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

std::optional<NpyType> ParseType(std::string_view text) {
  for (const NpyType& type : kTypes) {
    if (text == ToString(type)) return type;
  }
  if (!text.starts_with("|S")) return std::nullopt;
  const std::optional<uint64_t> width = ParseUint64(text.substr(2));
  if (!width || *width == 0 || *width > kWidthMax) return std::nullopt;
  return NpyType{'S', *width};
}

std::optional<std::vector<size_t>> TakeShape(HeaderReader& reader) {
  std::vector<size_t> shape;
  if (!reader.Take('(')) return std::nullopt;
  while (!reader.Take(')')) {
    const std::optional<size_t> extent = reader.TakeNumber();
    if (!extent || shape.size() == kAxesMax) return std::nullopt;
    shape.push_back(*extent);
    // Python's tuple syntax: the last comma is optional, except in a tuple of one.
    const bool has_comma = reader.Take(',');
    if (has_comma) continue;
    if (shape.size() == 1 || !reader.Take(')')) return std::nullopt;
    break;
  }
  return shape;
}

// A parsed header. Each key occurs once.
struct Header {
  std::optional<NpyType> type;
  std::optional<std::vector<size_t>> shape;
  bool has_order = false;
};

absl::Status TakeEntry(HeaderReader& reader, Header* header) {
  const std::optional<std::string_view> key = reader.TakeQuoted();
  if (!key || !reader.Take(':')) return NotNpy("the header is not a dictionary");
  if (*key == "descr" && !header->type) {
    const std::optional<std::string_view> descr = reader.TakeQuoted();
    if (descr) header->type = ParseType(*descr);
    if (header->type) return absl::OkStatus();
    return NotNpy("the type is " + (descr ? Quote(*descr) : "not a string") +
                  "; expected |u1, <u2, <u4, <i4, <i8, <f2, <f4 or |S with a width");
  }
  if (*key == "fortran_order" && !header->has_order) {
    header->has_order = true;
    if (reader.TakeWord("False")) return absl::OkStatus();
    return NotNpy("'fortran_order' is not False; expected C order");
  }
  if (*key == "shape" && !header->shape) {
    header->shape = TakeShape(reader);
    if (header->shape) return absl::OkStatus();
    return NotNpy(absl::StrFormat("'shape' is not a tuple of at most %d numbers", int{kAxesMax}));
  }
  return NotNpy("the header has the key " + Quote(*key) +
                "; expected descr, fortran_order and shape, once each");
}

absl::StatusOr<Header> ReadHeader(std::string_view text) {
  Header header;
  HeaderReader reader(text);
  if (!reader.Take('{')) return NotNpy("the header is not a dictionary");
  while (!reader.Take('}')) {
    RETURN_IF_ERROR(TakeEntry(reader, &header));
    if (reader.Take(',')) continue;
    if (!reader.Take('}')) return NotNpy("the header is not a dictionary");
    break;
  }
  if (!reader.IsAtEnd()) return NotNpy("the header continues after the dictionary");
  if (!header.type || !header.shape || !header.has_order) {
    return NotNpy("the header lacks a key; expected descr, fortran_order and shape");
  }
  return header;
}

// Returns the size of the data in bytes, or nullopt if it overflows.
std::optional<size_t> SizeOf(const NpyType& type, const std::vector<size_t>& shape) {
  size_t size = type.width;
  for (const size_t extent : shape) {
    if (__builtin_mul_overflow(size, extent, &size)) return std::nullopt;
  }
  return size;
}

}  // namespace

std::string ToString(const NpyType& type) {
  const char order = type.width == 1 || type.kind == 'S' ? '|' : '<';
  return std::string{order, type.kind} + std::to_string(type.width);
}

std::string ShapeText(const std::vector<size_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string NpyHeader(const NpyType& type, const std::vector<size_t>& shape) {
  std::string text = "{'descr': '" + ToString(type) +
                     "', 'fortran_order': False, 'shape': " + ShapeText(shape) + ", }";
  const size_t before = kMagic.size() + kLengthSize;
  while ((before + text.size() + 1) % kAlignment != 0) text += ' ';
  text += '\n';
  CHECK(text.size() <= 0xffff);
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

absl::StatusOr<NpyArray> ReadNpy(std::string_view bytes) {
  if (!bytes.starts_with(kMagic.substr(0, 6))) return NotNpy("wrong magic number");
  if (!bytes.starts_with(kMagic)) return NotNpy("expected format 1.0");
  const size_t before = kMagic.size() + kLengthSize;
  if (bytes.size() < before) return NotNpy("it is truncated");
  const size_t length = static_cast<unsigned char>(bytes[kMagic.size()]) |
                        static_cast<size_t>(static_cast<unsigned char>(bytes[before - 1])) << 8;
  if (bytes.size() - before < length) return NotNpy("it is truncated");
  ASSIGN_OR_RETURN(Header header, ReadHeader(bytes.substr(before, length)));
  NpyArray array{*header.type, *std::move(header.shape), bytes.substr(before + length)};
  if (SizeOf(array.type, array.shape) != array.data.size()) {
    return NotNpy(absl::StrFormat("%d bytes of data do not match %s of %s", array.data.size(),
                                  ShapeText(array.shape), ToString(array.type)));
  }
  return array;
}

}  // namespace triarch
