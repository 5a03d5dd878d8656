#include "coordinator/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Returns whether `path` is still the opened file, which its holder may have removed since then.
bool IsStill(const std::string& path, int descriptor) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

// Returns the process id that the holder wrote, for the message.
std::string HolderOf(int descriptor) {
  std::array<char, 32> buffer{};
  const ssize_t size = pread(descriptor, buffer.data(), buffer.size(), 0);
  if (size <= 0) return "another process";
  const std::string_view text(buffer.data(), static_cast<size_t>(size));
  return absl::StrFormat("process %s", Trim(text));
}

// Writes the process id for people only; the lock does not depend on it.
void WriteHolder(int descriptor) {
  const std::string text = absl::StrFormat("%d\n", getpid());
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Take(const std::string& path) {
  while (true) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      return absl::ErrnoToStatus(errno, absl::StrFormat("cannot create %s", path));
    }
    absl::Cleanup close_it = [descriptor] { close(descriptor); };
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) return absl::UnavailableError(HolderOf(descriptor));
      return absl::ErrnoToStatus(errno, absl::StrFormat("cannot lock %s", path));
    }
    if (!IsStill(path, descriptor)) continue;
    std::move(close_it).Cancel();
    WriteHolder(descriptor);
    return std::unique_ptr<FileLock>(new FileLock(path, descriptor));
  }
}

FileLock::~FileLock() {
  // Remove the file while it is locked: a process that has already opened it will notice that the
  // path no longer names its file.
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace triarch
