// Locks a file for one process at a time.

#ifndef TRIARCH_COORDINATOR_STORE_FILE_LOCK_H_
#define TRIARCH_COORDINATOR_STORE_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// The right to be the only one, among processes and within one: held as long as the object lives,
// and given back by the system however the process ends.
class FileLock {
 public:
  // Takes the lock that the file `path` stands for (it is created, and removed again in the end).
  // Unavailable if another holds it, with its process number; PermissionDenied or NotFound if the
  // file cannot be created.
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
