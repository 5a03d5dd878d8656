#include "worker/host/forked_call.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLook{20};
// The child's last line. Without it the code has not returned, even if the exit code is 0.
constexpr std::string_view kDone = "done";

void WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // the parent is gone
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

// Ends the process when the code calls exit. The parent's global objects must not be destroyed
// here: some wait for threads that the child does not have.
void ExitAtOnce(int code, void*) {
  std::fflush(nullptr);
  _exit(code);
}

// An exception ends the child here, because it must not reach the parent's callers.
[[noreturn]] void RunInChild(const Pipe& lines,
                             absl::FunctionRef<void(const SendLine&)> work) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  on_exit(ExitAtOnce, nullptr);
  work([&](std::string_view line) { WriteAll(lines.write_end.get(), std::string(line) + "\n"); });
  std::fflush(nullptr);
  WriteAll(lines.write_end.get(), std::string(kDone) + "\n");
  _exit(0);
}

ForkedEnd Describe(int status, bool is_done) {
  if (WIFSIGNALED(status)) {
    std::string text = strsignal(WTERMSIG(status));
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(text[0]));
    return {.how = absl::StrFormat("crashed with signal %d (%s)", WTERMSIG(status), text)};
  }
  if (WEXITSTATUS(status) == 0 && is_done) return {.is_done = true};
  return {.how = absl::StrFormat("ended the process with exit code %d", WEXITSTATUS(status))};
}

// Forks, also on a machine where there are too many processes for a moment.
pid_t ForkPatiently() {
  constexpr int kTries = 100;
  pid_t child = fork();
  for (int i = 1; i < kTries && child < 0 && errno == EAGAIN; ++i) {
    std::this_thread::sleep_for(kLook);
    child = fork();
  }
  return child;
}

// Reads what the child writes, until it ends or makes no progress.
class Parent {
 public:
  Parent(pid_t child, Fd lines, absl::FunctionRef<void(std::string_view)> on_line)
      : child_(child), lines_(std::move(lines)), on_line_(on_line) {}

  ForkedEnd Watch(absl::FunctionRef<uint64_t()> progress, const ForkedLimits& limits) {
    uint64_t last = progress();
    Clock::time_point since = Clock::now();
    int status = 0;
    while (!HasEnded(WNOHANG, &status)) {
      Read(kLook);
      const uint64_t now = progress();
      if (now != last) since = Clock::now();
      last = now;
      if (limits.is_interrupted && limits.is_interrupted()) return Kill("was interrupted");
      if (Clock::now() - since < limits.patience) continue;
      const std::chrono::duration<double> waited = limits.patience;
      return Kill(absl::StrFormat("did not return for %g s", waited.count()));
    }
    while (Read(milliseconds(0))) {
    }
    return Describe(status, is_done_);
  }

 private:
  // Returns whether the child has ended. Waits for that unless `options` is WNOHANG.
  bool HasEnded(int options, int* status) const {
    pid_t ended = 0;
    do {
      ended = waitpid(child_, status, options);
    } while (ended < 0 && errno == EINTR);
    return ended != 0;
  }

  ForkedEnd Kill(const std::string& why) {
    kill(child_, SIGKILL);
    int status = 0;
    HasEnded(0, &status);
    while (Read(milliseconds(0))) {
    }
    return {.how = why};
  }

  // Waits for output and passes on its lines. Returns false if there is none left for now.
  bool Read(milliseconds wait) {
    pollfd output = {.fd = lines_.get(), .events = POLLIN, .revents = 0};
    if (!lines_.is_open()) {
      std::this_thread::sleep_for(wait);
      return false;
    }
    const int ready = poll(&output, 1, static_cast<int>(wait.count()));
    if (ready <= 0) return ready < 0 && errno == EINTR;
    std::array<char, 4096> bytes;
    const ssize_t count = read(lines_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
      lines_.Close();
      return false;
    }
    text_.append(bytes.data(), static_cast<size_t>(count));
    size_t end = 0;
    while ((end = text_.find('\n')) != std::string::npos) {
      const std::string_view line = std::string_view(text_).substr(0, end);
      is_done_ = line == kDone;
      if (!is_done_) on_line_(line);
      text_.erase(0, end + 1);
    }
    return true;
  }

  const pid_t child_;
  Fd lines_;
  const absl::FunctionRef<void(std::string_view)> on_line_;
  std::string text_;
  bool is_done_ = false;
};

}  // namespace

absl::StatusOr<ForkedEnd> RunForked(absl::FunctionRef<void(const SendLine&)> work,
                                    absl::FunctionRef<void(std::string_view)> on_line,
                                    absl::FunctionRef<uint64_t()> progress,
                                    const ForkedLimits& limits) {
  ASSIGN_OR_RETURN(Pipe lines, MakePipe());
  std::fflush(nullptr);  // otherwise the child would print it again
  const pid_t child = ForkPatiently();
  if (child < 0) return SystemError("fork");
  if (child == 0) RunInChild(lines, work);
  lines.write_end.Close();
  return Parent(child, std::move(lines.read_end), on_line).Watch(progress, limits);
}

void* MapShared(size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  return memory;
}

void UnmapShared(void* memory, size_t bytes) { munmap(memory, bytes); }

}  // namespace triarch
