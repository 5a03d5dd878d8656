// The one unit that sees libzip and libdeflate.

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
// What a byte can become at most, by deflate (1 032) or stored; a little more for the smallest.
constexpr size_t kRatioMax = 1'100;
// 1980-01-01 00:00:00, the first that a zip can say: files do not tell when they were made.
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

// ---- Writing. The only thing that can fail is memory.

absl::Status NoMemory(const std::string& why) {
  return absl::ResourceExhaustedError("the arrays cannot be written: " + why);
}

// Deflates arrays as a whole. libzip would do it with zlib, in twice the time.
class Deflater {
 public:
  // `largest`: bytes of an array at most.
  Deflater(int level, size_t largest)
      : compressor_(libdeflate_alloc_compressor(level)),
        room_(largest),
        memory_(std::make_unique_for_overwrite<char[]>(largest)) {
    CHECK(compressor_ != nullptr);
  }

  // Empty if it does not become smaller.
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

// A block of deflate that holds the bytes as they are; others follow. So what stands before an
// array need not be copied to where the array lies.
std::string StoredBlock(std::string_view bytes) {
  CHECK(bytes.size() <= kStoredBlockMax);
  const size_t size = bytes.size();
  std::string block(1, '\0');  // neither the last nor compressed
  for (const size_t number : {size, ~size}) {
    block += static_cast<char>(number & 255);
    block += static_cast<char>(number >> 8 & 255);
  }
  return block.append(bytes);
}

// An NPY file, while libzip may ask for it.
struct Entry {
  // Stored: its two parts, which are copied nowhere.
  std::string header;
  std::array<zip_buffer_fragment_t, 2> fragments;
  // Deflated:
  std::string packed;
  size_t read = 0;  // of it
  size_t size = 0;  // of the file
  uint32_t checksum = 0;
};

void SetFragment(zip_buffer_fragment_t* fragment, std::string_view bytes) {
  // libzip writes into no buffer that it reads from; its type does not say so.
  fragment->data = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data()));
  fragment->length = bytes.size();
}

// What libzip asks of a source; this one is an Entry that is deflated already.
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

// Null: the array is stored.
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
  (void)source.release();  // the archive's now
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
    return NoMemory("libzip lost some of them");
  }
  return bytes;
}

// ---- Reading.

absl::Status Wrong(const std::string& what) {
  return absl::InvalidArgumentError("no NPZ file: " + what);
}

// The entry's name without ".npy", and its size, which is within bounds and not yet proven.
absl::StatusOr<std::pair<std::string, size_t>> CheckEntry(zip_t* archive, zip_uint64_t entry,
                                                          size_t room) {
  zip_stat_t stat;
  if (zip_stat_index(archive, entry, ZIP_FL_ENC_RAW, &stat) != 0) {
    return Wrong(zip_strerror(archive));
  }
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) return Wrong("an entry without a name or a size");
  const std::string_view name = stat.name;
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size() || !IsPlainText(name)) {
    return Wrong("it has the file " + Quote(name) + "; expected names that end in .npy");
  }
  if (stat.encryption_method != ZIP_EM_NONE ||
      (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)) {
    return Wrong(Quote(name) + " is neither stored nor deflated");
  }
  if (stat.size > room || stat.size / kRatioMax > stat.comp_size) {
    return Wrong(absl::StrFormat("%s says that it has %d bytes; expected at most %d", Quote(name),
                                 stat.size, room));
  }
  return std::pair(std::string(name.substr(0, name.size() - kSuffix.size())), stat.size);
}

absl::StatusOr<std::string> ReadEntry(zip_t* archive, zip_uint64_t entry, size_t size) {
  const ArchiveFile file(zip_fopen_index(archive, entry, 0));
  if (file == nullptr) return Wrong(zip_strerror(archive));
  std::string bytes(size, '\0');
  const auto fail = [&file] {
    return Wrong(std::string("an array is damaged: ") + zip_file_strerror(file.get()));
  };
  size_t read = 0;
  while (read < size) {
    const zip_int64_t count = zip_fread(file.get(), bytes.data() + read, size - read);
    if (count < 0) return fail();
    if (count == 0) return Wrong("an array is shorter than the file says");
    read += static_cast<size_t>(count);
  }
  // The end must be here; on the way to it libzip compares the checksum.
  char more = 0;
  const zip_int64_t count = zip_fread(file.get(), &more, 1);
  if (count < 0) return fail();
  if (count > 0) return Wrong("an array is longer than the file says");
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
    return absl::ResourceExhaustedError(absl::StrFormat(
        "the arrays have %d bytes together; expected at most %d", size, kNpzBytesMax));
  }
  std::optional<Deflater> deflater;
  if (level != kNpzStored) deflater.emplace(level, largest);
  ZipError error;
  const Source target(zip_source_buffer_create(nullptr, 0, 0, error.get()));
  if (target == nullptr) return NoMemory(error.text());
  zip_source_keep(target.get());  // once for the archive and once for us
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
  if (source == nullptr) return Wrong(error.text());
  const Archive archive(
      zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, error.get()));
  if (archive == nullptr) return Wrong(error.text());
  (void)source.release();  // the archive's now
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count < 0 || static_cast<size_t>(count) > kNpzArraysMax) {
    return Wrong(absl::StrFormat("%d arrays; expected at most %d", count, kNpzArraysMax));
  }
  if (count == 0) return Wrong("it has no array");
  std::map<std::string, std::string> files;  // libzip has seen to it that no name is there twice
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
