// Caches bundles on the worker's disk.

#ifndef TRIARCH_WORKER_BUNDLE_CACHE_H_
#define TRIARCH_WORKER_BUNDLE_CACHE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"

namespace triarch {

// DIR/DIGEST/files is the folder of the bundle with that digest. Several workers may share DIR:
// DIR/DIGEST appears in it atomically, and each worker that uses it holds a lock on it (flock).
// Bots see only `files`, so they cannot take that lock. When the cache is full, it removes the
// least recently used bundle that is not in use. Thread-safe.
class BundleCache {
 public:
  // Makes the folder if it does not exist. Fails with FailedPrecondition if other users can write
  // there, since they could change a bot's files, and with ResourceExhausted or PermissionDenied if
  // the folder cannot be made.
  static absl::StatusOr<std::unique_ptr<BundleCache>> Open(const std::string& dir,
                                                           int64_t bytes_max);
  ~BundleCache();
  BundleCache(const BundleCache&) = delete;
  BundleCache& operator=(const BundleCache&) = delete;

  // Returns whether the bundle is cached and, if so, holds it from then on. Checks the files on
  // first use and removes a damaged bundle.
  bool Has(const std::string& digest) ABSL_LOCKS_EXCLUDED(mutex_);
  // Unpacks a bundle and holds it. Fails with InvalidArgument if the tar is invalid or has a
  // different digest, and with ResourceExhausted if it cannot be written.
  absl::Status Put(const std::string& digest, std::string_view tar) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the folder of a held bundle. Fails with NotFound if the bundle is not held.
  absl::StatusOr<std::string> Folder(const std::string& digest) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Releases all other bundles, which may then be removed.
  void KeepOnly(const std::set<std::string>& digests) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  BundleCache(std::string dir, int64_t bytes_max) : dir_(std::move(dir)), bytes_max_(bytes_max) {}

  std::string PathOf(const std::string& digest) const { return dir_ + "/" + digest; }
  std::string FilesOf(const std::string& digest) const { return PathOf(digest) + "/files"; }
  bool Hold(const std::string& digest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Release(const std::string& digest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Unpack(const std::string& digest, std::string_view tar) const;
  void MakeRoom() const;
  // Removes the folder if no worker uses it.
  bool RemoveUnused(const std::string& path) const;
  void RemoveLeftovers() const;

  const std::string dir_;
  const int64_t bytes_max_;
  mutable Mutex mutex_;
  // The open, locked DIR/DIGEST.
  std::map<std::string, int> held_ ABSL_GUARDED_BY(mutex_);
};

// Returns the default folder of a user's cache: under XDG_CACHE_HOME or ~/.cache, else under the
// folder for temporary files.
std::string DefaultBundleCache();

}  // namespace triarch

#endif  // TRIARCH_WORKER_BUNDLE_CACHE_H_
