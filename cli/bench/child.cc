#include "cli/bench/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "core/base/check.h"

namespace triarch {
namespace {

// A pipe between this process and a child. Other children do not inherit it.
struct ChildPipe {
  int read_end = -1;
  int write_end = -1;

  ChildPipe() {
    std::array<int, 2> ends;
    CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
    read_end = ends[0];
    write_end = ends[1];
  }
  ~ChildPipe() {
    Close(read_end);
    Close(write_end);
  }
  static void Close(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

// Returns a file in memory with the text, to be read from its beginning.
int FileWith(std::string_view text) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  CHECK(file >= 0);
  CHECK(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  return file;
}

// Reads from both descriptors until they end.
void ReadBoth(int out, int err, ChildResult* result) {
  std::array<pollfd, 2> ends = {{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  std::array<char, 4096> buffer;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return;
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      const ssize_t size = read(end.fd, buffer.data(), buffer.size());
      if (size > 0) {
        (end.fd == out ? result->out : result->err)
            .append(buffer.data(), static_cast<size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        end.fd = -1;  // poll ignores it
      }
    }
  }
}

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

absl::StatusOr<ChildResult> RunChild(const std::vector<std::string>& command,
                                     std::string_view input) {
  int in = FileWith(input);
  ChildPipe out;
  ChildPipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ChildPipe::Close(in);
  if (error != 0) {
    return absl::NotFoundError("cannot run " + command[0] + ": " + std::strerror(error));
  }
  ChildPipe::Close(out.write_end);
  ChildPipe::Close(err.write_end);
  ChildResult result;
  ReadBoth(out.read_end, err.read_end, &result);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) CHECK(errno == EINTR);
  if (!WIFEXITED(status)) {
    return absl::InternalError(command[0] + " was killed by signal " +
                               std::to_string(WTERMSIG(status)));
  }
  result.exit_code = WEXITSTATUS(status);
  result.cpu_seconds = SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime);
  return result;
}

}  // namespace triarch
