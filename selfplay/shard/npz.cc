// Only this file includes the headers of libzip and libdeflate.

#include "selfplay/shard/npz.h"

#include <libdeflate.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::string_view kSuffix = kNpySuffix;
// Upper limit on the compression ratio of deflate (1 032), with a margin for tiny files.
constexpr size_t kRatioMax = 1'100;
// 1980-01-01 00:00:00, the earliest time in a zip: files do not record when they were written.
constexpr zip_uint16_t kNoTime = 0;
constexpr zip_uint16_t kNoDate = 0x21;
constexpr size_t kStoredBlockMax = 0xffff;

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};
struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using ArchiveFile = std::unique_ptr<zip_file_t, CloseFile>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_;
};

// ---- Writing. Only memory allocation can fail.

absl::Status NoMemory(const std::string& why) {
  return absl::ResourceExhaustedError("the arrays cannot be written: " + why);
}

// Deflates whole arrays with libdeflate, which takes half the time of libzip's zlib.
class Deflater {
 public:
  // `largest` is the size of the largest array in bytes.
  Deflater(int level, size_t largest)
      : compressor_(libdeflate_alloc_compressor(level)),
        room_(largest),
        memory_(std::make_unique_for_overwrite<char[]>(largest)) {
    CHECK(compressor_ != nullptr);
  }

  // Returns an empty view if the data does not become smaller.
  std::string_view Deflate(std::string_view data) {
    CHECK(data.size() <= room_);
    return {memory_.get(), libdeflate_deflate_compress(compressor_.get(), data.data(), data.size(),
                                                       memory_.get(), data.size())};
  }

 private:
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor_;
  const size_t room_;
  const std::unique_ptr<char[]> memory_;
};

// Returns a non-final deflate block that stores the bytes uncompressed. It holds the NPY header, so
// that the header need not be copied in front of the array.
std::string StoredBlock(std::string_view bytes) {
  CHECK(bytes.size() <= kStoredBlockMax);
  const size_t size = bytes.size();
  std::string block(1, '\0');  // BFINAL = 0, BTYPE = stored
  for (const size_t number : {size, ~size}) {
    block += static_cast<char>(number & 255);
    block += static_cast<char>(number >> 8 & 255);
  }
  return block.append(bytes);
}

// An NPY file to be read by libzip.
struct Entry {
  // If stored: the two parts of the file, not copied.
  std::string header;
  std::array<zip_buffer_fragment_t, 2> fragments;
  // If deflated:
  std::string packed;
  size_t read = 0;  // bytes of `packed` read so far
  size_t size = 0;  // size of the uncompressed file
  uint32_t checksum = 0;
};

void SetFragment(zip_buffer_fragment_t* fragment, std::string_view bytes) {
  // libzip does not write to a source buffer, although its type is not const.
  fragment->data = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data()));
  fragment->length = bytes.size();
}

// The libzip source callback for an entry that is already deflated.
zip_int64_t AnswerDeflated(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Entry& entry = *static_cast<Entry*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN:
      entry.read = 0;
      return 0;
    case ZIP_SOURCE_READ: {
      const size_t count = std::min<size_t>(length, entry.packed.size() - entry.read);
      std::memcpy(data, entry.packed.data() + entry.read, count);
      entry.read += count;
      return static_cast<zip_int64_t>(count);
    }
    case ZIP_SOURCE_STAT: {
      auto* const stat = static_cast<zip_stat_t*>(data);
      zip_stat_init(stat);
      stat->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC | ZIP_STAT_COMP_METHOD |
                    ZIP_STAT_ENCRYPTION_METHOD;
      stat->size = entry.size;
      stat->comp_size = entry.packed.size();
      stat->crc = entry.checksum;
      stat->comp_method = ZIP_CM_DEFLATE;
      stat->encryption_method = ZIP_EM_NONE;
      return sizeof(*stat);
    }
    case ZIP_SOURCE_ERROR: {
      ZipError none;
      return zip_error_to_data(none.get(), data, length);
    }
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      return -1;
  }
}

// Stores the array uncompressed if `deflater` is null.
absl::Status AddEntry(zip_t* archive, const NamedArray& named, Deflater* deflater, Entry* entry) {
  const std::string_view data = named.array.data;
  entry->header = NpyHeader(named.array.type, named.array.shape);
  std::string_view deflated;
  if (deflater != nullptr && !data.empty()) deflated = deflater->Deflate(data);
  const bool is_stored = deflated.empty();
  if (is_stored) {
    SetFragment(&entry->fragments[0], entry->header);
    SetFragment(&entry->fragments[1], data);
  } else {
    entry->packed = StoredBlock(entry->header).append(deflated);
    entry->size = entry->header.size() + data.size();
    entry->checksum = libdeflate_crc32(0, entry->header.data(), entry->header.size());
    entry->checksum = libdeflate_crc32(entry->checksum, data.data(), data.size());
  }
  Source source(is_stored ? zip_source_buffer_fragment(archive, entry->fragments.data(),
                                                       data.empty() ? 1 : 2, 0)
                          : zip_source_function(archive, AnswerDeflated, entry));
  if (source == nullptr) return NoMemory(zip_strerror(archive));
  const std::string file = named.name + std::string(kSuffix);
  const zip_int64_t index = zip_file_add(archive, file.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  if (index < 0) return NoMemory(zip_strerror(archive));
  (void)source.release();  // now owned by the archive
  const auto number = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, number, is_stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0) !=
          0 ||
      zip_file_set_dostime(archive, number, kNoTime, kNoDate, 0) != 0) {
    return NoMemory(zip_strerror(archive));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadBack(zip_source_t* source, std::string bytes) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0 ||
      zip_source_open(source) != 0) {
    return NoMemory(zip_error_strerror(zip_source_error(source)));
  }
  bytes.resize(stat.size);
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (count < 0 || static_cast<size_t>(count) != bytes.size()) {
    return NoMemory("libzip failed to write them");
  }
  return bytes;
}

// ---- Reading.

absl::Status NotNpz(const std::string& what) {
  return absl::InvalidArgumentError("not an NPZ file: " + what);
}

// Returns the entry's name without ".npy" and its declared size, which is within limits but not yet
// verified.
absl::StatusOr<std::pair<std::string, size_t>> CheckEntry(zip_t* archive, zip_uint64_t entry,
                                                          size_t room) {
  zip_stat_t stat;
  if (zip_stat_index(archive, entry, ZIP_FL_ENC_RAW, &stat) != 0) {
    return NotNpz(zip_strerror(archive));
  }
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) return NotNpz("an entry has no name or no size");
  const std::string_view name = stat.name;
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size() || !IsPlainText(name)) {
    return NotNpz("it contains " + Quote(name) + "; expected names that end in .npy");
  }
  if (stat.encryption_method != ZIP_EM_NONE ||
      (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)) {
    return NotNpz(Quote(name) + " is not stored or deflated");
  }
  if (stat.size > room || stat.size / kRatioMax > stat.comp_size) {
    return NotNpz(
        absl::StrFormat("%s claims %d bytes; expected at most %d", Quote(name), stat.size, room));
  }
  return std::pair(std::string(name.substr(0, name.size() - kSuffix.size())), stat.size);
}

absl::StatusOr<std::string> ReadEntry(zip_t* archive, zip_uint64_t entry, size_t size) {
  const ArchiveFile file(zip_fopen_index(archive, entry, 0));
  if (file == nullptr) return NotNpz(zip_strerror(archive));
  std::string bytes(size, '\0');
  const auto fail = [&file] {
    return NotNpz(std::string("corrupt array: ") + zip_file_strerror(file.get()));
  };
  size_t read = 0;
  while (read < size) {
    const zip_int64_t count = zip_fread(file.get(), bytes.data() + read, size - read);
    if (count < 0) return fail();
    if (count == 0) return NotNpz("an array is shorter than its declared size");
    read += static_cast<size_t>(count);
  }
  // The data must end here. Reading the end also verifies the checksum.
  char more = 0;
  const zip_int64_t count = zip_fread(file.get(), &more, 1);
  if (count < 0) return fail();
  if (count > 0) return NotNpz("an array is longer than its declared size");
  return bytes;
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
    return absl::ResourceExhaustedError(
        absl::StrFormat("the arrays take %d bytes; expected at most %d", size, kNpzBytesMax));
  }
  std::optional<Deflater> deflater;
  if (level != kNpzStored) deflater.emplace(level, largest);
  ZipError error;
  const Source target(zip_source_buffer_create(nullptr, 0, 0, error.get()));
  if (target == nullptr) return NoMemory(error.text());
  zip_source_keep(target.get());  // one reference for the archive, one for us
  std::vector<Entry> entries(arrays.size());
  Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, error.get()));
  if (archive == nullptr) {
    zip_source_free(target.get());
    return NoMemory(error.text());
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    RETURN_IF_ERROR(
        AddEntry(archive.get(), arrays[i], deflater ? &*deflater : nullptr, &entries[i]));
  }
  if (zip_close(archive.get()) != 0) return NoMemory(zip_strerror(archive.get()));
  (void)archive.release();
  return ReadBack(target.get(), std::move(memory));
}

absl::StatusOr<std::map<std::string, std::string>> ReadNpz(std::string_view bytes,
                                                           size_t bytes_max) {
  ZipError error;
  Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()));
  if (source == nullptr) return NotNpz(error.text());
  const Archive archive(
      zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, error.get()));
  if (archive == nullptr) return NotNpz(error.text());
  (void)source.release();  // now owned by the archive
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count < 0 || static_cast<size_t>(count) > kNpzArraysMax) {
    return NotNpz(absl::StrFormat("%d arrays; expected at most %d", count, kNpzArraysMax));
  }
  if (count == 0) return NotNpz("it contains no arrays");
  std::map<std::string, std::string> files;  // libzip rejects duplicate names
  size_t room = std::min(bytes_max, kNpzBytesMax);
  for (zip_uint64_t entry = 0; entry < static_cast<zip_uint64_t>(count); ++entry) {
    ASSIGN_OR_RETURN(const auto checked, CheckEntry(archive.get(), entry, room));
    const auto& [name, size] = checked;
    room -= size;
    ASSIGN_OR_RETURN(files[name], ReadEntry(archive.get(), entry, size));
  }
  return files;
}

}  // namespace triarch
