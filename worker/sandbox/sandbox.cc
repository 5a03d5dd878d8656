#include "worker/sandbox/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_format.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "worker/sandbox/bot_process_tree.h"
#include "worker/sandbox/sandbox_folder.h"
#include "worker/sandbox/sandbox_view.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

constexpr int kStartTimeMs = 10'000;
constexpr int kEndTimeMs = 5'000;
constexpr mode_t kForAll = S_IROTH | S_IXOTH;

void SignalTo(const Fd& pidfd, int signal) {
  if (pidfd.is_open()) syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0);
}

bool HasEnded(const Fd& pidfd, int timeout_ms) {
  return !pidfd.is_open() || WaitReadable(pidfd.get(), -1, timeout_ms).ok();
}

// Reaps a child process, if it is ours.
void Reap(const Fd& pidfd) {
  if (pidfd.is_open()) waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), nullptr, WEXITED | WNOHANG);
}

std::string AvailableText(const Fd& fd) {
  std::string text;
  std::array<char, 1024> bytes;
  ssize_t count = 0;
  while ((count = read(fd.get(), bytes.data(), bytes.size())) > 0) {
    text.append(bytes.data(), static_cast<size_t>(count));
  }
  return text;
}

// Returns whether users other than root can reach the folder.
bool IsReachable(const std::string& dir) {
  std::error_code error;
  fs::path path;
  for (const fs::path& part : fs::canonical(dir, error)) {
    path /= part;
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || (status.st_mode & S_IXOTH) == 0) return false;
  }
  return true;
}

absl::Status NotForAll(const std::string& dir) {
  return absl::PermissionDeniedError(
      dir + ": sandboxed bots do not run as root; make the folder readable by all users");
}

// Opens the folder with the files that the bot sees as its own. Requires: it has one.
absl::StatusOr<SourceFolder> OpenFolder(const BotSpec& spec) {
  if (!spec.dir.starts_with('/') || fs::path(spec.dir).lexically_normal() == "/") {
    return absl::InvalidArgumentError(Quote(spec.dir) + " is not a valid folder for a bot");
  }
  SourceFolder source = {.path = spec.copy.empty() ? spec.dir : spec.copy, .fd = {}};
  source.fd = Fd(open(source.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!source.fd.is_open()) return absl::NotFoundError(source.path + ": " + std::strerror(errno));
  struct stat status;
  if (geteuid() == 0 &&
      (fstat(source.fd.get(), &status) != 0 || (status.st_mode & kForAll) != kForAll)) {
    return NotForAll(source.path);
  }
  return source;
}

// Returns the error for a machine that cannot sandbox bots; `why` comes from bubblewrap or the
// system.
absl::Status Explained(std::string_view why) {
  return absl::FailedPreconditionError("cannot sandbox bots: " + std::string(Trim(why)) +
                                       ". Sandboxing needs bubblewrap (bwrap), Linux 5.12 and user "
                                       "namespaces, which containers must allow; "
                                       "`sandbox: none` runs bots without a sandbox");
}

std::string SignalText(int signal) {
  std::string text = strsignal(signal);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(text[0]));
  return absl::StrFormat("signal %d (%s)", signal, text);
}

}  // namespace

struct BotProcess::Parts {
  bool is_sandboxed = true;
  Child process = {};  // in a sandbox: bubblewrap, which exits like the bot
  Fd init;             // in a sandbox: its first process; the others end with it
  Fd input;
  Fd output;
  Fd errors;
  Fd status;
  std::string mark;  // without a sandbox: a variable in the environment
  std::unique_ptr<Cgroup> group;
  int64_t memory_bytes = 0;  // the limit
  nanoseconds cpu_time{0};   // the last result

  absl::Status StartSandboxed(const BotSpec& spec, const ProcessLimits& limits);
  absl::Status StartBare(const BotSpec& spec);
  absl::Status Begin(const BotSpec& spec, const SourceFolder& source, BlankSandbox* blank);
  void FindInit(pid_t pid);
  absl::Status WaitForInit();
  void Kill();
  ~Parts();
};

absl::Status BotProcess::Parts::StartSandboxed(const BotSpec& spec, const ProcessLimits& limits) {
  SourceFolder source;
  if (!spec.dir.empty()) {
    ASSIGN_OR_RETURN(source, OpenFolder(spec));
  }
  const absl::StatusOr<std::unique_ptr<BlankSandbox>> blank = SandboxStock::Get().Take(limits);
  if (!blank.ok()) return Explained(std::string(blank.status().message()));
  process = std::move((*blank)->process);
  group = std::move((*blank)->group);
  memory_bytes = limits.memory_bytes;
  input = std::move((*blank)->input);
  output = std::move((*blank)->output);
  errors = std::move((*blank)->errors);
  status = std::move((*blank)->status);
  const absl::Status begun = Begin(spec, source, blank->get());
  if (begun.ok() || absl::IsPermissionDenied(begun)) return begun;
  (*blank)->script.Close();
  HasEnded(process.pidfd, kEndTimeMs);
  const std::string said = AvailableText(errors);
  return Explained(said.empty() ? std::string(begun.message()) : said);
}

absl::Status BotProcess::Parts::Begin(const BotSpec& spec, const SourceFolder& source,
                                      BlankSandbox* blank) {
  RETURN_IF_ERROR(WaitForInit());
  if (source.fd.is_open()) {
    const absl::Status shown = ShowFolder(source, init, blank->user, spec.dir);
    // Where root has few rights, it is shown as the bot's user.
    if (!shown.ok() && blank->user && !IsReachable(source.path)) return NotForAll(source.path);
    RETURN_IF_ERROR(shown);
  }
  RETURN_IF_ERROR(
      SendAll(blank->script, StartBot(spec.command, spec.dir, blank->limits.processes)));
  blank->script.Close();
  return absl::OkStatus();
}

absl::Status BotProcess::Parts::WaitForInit() {
  std::string text;
  while (text.find(kReady) == std::string::npos) {
    RETURN_IF_ERROR(WaitReadable(status.get(), process.pidfd.get(), kStartTimeMs));
    const std::string more = AvailableText(status);
    if (more.empty()) return absl::FailedPreconditionError("bubblewrap exited");
    text += more;
  }
  FindInit(static_cast<pid_t>(NumberInStatus(text, "child-pid")));
  return init.is_open() ? absl::OkStatus() : absl::FailedPreconditionError("bubblewrap exited");
}

// The process may have ended and its number may have been reused, so check its parent. The parent
// is bubblewrap or, if bubblewrap has ended and this process adopts orphans (as the first process
// of a container), this one.
void BotProcess::Parts::FindInit(pid_t pid) {
  Fd found(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const pid_t parent = ParentOf(pid);
  if (found.is_open() && (parent == process.pid || parent == getpid())) init = std::move(found);
}

absl::Status BotProcess::Parts::StartBare(const BotSpec& spec) {
  static std::atomic<int64_t> count = 0;
  is_sandboxed = false;
  mark = absl::StrFormat("TRIARCH_BOT=%d-%d", getpid(), count.fetch_add(1));
  ASSIGN_OR_RETURN(Pipe in, MakePipe());
  ASSIGN_OR_RETURN(Pipe out, MakePipe());
  ASSIGN_OR_RETURN(Pipe err, MakePipe());
  SpawnPlan plan = {.command = spec.command,
                    .environment = {mark, "TRIARCH_PROGRAM=" + ThisProgram()},
                    .dir = spec.dir,
                    .fds = {in.read_end.get(), out.write_end.get(), err.write_end.get()},
                    .groups = {},
                    .limits = {},
                    .uid = {}};
  // Triarch's own variables may be secrets, such as the key of a language model.
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("TRIARCH_")) plan.environment.emplace_back(*entry);
  }
  ASSIGN_OR_RETURN(process, SandboxStock::Get().Spawn(plan));
  input = std::move(in.write_end);
  output = std::move(out.read_end);
  errors = std::move(err.read_end);
  RETURN_IF_ERROR(SetNonBlocking(input));
  RETURN_IF_ERROR(SetNonBlocking(output));
  return SetNonBlocking(errors);
}

void BotProcess::Parts::Kill() {
  if (!process.pidfd.is_open()) return;
  if (is_sandboxed) {
    // The kernel kills a whole PID namespace with its first process; bubblewrap then reaps that one
    // and exits too.
    SignalTo(init.is_open() ? init : process.pidfd, SIGKILL);
  } else {
    SignalTo(process.pidfd, SIGKILL);
    KillSessionAndMarked(process.pid, mark);
  }
}

BotProcess::Parts::~Parts() {
  Kill();
  if (!HasEnded(process.pidfd, kEndTimeMs)) SignalTo(process.pidfd, SIGKILL);
  HasEnded(process.pidfd, kEndTimeMs);
  // The first process ends after all others in its namespace.
  HasEnded(init, kEndTimeMs);
  Reap(process.pidfd);
  // It was bubblewrap's child. Since bubblewrap has ended, it is ours if this is the first process
  // of a container.
  Reap(init);
}

BotProcess::BotProcess(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
BotProcess::~BotProcess() = default;

absl::StatusOr<std::unique_ptr<BotProcess>> BotProcess::Start(const BotSpec& spec,
                                                              const ProcessLimits& limits) {
  if (spec.command.empty()) return absl::InvalidArgumentError("a process bot needs a command");
  if (spec.is_sandboxed) {
    RETURN_IF_ERROR(CheckSandbox());
    return StartSandboxed(spec, limits);
  }
  auto parts = std::make_unique<Parts>();
  RETURN_IF_ERROR(parts->StartBare(spec));
  return std::unique_ptr<BotProcess>(new BotProcess(std::move(parts)));
}

absl::StatusOr<std::unique_ptr<BotProcess>> BotProcess::StartSandboxed(
    const BotSpec& spec, const ProcessLimits& limits) {
  auto parts = std::make_unique<Parts>();
  RETURN_IF_ERROR(parts->StartSandboxed(spec, limits));
  return std::unique_ptr<BotProcess>(new BotProcess(std::move(parts)));
}

int BotProcess::input() const { return parts_->input.get(); }
int BotProcess::output() const { return parts_->output.get(); }
int BotProcess::errors() const { return parts_->errors.get(); }
int BotProcess::pidfd() const { return parts_->process.pidfd.get(); }
void BotProcess::Kill() { parts_->Kill(); }

absl::StatusOr<nanoseconds> BotProcess::CpuTime() const {
  nanoseconds time(0);
  if (parts_->group) {
    const auto of_group = parts_->group->CpuTime();
    if (!of_group) return absl::InternalError("cannot read the control group's CPU time");
    time = *of_group;
  } else {
    time = CpuTimeOfTree(parts_->process.pid);
  }
  // Time that moves from a process to its parent during the measurement may be missed.
  parts_->cpu_time = std::max(parts_->cpu_time, time);
  return parts_->cpu_time;
}

std::string BotProcess::DescribeExit() const {
  siginfo_t info = {};
  const int result =
      waitid(P_PIDFD, static_cast<id_t>(pidfd()), &info, WEXITED | WNOWAIT | WNOHANG);
  if (result != 0 || info.si_pid == 0) return std::string(kStillRunning);
  constexpr int kSignalCode = 128;
  int code = info.si_status;
  bool is_signal = info.si_code != CLD_EXITED;
  if (parts_->is_sandboxed && !is_signal && code > kSignalCode && code <= kSignalCode + 64) {
    is_signal = true;
    code -= kSignalCode;
  }
  std::string text = is_signal ? SignalText(code) : absl::StrFormat("exit code %d", code);
  if (parts_->group && parts_->group->RanOutOfMemory()) {
    text += absl::StrFormat(", out of memory (at most %d MiB)", parts_->memory_bytes >> 20);
  }
  return text;
}

std::string BotProcess::DescribeMemory() const {
  if (!parts_->group) return "";
  const int64_t limit = parts_->memory_bytes;
  if (parts_->group->RanOutOfMemory()) {
    return absl::StrFormat("it ran out of memory (at most %d MiB)", limit >> 20);
  }
  const int64_t used = parts_->group->MemoryUsed().value_or(0);
  if (used < limit / 4) return "";
  return absl::StrFormat("it used %d of at most %d MiB of memory", used >> 20, limit >> 20);
}

// Starts a program that does nothing, because bubblewrap may fail late (many containers do not
// allow mounting /proc), and so may showing a folder.
absl::Status BotProcess::TrySandbox() {
  ASSIGN_OR_RETURN(
      const std::unique_ptr<BotProcess> bot,
      StartSandboxed({.name = "check", .bot = "", .command = {"true"}, .dir = "/usr"}, {}));
  if (!HasEnded(bot->parts_->process.pidfd, kStartTimeMs)) return Explained("it does not exit");
  const std::string how = bot->DescribeExit();
  if (how == "exit code 0") return absl::OkStatus();
  return Explained(AvailableText(bot->parts_->errors) + " (" + how + ")");
}

absl::Status CheckSandbox() {
  static Mutex mutex;
  static bool is_working ABSL_GUARDED_BY(mutex) = false;
  MutexLock lock(&mutex);
  if (is_working) return absl::OkStatus();
  RETURN_IF_ERROR(BotProcess::TrySandbox());
  is_working = true;
  return absl::OkStatus();
}

}  // namespace triarch
