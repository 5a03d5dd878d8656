#include "worker/sandbox/sandbox_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/base/status_macros.h"

namespace triarch {

absl::Status SystemError(std::string_view what) { return SystemError(what, errno); }

absl::Status SystemError(std::string_view what, int error) {
  return absl::InternalError(std::string(what) + ": " + std::strerror(error));
}

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> fds;
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return SystemError("pipe");
  return Pipe{Fd(fds[0]), Fd(fds[1])};
}

absl::StatusOr<Pipe> MakeQuietPipe() {
  std::array<int, 2> fds;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return SystemError("socketpair");
  }
  return Pipe{Fd(fds[0]), Fd(fds[1])};
}

absl::StatusOr<Pipe> MakeUnbreakablePipe() {
  ASSIGN_OR_RETURN(Pipe pipe, MakePipe());
  const std::string path = "/proc/self/fd/" + std::to_string(pipe.write_end.get());
  pipe.write_end = Fd(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!pipe.write_end.is_open()) return SystemError(path);
  return pipe;
}

absl::Status SendAll(const Fd& write_end, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(write_end.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return SystemError("send");
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status SetNonBlocking(const Fd& fd) {
  return fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0 ? absl::OkStatus() : SystemError("fcntl");
}

absl::StatusOr<Fd> MakeMemoryFile(std::string_view contents) {
  Fd file(memfd_create("triarch", MFD_CLOEXEC));
  if (!file.is_open()) return SystemError("memfd_create");
  const ssize_t count = pwrite(file.get(), contents.data(), contents.size(), 0);
  if (count != static_cast<ssize_t>(contents.size())) return SystemError("write to memory");
  return file;
}

std::string ReadSmallFile(const std::string& path) {
  std::string text;
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> bytes;
  ssize_t count = 0;
  while (file.is_open() && (count = read(file.get(), bytes.data(), bytes.size())) > 0) {
    text.append(bytes.data(), static_cast<size_t>(count));
  }
  return text;
}

absl::Status WaitReadable(int fd, int other_fd, int timeout_ms) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(timeout_ms);
  std::array<pollfd, 2> fds = {{{.fd = fd, .events = POLLIN, .revents = 0},
                                {.fd = other_fd, .events = POLLIN, .revents = 0}}};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    const int count = poll(fds.data(), fds.size(), static_cast<int>(std::max<int64_t>(left, 0)));
    if (count > 0) return absl::OkStatus();
    if (count == 0) return absl::DeadlineExceededError("no data in time");
    if (errno != EINTR) return SystemError("poll");
  }
}

}  // namespace triarch
