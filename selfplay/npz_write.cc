// What writes NPZ files; the one unit that sees libdeflate.

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "selfplay/npz.h"

namespace triarch {
namespace {

static_assert(kNpzBytesMax < std::numeric_limits<uint32_t>::max() / 4 * 3, "sizes have 32 bits");

constexpr uint32_t kLocalSign = 0x04034b50;
constexpr uint32_t kCentralSign = 0x02014b50;
constexpr uint32_t kEndSign = 0x06054b50;
constexpr uint16_t kVersion = 20;  // 2.0: deflate
constexpr uint16_t kNamesAreUtf8 = 1 << 11;
constexpr uint16_t kMethodStored = 0;
constexpr uint16_t kMethodDeflate = 8;
// 1980-01-01 00:00:00, the first that a zip can say: files do not tell when they were made.
constexpr uint16_t kNoTime = 0;
constexpr uint16_t kNoDate = 0x21;
constexpr size_t kLocalSize = 30;    // bytes of a header, but for its name
constexpr size_t kCentralSize = 46;  // likewise
constexpr size_t kEndSize = 22;      // all of it
constexpr size_t kStoredBlockMax = 0xffff;

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};
struct Free {
  void operator()(char* memory) const { std::free(memory); }
};

void Append16(size_t number, std::string* bytes) {
  *bytes += static_cast<char>(number & 255);
  *bytes += static_cast<char>(number >> 8 & 255);
}

void Append32(size_t number, std::string* bytes) {
  Append16(number, bytes);
  Append16(number >> 16, bytes);
}

// A file of the zip.
struct Entry {
  std::string name;
  uint16_t method = kMethodStored;
  uint32_t checksum = 0;
  size_t packed = 0;  // bytes in the zip
  size_t size = 0;    // and those of the NPY file
  size_t offset = 0;  // of its local header
};

// What the headers at the file and at the end have in common.
void AppendFields(const Entry& entry, std::string* zip) {
  Append16(kVersion, zip);
  Append16(kNamesAreUtf8, zip);
  Append16(entry.method, zip);
  Append16(kNoTime, zip);
  Append16(kNoDate, zip);
  Append32(entry.checksum, zip);
  Append32(entry.packed, zip);
  Append32(entry.size, zip);
  Append16(entry.name.size(), zip);
  Append16(0, zip);  // nothing beyond
}

void AppendLocal(const Entry& entry, std::string* zip) {
  Append32(kLocalSign, zip);
  AppendFields(entry, zip);
  *zip += entry.name;
}

void AppendCentral(const Entry& entry, std::string* zip) {
  Append32(kCentralSign, zip);
  Append16(kVersion, zip);  // of the maker
  AppendFields(entry, zip);
  Append16(0, zip);  // no comment
  Append16(0, zip);  // the one disk
  Append16(0, zip);  // binary
  Append32(0, zip);  // no attributes
  Append32(entry.offset, zip);
  *zip += entry.name;
}

void AppendEnd(size_t entries, size_t central, std::string* zip) {
  const size_t size = zip->size() - central;
  Append32(kEndSign, zip);
  Append16(0, zip);  // the one disk
  Append16(0, zip);
  Append16(entries, zip);
  Append16(entries, zip);
  Append32(size, zip);
  Append32(central, zip);
  Append16(0, zip);  // no comment
}

// Deflates an array as a whole, into memory that serves for all of them.
class Deflater {
 public:
  // `largest`: bytes of an array at most.
  Deflater(int level, size_t largest)
      : compressor_(libdeflate_alloc_compressor(level)),
        room_(largest),
        memory_(static_cast<char*>(std::malloc(largest + 1))) {
    CHECK(compressor_ != nullptr && memory_ != nullptr);
  }

  // Empty if it does not become smaller.
  std::string_view Deflate(std::string_view data) {
    CHECK(data.size() <= room_);
    if (data.empty()) return {};
    const size_t size = libdeflate_deflate_compress(compressor_.get(), data.data(), data.size(),
                                                    memory_.get(), data.size());
    return {memory_.get(), size};
  }

 private:
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor_;
  const size_t room_;
  const std::unique_ptr<char, Free> memory_;
};

// A block of deflate that holds the bytes as they are; others follow. So what stands before an
// array need not be copied to where the array lies.
std::string StoredBlock(std::string_view bytes) {
  CHECK(bytes.size() <= kStoredBlockMax);
  std::string block(1, '\0');  // neither the last nor compressed
  Append16(bytes.size(), &block);
  Append16(~bytes.size(), &block);
  return block.append(bytes);
}

// Of bytes that follow upon those of another one; libdeflate takes bytes at null for a new
// beginning.
uint32_t Checksum(std::string_view bytes, uint32_t before) {
  return bytes.empty() ? before : libdeflate_crc32(before, bytes.data(), bytes.size());
}

// Null: the array is stored.
Entry AppendEntry(const NamedArray& named, Deflater* deflater, std::string* zip) {
  const std::string_view data = named.array.data;
  std::string head = NpyHeader(named.array.type, named.array.shape);
  Entry entry{.name = named.name + std::string(kNpySuffix),
              .size = head.size() + data.size(),
              .offset = zip->size()};
  entry.checksum = Checksum(data, Checksum(head, 0));
  std::string_view body = data;
  if (deflater != nullptr) {
    const std::string_view deflated = deflater->Deflate(data);
    if (!deflated.empty()) {
      entry.method = kMethodDeflate;
      head = StoredBlock(head);
      body = deflated;
    }
  }
  entry.packed = head.size() + body.size();
  AppendLocal(entry, zip);
  zip->append(head).append(body);
  return entry;
}

// Bytes of the file when nothing is deflated.
size_t StoredSize(const std::vector<NamedArray>& arrays) {
  size_t size = kEndSize;
  for (const NamedArray& named : arrays) {
    size += kLocalSize + kCentralSize + 2 * (named.name.size() + kNpySuffix.size()) +
            NpyHeader(named.array.type, named.array.shape).size() + named.array.data.size();
  }
  return size;
}

}  // namespace

absl::StatusOr<std::string> WriteNpz(const std::vector<NamedArray>& arrays, int level,
                                     std::string memory) {
  CHECK(!arrays.empty() && level >= kNpzStored && level <= 9 && arrays.size() <= kNpzArraysMax);
  size_t size = 0;
  size_t largest = 0;
  for (const NamedArray& named : arrays) {
    size += named.array.data.size();
    largest = std::max(largest, named.array.data.size());
  }
  if (size > kNpzBytesMax) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "the arrays have %d bytes together; expected at most %d", size, kNpzBytesMax));
  }
  std::string zip = std::move(memory);
  zip.clear();
  std::optional<Deflater> deflater;
  if (level == kNpzStored) {
    zip.reserve(StoredSize(arrays));
  } else {
    deflater.emplace(level, largest);
  }
  std::vector<Entry> entries;
  for (const NamedArray& named : arrays) {
    entries.push_back(AppendEntry(named, deflater ? &*deflater : nullptr, &zip));
  }
  const size_t central = zip.size();
  for (const Entry& entry : entries) AppendCentral(entry, &zip);
  AppendEnd(entries.size(), central, &zip);
  return zip;
}

}  // namespace triarch
