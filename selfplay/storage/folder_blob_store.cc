#include "selfplay/storage/folder_blob_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = ".tmp";

absl::Status FileError(int error, const std::string& path, const std::string& what) {
  const std::string message = path + ": cannot be " + what + ": " + std::strerror(error);
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOENT:
      return absl::NotFoundError(message);
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EEXIST:
      return absl::InvalidArgumentError(message);
    default:
      return absl::UnavailableError(message);
  }
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  // Returns false and sets errno if written data was lost.
  bool Close() { return fd_ < 0 || close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

// Writes and syncs a new file. Returns false and sets errno on failure.
bool WriteNew(const std::string& path, std::string_view bytes) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  return file.get() >= 0 && WriteAll(file.get(), bytes) && fsync(file.get()) == 0 && file.Close();
}

// Returns a suffix that no other file in any process has.
std::string UniqueSuffix() {
  static std::atomic<uint64_t> count = 0;
  const uint64_t now =
      static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const uint64_t number = Mix64(now ^ Mix64(static_cast<uint64_t>(getpid()) << 32 ^ ++count));
  return "." + std::to_string(number) + std::string(kUnfinished);
}

class FolderBlobStore final : public BlobStore {
 public:
  FolderBlobStore(std::string path, FolderSync sync)
      : path_(std::move(path)), sync_(std::move(sync)) {}

  absl::Status Put(std::string_view name, std::string_view bytes) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    const fs::path path = Path(name);
    RETURN_IF_ERROR(MakeFolder(path.parent_path()));
    const std::string unfinished = path.string() + UniqueSuffix();
    if (!WriteNew(unfinished, bytes)) return NotWritten(path, unfinished);
    const bool is_new = access(path.c_str(), F_OK) != 0;
    if (rename(unfinished.c_str(), path.c_str()) != 0) return NotWritten(path, unfinished);
    if (sync_(path.parent_path().string())) return absl::OkStatus();
    // A replaced file cannot be restored, but a new file that was not stored must not remain.
    return NotWritten(path, is_new ? path.string() : "");
  }

  absl::StatusOr<std::string> Get(std::string_view name) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    const std::string path = Path(name).string();
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status;
    if (file.get() < 0 || fstat(file.get(), &status) != 0) return FileError(errno, path, "read");
    if (!S_ISREG(status.st_mode)) return FileError(EISDIR, path, "read");
    std::string bytes(static_cast<size_t>(status.st_size), '\0');
    size_t size = 0;
    while (size < bytes.size()) {
      const ssize_t count = read(file.get(), bytes.data() + size, bytes.size() - size);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return FileError(errno, path, "read");
      if (count == 0) return absl::UnavailableError(path + ": the file shrank while it was read");
      size += static_cast<size_t>(count);
    }
    return bytes;
  }

  absl::StatusOr<std::vector<std::string>> List(std::string_view prefix) override {
    std::vector<std::string> names;
    RETURN_IF_ERROR(ForEachFile(prefix, [&](const fs::path&, std::string name) {
      if (CheckBlobName(name).ok()) names.push_back(std::move(name));
    }));
    std::sort(names.begin(), names.end());
    return names;
  }

  absl::Status Remove(std::string_view name) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    const fs::path path = Path(name);
    if (unlink(path.c_str()) == 0) {
      return sync_(path.parent_path().string()) ? absl::OkStatus()
                                                : FileError(errno, path.string(), "removed");
    }
    if (errno == ENOENT) return absl::OkStatus();
    return FileError(errno, path.string(), "removed");
  }

  absl::Status RemoveUnfinished(std::string_view prefix) override {
    return ForEachFile(prefix, [](const fs::path& path, const std::string&) {
      std::error_code error;
      if (IsUnfinished(path)) fs::remove(path, error);  // may already be removed
    });
  }

  std::string Describe() const override { return path_.string(); }

 private:
  fs::path Path(std::string_view name) const { return path_ / fs::path(name); }

  // Returns whether Put created this temporary file, i.e. its name ends in a UniqueSuffix. Other
  // .tmp files are left alone.
  static bool IsUnfinished(const fs::path& path) {
    constexpr size_t kDigitsMin = 12;  // nearly all 64-bit numbers have more
    std::string_view name = path.native();
    if (!name.ends_with(kUnfinished)) return false;
    name.remove_suffix(kUnfinished.size());
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return false;
    const std::string_view number = name.substr(dot + 1);
    return number.size() >= kDigitsMin &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
  }

  // Calls f(path, name) for each file in or below the folder whose name has the prefix. Does
  // nothing if the folder does not exist. Tolerates concurrent changes.
  template <class F>
  absl::Status ForEachFile(std::string_view prefix, F f) {
    std::error_code error;
    fs::recursive_directory_iterator entry(path_, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      std::error_code gone;
      std::string name = entry->path().lexically_relative(path_).generic_string();
      if (entry->is_directory(gone)) {
        name += '/';
        const bool may_have = name.starts_with(prefix) || prefix.starts_with(name);
        if (!may_have) entry.disable_recursion_pending();
      } else if (name.starts_with(prefix) && entry->is_regular_file(gone)) {
        f(entry->path(), std::move(name));
      }
    }
    if (!error || error == std::errc::no_such_file_or_directory) return absl::OkStatus();
    return FileError(error.value(), path_.string(), "read");
  }

  // Returns the error in errno, after removing the file `removed` unless it is "".
  static absl::Status NotWritten(const fs::path& path, const std::string& removed) {
    const int error = errno;
    if (!removed.empty()) unlink(removed.c_str());
    return FileError(error, path.string(), "written");
  }

  // Creates the folder and its parents, and syncs the parents of new ones.
  absl::Status MakeFolder(const fs::path& path) {
    if (path.empty()) return absl::OkStatus();
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return absl::OkStatus();
    RETURN_IF_ERROR(MakeFolder(path.parent_path()));
    if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
      return FileError(errno, path.string(), "made");
    }
    if (stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
      return FileError(ENOTDIR, path.string(), "made");
    }
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return sync_(parent.string()) ? absl::OkStatus() : FileError(errno, parent.string(), "synced");
  }

  const fs::path path_;
  const FolderSync sync_;
};

}  // namespace

bool SyncFolder(const std::string& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems do not support syncing a folder, and do not need it.
  return folder.get() >= 0 && (fsync(folder.get()) == 0 || errno == EINVAL);
}

std::unique_ptr<BlobStore> MakeFolderBlobStore(std::string path, FolderSync sync) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return std::make_unique<FolderBlobStore>(std::move(path), std::move(sync));
}

}  // namespace triarch
