// What reads NPZ files; the one unit that sees libzip.

#include "selfplay/npz.h"

#include <zip.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::string_view kSuffix = kNpySuffix;
// What a byte can become at most, by deflate (1 032) or stored; a little more for the smallest.
constexpr size_t kRatioMax = 1'100;

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
