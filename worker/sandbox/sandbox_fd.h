#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// An open descriptor, closed with its owner.
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

// What errno says of the failure of `what`.
absl::Status SystemError(std::string_view what);
absl::Status SystemError(std::string_view what, int error);

// Two ends that pass bytes from this process to a child or back; both are closed on exec.
struct Pipe {
  Fd read_end;
  Fd write_end;
};
absl::StatusOr<Pipe> MakePipe();
// The same, but what is written to a reader that is gone raises no signal. For SendAll.
absl::StatusOr<Pipe> MakeQuietPipe();
absl::Status SendAll(const Fd& write_end, std::string_view bytes);
absl::Status SetNonBlocking(const Fd& fd);

// A file in memory with these contents, at its beginning.
absl::StatusOr<Fd> MakeMemoryFile(std::string_view contents);

// All of a small file, of /proc for instance; empty if it cannot be read.
std::string ReadWholeFile(const std::string& path);

// Waits until one of them (-1: none) can be read or has ended. DeadlineExceeded after that time.
absl::Status WaitReadable(int fd, int other_fd, int timeout_ms);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_FD_H_
