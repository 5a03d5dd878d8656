#include "worker/bundle_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "bundle/bundle.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp-";  // prefix of folders that are being written or
                                                  // removed

int OpenFolder(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Returns whether the open folder is still the one at the path.
bool IsAt(int fd, const std::string& path) {
  struct stat open_one {};
  struct stat there {};
  return fstat(fd, &open_one) == 0 && lstat(path.c_str(), &there) == 0 &&
         open_one.st_dev == there.st_dev && open_one.st_ino == there.st_ino;
}

// Makes a new folder for this process in `dir`. Returns "" on failure.
std::string MakeTemporary(const std::string& dir) {
  std::string path = dir + "/" + std::string(kTemporary) + "XXXXXX";
  return mkdtemp(path.data()) == nullptr ? std::string() : path;
}

struct Kept {
  std::string path;
  fs::file_time_type used;
  int64_t bytes = 0;
};

int64_t BytesIn(const std::string& path) {
  int64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
    if (entry.is_regular_file(error)) bytes += static_cast<int64_t>(entry.file_size(error));
  }
  return bytes;
}

// Returns the bundles in the folder, least recently used first.
std::vector<Kept> KeptIn(const std::string& dir) {
  std::vector<Kept> kept;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir, error)) {
    const std::string path = entry.path();
    if (!IsSha256(entry.path().filename().native())) continue;
    kept.push_back({.path = path, .used = entry.last_write_time(error), .bytes = BytesIn(path)});
  }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  return kept;
}

absl::Status CheckIsOwn(const std::string& dir) {
  struct stat there {};
  if (lstat(dir.c_str(), &there) != 0) {
    return absl::PermissionDeniedError(dir + ": " + std::strerror(errno));
  }
  if (!S_ISDIR(there.st_mode)) {
    return absl::FailedPreconditionError(dir + " is not a folder; expected one, or a new one");
  }
  if (there.st_uid == geteuid() && (there.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      dir +
      ": other users can write to it and change bots; expected a folder that only this user can "
      "write to");
}

}  // namespace

absl::StatusOr<std::unique_ptr<BundleCache>> BundleCache::Open(const std::string& dir,
                                                               int64_t bytes_max) {
  std::error_code error;
  const std::string absolute = fs::absolute(dir, error).lexically_normal().string();
  fs::create_directories(fs::path(absolute).parent_path(), error);
  if (mkdir(absolute.c_str(), 0755) != 0 && errno != EEXIST) {
    return absl::PermissionDeniedError(absolute + " cannot be created: " + std::strerror(errno));
  }
  RETURN_IF_ERROR(CheckIsOwn(absolute));
  std::unique_ptr<BundleCache> cache(new BundleCache(absolute, bytes_max));
  cache->RemoveLeftovers();
  return cache;
}

BundleCache::~BundleCache() { KeepOnly({}); }

bool BundleCache::Has(const std::string& digest) {
  MutexLock lock(&mutex_);
  if (held_.contains(digest)) return true;
  if (!IsSha256(digest) || !Hold(digest)) return false;
  const absl::StatusOr<std::string> actual = DigestFolder(FilesOf(digest));
  if (actual.ok() && *actual == digest) {
    futimens(held_.at(digest), nullptr);  // marks it as used now
    return true;
  }
  Release(digest);
  RemoveUnused(PathOf(digest));
  return false;
}

bool BundleCache::Hold(const std::string& digest) {
  const std::string path = PathOf(digest);
  const int fd = OpenFolder(path);
  if (fd < 0) return false;
  // If the folder is locked, another worker is removing it.
  if (flock(fd, LOCK_SH | LOCK_NB) != 0 || !IsAt(fd, path)) {
    close(fd);
    return false;
  }
  held_[digest] = fd;
  return true;
}

void BundleCache::Release(const std::string& digest) {
  const auto held = held_.find(digest);
  close(held->second);
  held_.erase(held);
}

absl::Status BundleCache::Put(const std::string& digest, std::string_view tar) {
  RETURN_IF_ERROR(Unpack(digest, tar));
  MutexLock lock(&mutex_);
  if (!held_.contains(digest) && !Hold(digest)) {
    return absl::ResourceExhaustedError(PathOf(digest) + " was removed immediately");
  }
  MakeRoom();
  return absl::OkStatus();
}

absl::Status BundleCache::Unpack(const std::string& digest, std::string_view tar) const {
  ASSIGN_OR_RETURN(const Bundle bundle, Bundle::FromTar(tar));
  if (bundle.digest() != digest) {
    return absl::InvalidArgumentError("its files have the digest " + bundle.digest() + ", not " +
                                      digest);
  }
  const std::string temporary = MakeTemporary(dir_);
  if (temporary.empty()) {
    return absl::ResourceExhaustedError(dir_ + ": " + std::strerror(errno));
  }
  const int fd = OpenFolder(temporary);
  flock(fd, LOCK_SH | LOCK_NB);  // keeps other workers from removing it as a leftover
  absl::Status status = bundle.WriteFolder(temporary + "/files");
  if (status.ok()) chmod(temporary.c_str(), 0755);  // bots may run as other users
  if (status.ok() && rename(temporary.c_str(), PathOf(digest).c_str()) != 0 && errno != EEXIST &&
      errno != ENOTEMPTY) {  // another worker was faster
    status = absl::ResourceExhaustedError(PathOf(digest) + ": " + std::strerror(errno));
  }
  std::error_code error;
  fs::remove_all(temporary, error);
  close(fd);
  return status;
}

absl::StatusOr<std::string> BundleCache::Folder(const std::string& digest) const {
  MutexLock lock(&mutex_);
  if (held_.contains(digest)) return FilesOf(digest);
  return absl::NotFoundError("no bundle with the digest " + digest.substr(0, 8) + " is cached");
}

void BundleCache::KeepOnly(const std::set<std::string>& digests) {
  MutexLock lock(&mutex_);
  std::vector<std::string> over;
  for (const auto& [digest, fd] : held_) {
    if (!digests.contains(digest)) over.push_back(digest);
  }
  for (const std::string& digest : over) Release(digest);
}

void BundleCache::MakeRoom() const {
  const std::vector<Kept> all = KeptIn(dir_);
  int64_t bytes = 0;
  for (const Kept& kept : all) bytes += kept.bytes;
  for (const Kept& kept : all) {
    if (bytes <= bytes_max_) return;
    if (RemoveUnused(kept.path)) bytes -= kept.bytes;
  }
}

bool BundleCache::RemoveUnused(const std::string& path) const {
  const int fd = OpenFolder(path);
  if (fd < 0) return false;
  // A lock held by this process belongs to a different open file, so it counts too.
  const bool is_unused = flock(fd, LOCK_EX | LOCK_NB) == 0 && IsAt(fd, path);
  const std::string temporary = is_unused ? MakeTemporary(dir_) : std::string();
  const bool is_gone =
      !temporary.empty() && rename(path.c_str(), (temporary + "/files").c_str()) == 0;
  close(fd);
  std::error_code error;
  if (!temporary.empty()) fs::remove_all(temporary, error);
  return is_gone;
}

// Removes leftovers of killed workers.
void BundleCache::RemoveLeftovers() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir_, error)) {
    const std::string path = entry.path();
    if (!entry.path().filename().native().starts_with(kTemporary)) continue;
    const int fd = OpenFolder(path);
    if (fd < 0) continue;
    std::error_code ignored;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
    close(fd);
  }
}

std::string DefaultBundleCache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/triarch/bots";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/' && access(home, W_OK) == 0) {
    return std::string(home) + "/.cache/triarch/bots";
  }
  return (fs::temp_directory_path() / ("triarch-bots-" + std::to_string(geteuid()))).string();
}

}  // namespace triarch
