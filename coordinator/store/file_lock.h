// Locks a file for one process.

#ifndef TRIARCH_COORDINATOR_STORE_FILE_LOCK_H_
#define TRIARCH_COORDINATOR_STORE_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// Excludes other processes, and other objects of this process, during its lifetime. The system
// releases the lock however the process ends.
class FileLock {
 public:
  // Creates and locks the file `path`; the destructor removes it. Fails with Unavailable if the
  // file is locked, naming the process id of the holder, and with PermissionDenied or NotFound if
  // it cannot be created.
  static absl::StatusOr<std::unique_ptr<FileLock>> Take(const std::string& path);

  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  FileLock(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_FILE_LOCK_H_
