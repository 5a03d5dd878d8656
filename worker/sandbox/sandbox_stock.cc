#include "worker/sandbox/sandbox_stock.h"

#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "worker/sandbox/sandbox_child.h"
#include "worker/sandbox/sandbox_filter.h"
#include "worker/sandbox/sandbox_view.h"

namespace triarch {
namespace {

// Let the current bot start first: setting up a sandbox takes a processor for a few milliseconds,
// and while a process joins a control group, which may be slow, the kernel blocks all process
// creation.
constexpr std::chrono::milliseconds kRefillDelay{3};
constexpr std::chrono::milliseconds kSlowRefillDelay{30};
constexpr int kLifetimesUnused = 10;  // then the stock is not refilled until a bot starts
constexpr int kDiscardTimeMs = 5'000;
constexpr int64_t kOwnProcesses = 2;  // bubblewrap outside and the shell inside

// Picks a separate user for each bot if this process is root: limits do not apply to root, and bots
// of one user could exhaust each other's limits. Numbers from 0x70000000 on are unassigned
// (systemd, "Users, Groups, UIDs and GIDs"); a container may have fewer. Returns nullopt if this
// process is not root, or is root of a namespace without other users and has no privileges to lose.
std::optional<uid_t> PickUser(uint32_t count) {
  if (geteuid() != 0) return std::nullopt;
  std::istringstream map(ReadSmallFile("/proc/self/uid_map"));
  uint32_t first = 0;
  uint32_t outside = 0;
  uint32_t size = 0;
  map >> first >> outside >> size;
  if (size < 2) return std::nullopt;
  constexpr uint32_t kFree = 0x70000000;
  constexpr uint32_t kPerWorker = 1024;
  constexpr uint32_t kWorkers = 1 << 17;
  if (first + size > kFree + kPerWorker * kWorkers) {
    return kFree + static_cast<uint32_t>(getpid()) % kWorkers * kPerWorker + count % kPerWorker;
  }
  return first + size - 1 - count % std::min(size - 1, kPerWorker);
}

std::vector<SpawnPlan::Limit> ResourceLimits(const BlankSandbox& blank) {
  const auto bytes = [](int64_t count) { return static_cast<rlim_t>(count); };
  std::vector<SpawnPlan::Limit> limits = {{RLIMIT_CORE, 0},
                                          {RLIMIT_NOFILE, bytes(blank.limits.open_files)},
                                          {RLIMIT_FSIZE, bytes(blank.limits.file_bytes)},
                                          {RLIMIT_MEMLOCK, 1 << 16},
                                          {RLIMIT_MSGQUEUE, 0},
                                          {RLIMIT_RTPRIO, 0}};
  // Limit each process, and only its writable memory: managed runtimes reserve far more address
  // space than they use.
  if (!blank.group || !blank.group->limits_memory()) {
    limits.push_back({RLIMIT_DATA, bytes(blank.limits.memory_bytes)});
  }
  return limits;
}

// This process searches PATH once, because a child may not be able to see all of its folders.
std::string FindBubblewrap() {
  const char* const path = std::getenv("PATH");
  for (const std::string_view dir : Split(path == nullptr ? "" : path, ':')) {
    const std::string program = std::string(dir) + "/bwrap";
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return "bwrap";
}

// Creates our ends and the bot's ends of all pipes. The latter are closed once the bot has started.
struct FarEnds {
  Fd script, status, input, output, errors;
};

absl::Status MakePipes(BlankSandbox* blank, FarEnds* far) {
  const auto write_here = [](absl::StatusOr<Pipe> pipe, Fd* near_end, Fd* far_end) {
    RETURN_IF_ERROR(pipe.status());
    *near_end = std::move(pipe->write_end);
    *far_end = std::move(pipe->read_end);
    return absl::OkStatus();
  };
  const auto read_here = [](absl::StatusOr<Pipe> pipe, Fd* near_end, Fd* far_end) {
    RETURN_IF_ERROR(pipe.status());
    *near_end = std::move(pipe->read_end);
    *far_end = std::move(pipe->write_end);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(write_here(MakeQuietPipe(), &blank->script, &far->script));
  RETURN_IF_ERROR(read_here(MakeUnbreakablePipe(), &blank->status, &far->status));
  // The bot's own pipes. A round trip through pipes takes a third as long as through a socket.
  RETURN_IF_ERROR(write_here(MakePipe(), &blank->input, &far->input));
  RETURN_IF_ERROR(read_here(MakePipe(), &blank->output, &far->output));
  RETURN_IF_ERROR(read_here(MakePipe(), &blank->errors, &far->errors));
  RETURN_IF_ERROR(SetNonBlocking(blank->status));
  RETURN_IF_ERROR(SetNonBlocking(blank->input));
  RETURN_IF_ERROR(SetNonBlocking(blank->output));
  return SetNonBlocking(blank->errors);
}

}  // namespace

BlankSandbox::~BlankSandbox() {
  if (!process.pidfd.is_open()) return;
  // The shell ends with its script, and bubblewrap reaps it. If bubblewrap were killed, the shell
  // would remain as a zombie where this is the first process of a container.
  script.Close();
  if (!WaitReadable(process.pidfd.get(), -1, kDiscardTimeMs).ok()) {
    syscall(SYS_pidfd_send_signal, process.pidfd.get(), SIGKILL, nullptr, 0);
  }
  ReapChild(process.pid);
}

SandboxStock& SandboxStock::Get() {
  static SandboxStock stock;
  return stock;
}

SandboxStock::SandboxStock(std::chrono::milliseconds lifetime)
    : lifetime_(lifetime),
      roots_(CgroupRoots::Find()),
      bwrap_(FindBubblewrap()),
      filter_(MakeSandboxFilter()),
      thread_([this] { Run(); }) {}

SandboxStock::~SandboxStock() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

absl::StatusOr<Child> SandboxStock::Spawn(const SpawnPlan& plan) {
  absl::StatusOr<Child> child = absl::InternalError("not started");
  Do([&] { child = triarch::Spawn(plan); });
  return child;
}

absl::StatusOr<std::unique_ptr<BlankSandbox>> SandboxStock::Take(const ProcessLimits& limits) {
  {
    MutexLock lock(&mutex_);
    while (limits_ != limits && !ready_.empty()) DiscardOldest();
    limits_ = limits;
    is_wanted_ = true;
    refill_at_ = Clock::now() + (joins_slowly_ ? kSlowRefillDelay : kRefillDelay);
    changed_.NotifyAll();
    DiscardExpired();
    while (!ready_.empty()) {
      const bool is_alive = !WaitReadable(ready_.front()->process.pidfd.get(), -1, 0).ok();
      if (!is_alive) {
        DiscardOldest();
        continue;
      }
      std::unique_ptr<BlankSandbox> blank = std::move(ready_.front());
      ready_.pop_front();
      ++taken_;
      return blank;
    }
  }
  absl::StatusOr<std::unique_ptr<BlankSandbox>> blank = absl::InternalError("not started");
  Do([&] { blank = Make(limits); });
  return blank;
}

int64_t SandboxStock::taken() const {
  MutexLock lock(&mutex_);
  return taken_;
}

size_t SandboxStock::ready() const {
  MutexLock lock(&mutex_);
  return ready_.size();
}

void SandboxStock::Do(const std::function<void()>& work) {
  MutexLock lock(&mutex_);
  work_.push_back(&work);
  changed_.NotifyAll();
  while (std::find(work_.begin(), work_.end(), &work) != work_.end()) changed_.Wait(&mutex_);
}

bool SandboxStock::IsToRefill() const { return is_wanted_ && ready_.size() < kFull; }

void SandboxStock::DiscardOldest() {
  ready_.front()->script.Close();  // so that it ends meanwhile
  discarded_.push_back(std::move(ready_.front()));
  ready_.pop_front();
}

void SandboxStock::DiscardExpired() {
  const Clock::time_point now = Clock::now();
  while (!ready_.empty() && now >= ready_.front()->made_at + lifetime_) DiscardOldest();
  if (now >= refill_at_ + kLifetimesUnused * lifetime_) is_wanted_ = false;
}

void SandboxStock::WaitForWork() {
  while (!is_ending_ && work_.empty()) {
    DiscardExpired();
    if (!discarded_.empty()) return;
    Clock::time_point next = Clock::now() + lifetime_;
    if (IsToRefill() && Clock::now() >= refill_at_) return;
    if (IsToRefill()) next = refill_at_;
    if (!ready_.empty()) next = std::min(next, ready_.front()->made_at + lifetime_);
    changed_.WaitUntil(&mutex_, next);
  }
}

void SandboxStock::Run() {
  // What is mounted outside later does not appear in the sandboxes, whose processes inherit this.
  if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0) {
    syscall(SYS_mount, nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  }
  mutex_.Lock();
  while (true) {
    WaitForWork();
    if (is_ending_) break;
    if (!work_.empty()) {
      const std::function<void()>* work = work_.front();
      mutex_.Unlock();
      (*work)();
      mutex_.Lock();
      work_.pop_front();
      changed_.NotifyAll();
    } else if (!discarded_.empty()) {
      std::unique_ptr<BlankSandbox> last = std::move(discarded_.back());
      discarded_.pop_back();
      mutex_.Unlock();
      last.reset();
      mutex_.Lock();
    } else {
      Refill();
    }
  }
  while (!ready_.empty()) DiscardOldest();
  const std::vector<std::unique_ptr<BlankSandbox>> rest = std::move(discarded_);
  mutex_.Unlock();
}

void SandboxStock::Refill() {
  const ProcessLimits limits = limits_;
  mutex_.Unlock();
  absl::StatusOr<std::unique_ptr<BlankSandbox>> blank = Make(limits);
  mutex_.Lock();
  if (!blank.ok()) {
    is_wanted_ = false;  // until the next one is requested, which reports the error
    return;
  }
  joins_slowly_ = (*blank)->group && (*blank)->group->joins_slowly();
  if (limits == limits_) {
    ready_.push_back(*std::move(blank));
  } else {
    discarded_.push_back(*std::move(blank));
  }
}

absl::StatusOr<std::unique_ptr<BlankSandbox>> SandboxStock::Make(const ProcessLimits& limits) {
  RETURN_IF_ERROR(filter_.status());
  auto blank = std::make_unique<BlankSandbox>();
  blank->limits = limits;
  blank->made_at = Clock::now();
  blank->user = PickUser(users_++);
  blank->group = Cgroup::Make(
      roots_, {.memory_bytes = limits.memory_bytes, .processes = limits.processes + kOwnProcesses});
  RETURN_IF_ERROR(SpawnInto(blank.get()));
  return blank;
}

absl::Status SandboxStock::SpawnInto(BlankSandbox* blank) {
  FarEnds far;
  RETURN_IF_ERROR(MakePipes(blank, &far));
  ASSIGN_OR_RETURN(const Fd filter, MakeMemoryFile(*filter_));
  ASSIGN_OR_RETURN(const Fd options, MakeMemoryFile(SandboxOptions(blank->limits.tmp_bytes)));
  ASSIGN_OR_RETURN(const Fd processors, MakeMemoryFile(SandboxProcessors()));
  SpawnPlan plan;
  plan.command = {bwrap_, "--args", std::to_string(kOptionsFd), "--", "/bin/sh"};
  plan.environment = SandboxEnvironment();
  plan.dir = "/";
  plan.uid = blank->user;
  // bubblewrap arranges this itself (--die-with-parent) before the shell starts. If it were killed
  // earlier, or by writing to a broken pipe, its child would wait for ever. The shell ends with its
  // script.
  plan.ends_with_parent = false;
  plan.fds.assign(kSandboxFds, -1);
  plan.fds[kScriptFd] = far.script.get();
  plan.fds[kReadyFd] = far.status.get();
  plan.fds[kErrorsFd] = far.errors.get();
  plan.fds[kInputFd] = far.input.get();
  plan.fds[kOutputFd] = far.output.get();
  plan.fds[kOptionsFd] = options.get();
  plan.fds[kFilterFd] = filter.get();
  plan.fds[kStatusFd] = far.status.get();
  plan.fds[kProcessorsFd] = processors.get();
  if (blank->group) plan.groups = blank->group->joins();
  plan.limits = ResourceLimits(*blank);
  ASSIGN_OR_RETURN(blank->process, triarch::Spawn(plan));
  return SendAll(blank->script, ReportReady());
}

}  // namespace triarch
