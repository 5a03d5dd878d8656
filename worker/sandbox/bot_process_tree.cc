#include "worker/sandbox/bot_process_tree.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/text.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

std::string ProcPath(pid_t pid, std::string_view name) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(name);
}

// The fields of /proc/PID/stat.
class ProcessStat {
 public:
  explicit ProcessStat(pid_t pid) : text_(ReadSmallFile(ProcPath(pid, "stat"))) {
    const size_t name_end = text_.rfind(") ");
    if (name_end != std::string::npos) begin_ = name_end + 2;
  }

  // Returns a field, the third or a later one, numbered from one as in proc(5); the second is the
  // program's name, which may contain any character. Returns "" or 0 if the process does not exist.
  std::string_view Field(size_t number) const {
    std::string_view rest = std::string_view(text_).substr(begin_);
    for (size_t i = kFirst; i < number && !rest.empty(); ++i) {
      rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
    }
    return rest.substr(0, rest.find(' '));
  }
  int64_t Number(size_t number) const { return ParseInt64(Field(number)).value_or(0); }

 private:
  static constexpr size_t kFirst = 3;

  const std::string text_;
  size_t begin_ = text_.size();  // offset of the third field
};

nanoseconds OwnCpuTime(pid_t pid) {
  clockid_t clock;
  timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return nanoseconds(0);
  }
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

nanoseconds CpuTimeOfWaitedFor(const ProcessStat& stat) {
  constexpr size_t kUser = 16;
  constexpr size_t kSystem = 17;
  static const int64_t ticks_per_s = sysconf(_SC_CLK_TCK);
  const int64_t ticks = stat.Number(kUser) + stat.Number(kSystem);
  return nanoseconds(ticks * (std::nano::den / ticks_per_s));
}

std::vector<pid_t> PidsIn(std::string_view text) {
  std::vector<pid_t> pids;
  for (const std::string_view word : Split(text, ' ')) {
    if (const auto pid = ParseInt64(Trim(word))) pids.push_back(static_cast<pid_t>(*pid));
  }
  return pids;
}

// Every thread has its own list of children. Most bots have one thread.
std::vector<pid_t> ChildrenOf(pid_t pid, const ProcessStat& stat) {
  constexpr size_t kThreads = 20;
  if (stat.Number(kThreads) == 1) {
    return PidsIn(ReadSmallFile(ProcPath(pid, "task/" + std::to_string(pid) + "/children")));
  }
  std::vector<pid_t> children;
  std::error_code error;
  for (fs::directory_iterator task(ProcPath(pid, "task"), error), end; !error && task != end;
       task.increment(error)) {
    const std::string listed = ReadSmallFile(task->path().string() + "/children");
    for (const pid_t child : PidsIn(listed)) {
      children.push_back(child);
    }
  }
  return children;
}

std::vector<pid_t> AllProcesses() {
  std::vector<pid_t> pids;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    if (const auto pid = ParseInt64(entry->path().filename().string())) {
      pids.push_back(static_cast<pid_t>(*pid));
    }
  }
  return pids;
}

bool IsOf(pid_t pid, pid_t session, const std::string& mark) {
  constexpr size_t kState = 3;
  constexpr size_t kSession = 6;
  const ProcessStat stat(pid);
  const std::string_view state = stat.Field(kState);
  if (state.empty() || state == "Z" || state == "X") return false;
  if (stat.Number(kSession) == session) return true;
  const std::string environment = ReadSmallFile(ProcPath(pid, "environ"));
  for (const std::string_view entry : Split(environment, '\0')) {
    if (entry == mark) return true;
  }
  return false;
}

// Returns false if the process does not belong to the bot, or no longer does.
bool KillIfMember(pid_t pid, pid_t session, const std::string& mark) {
  if (!IsOf(pid, session, mark)) return false;
  // Hold the process by a descriptor, because its number could be reused before the signal.
  const Fd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.is_open() || !IsOf(pid, session, mark)) return false;
  return syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0;
}

}  // namespace

nanoseconds CpuTimeOfTree(pid_t root) {
  constexpr size_t kProcessesMax = 4096;
  nanoseconds time(0);
  std::vector<pid_t> pids = {root};
  for (size_t i = 0; i < pids.size() && pids.size() < kProcessesMax; ++i) {
    const ProcessStat stat(pids[i]);
    time += OwnCpuTime(pids[i]) + CpuTimeOfWaitedFor(stat);
    const std::vector<pid_t> children = ChildrenOf(pids[i], stat);
    pids.insert(pids.end(), children.begin(), children.end());
  }
  return time;
}

pid_t ParentOf(pid_t pid) {
  constexpr size_t kParent = 4;
  return static_cast<pid_t>(ProcessStat(pid).Number(kParent));
}

void KillSessionAndMarked(pid_t session, const std::string& mark) {
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    bool is_any = false;
    for (const pid_t pid : AllProcesses()) is_any |= KillIfMember(pid, session, mark);
    if (!is_any) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace triarch
