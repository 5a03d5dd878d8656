// Handles file descriptors and pipes, and waits for them.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// Owns an open descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    other.Close();
    return *this;
  }
  ~Fd() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// Returns an error with the message of errno for the failed operation `what`.
absl::Status SystemError(std::string_view what);
absl::Status SystemError(std::string_view what, int error);

// The two ends of a channel between this process and a child. Both close on exec.
struct Pipe {
  Fd read_end;
  Fd write_end;
};
absl::StatusOr<Pipe> MakePipe();
// Like MakePipe, but writing to it raises no signal after the reader has closed it. Use it with
// SendAll.
absl::StatusOr<Pipe> MakeQuietPipe();
// Like MakePipe, but the write end also reads: writing to it raises no signal after this process
// has ended, and reading never reaches an end.
absl::StatusOr<Pipe> MakeUnbreakablePipe();
absl::Status SendAll(const Fd& write_end, std::string_view bytes);
absl::Status SetNonBlocking(const Fd& fd);

// Creates an in-memory file with these contents, positioned at its start.
absl::StatusOr<Fd> MakeMemoryFile(std::string_view contents);

// Returns the contents of a small file, e.g. in /proc, or "" if it cannot be read.
std::string ReadSmallFile(const std::string& path);

// Waits until one of the descriptors (-1 for none) is readable or closed. Fails with
// DeadlineExceeded after `timeout_ms`.
absl::Status WaitReadable(int fd, int other_fd, int timeout_ms);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_
