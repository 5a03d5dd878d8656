#include "worker/sandbox/sandbox_view.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include "core/base/text.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

class Options {
 public:
  void Add(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
      text_ += word;
      text_ += '\0';
    }
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

// Where a sandbox shows this program, so that a bot can ask `triarch rules`.
constexpr std::string_view kProgram = "/run/triarch";

// Shows programs and libraries. On Debian /bin, /lib and so on are links into /usr.
void ShowSystem(Options* options) {
  options->Add({"--ro-bind", "/usr", "/usr"});
  for (const char* path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_symlink(status)) {
      options->Add({"--symlink", fs::read_symlink(path, error).string(), path});
    } else if (fs::is_directory(status)) {
      options->Add({"--ro-bind", path, path});
    }
  }
  // Shows only the files of /etc that are needed to find and start programs.
  for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache"}) {
    options->Add({"--ro-bind-try", path, path});
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/etc", error)) {
    const std::string path = entry.path();
    if (path.starts_with("/etc/java-")) options->Add({"--ro-bind-try", path, path});
  }
}

// The files of /proc, beyond those of processes, that anyone may read and that tell which machine
// this is or how busy it is. The latter also carries messages between bots: one works or waits, and
// another sees it.
constexpr std::array kHiddenFiles = {
    "/proc/buddyinfo", "/proc/cgroups",    "/proc/cmdline",   "/proc/config.gz",
    "/proc/diskstats", "/proc/interrupts", "/proc/key-users", "/proc/loadavg",
    "/proc/modules",   "/proc/partitions", "/proc/schedstat", "/proc/softirqs",
    "/proc/swaps",     "/proc/uptime",     "/proc/vmstat",    "/proc/zoneinfo"};
constexpr std::array kHiddenFolders = {"/proc/fs", "/proc/irq", "/proc/pressure", "/proc/sys"};

// Shows the bot's own processes.
void ShowProcesses(Options* options) {
  options->Add({"--proc", "/proc"});
  std::error_code error;
  for (const char* path : kHiddenFiles) {
    if (fs::exists(path, error)) options->Add({"--dev-bind", "/dev/null", path});
  }
  for (const char* path : kHiddenFolders) {
    if (!fs::exists(path, error)) continue;
    options->Add({"--size", "4096", "--perms", "0555", "--tmpfs", path, "--remount-ro", path});
  }
  options->Add({"--ro-bind-data", std::to_string(kProcessorsFd), "/proc/stat"});
}

// Does not use --dev, which adds terminals and a second user namespace for them.
void ShowDevices(Options* options) {
  for (const char* path : {"/dev/null", "/dev/zero", "/dev/urandom"}) {
    options->Add({"--dev-bind", path, path});
  }
  options->Add({"--symlink", "urandom", "/dev/random"});
  options->Add({"--symlink", "/proc/self/fd", "/dev/fd"});
  options->Add({"--symlink", "/proc/self/fd/0", "/dev/stdin"});
  options->Add({"--symlink", "/proc/self/fd/1", "/dev/stdout"});
  options->Add({"--symlink", "/proc/self/fd/2", "/dev/stderr"});
  options->Add({"--symlink", "/tmp", "/dev/shm"});
}

std::string Quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::string ThisProgram() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::string SandboxOptions(int64_t tmp_bytes) {
  Options options;
  options.Add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts",
               "--unshare-cgroup-try", "--die-with-parent", "--as-pid-1"});
  options.Add({"--hostname", "bot"});
  // bubblewrap outside must not be in the bot's process group, because kill(0, …) reaches a whole
  // group.
  options.Add({"--new-session"});
  options.Add({"--json-status-fd", std::to_string(kStatusFd)});
  options.Add({"--seccomp", std::to_string(kFilterFd)});
  ShowSystem(&options);
  // A bot does without the program if it was replaced while it runs.
  options.Add({"--ro-bind-try", ThisProgram(), kProgram});
  ShowProcesses(&options);
  ShowDevices(&options);
  // The only writable folder. The root is in memory too; ShowFolder adds the bot's folder to it.
  options.Add({"--size", std::to_string(tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp"});
  options.Add({"--remount-ro", "/"});
  options.Add({"--chdir", "/tmp"});
  return options.Take();
}

std::string SandboxProcessors() {
  constexpr std::string_view kTimes = " 0 0 0 0 0 0 0 0 0 0\n";
  std::string text = "cpu " + std::string(kTimes);
  for (int i = 0; i < get_nprocs(); ++i) text += "cpu" + std::to_string(i) + std::string(kTimes);
  return text;
}

std::vector<std::string> SandboxEnvironment() {
  return {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8",
          "TRIARCH_PROGRAM=" + std::string(kProgram)};
}

std::string ReportReady() { return "echo " + std::string(Trim(kReady)) + "; exec >/dev/null\n"; }

std::string StartBot(const std::vector<std::string>& command, const std::string& dir,
                     int64_t processes) {
  // cd also sets variables: PWD, which bubblewrap sets too, and OLDPWD.
  std::string line = dir.empty() ? "" : "cd " + Quoted(dir) + " && unset OLDPWD || exit; ";
  // Debian's shell names the limit p, other shells u. Adds one for the shell itself.
  const std::string count = std::to_string(processes + 1);
  line += "ulimit -p " + count + " 2>&- || ulimit -u " + count + " || exit; exec";
  for (const std::string& word : command) line += " " + Quoted(word);
  return line + " <&3 >&4 3<&- 4>&- & exec 2>&- 3<&- 4>&-; wait $!; exit $?\n";
}

int64_t NumberInStatus(std::string_view status, std::string_view name) {
  const std::string key = "\"" + std::string(name) + "\": ";
  const size_t start = status.find(key);
  if (start == std::string_view::npos) return -1;
  const std::string_view rest = status.substr(start + key.size());
  return ParseInt64(Trim(rest.substr(0, rest.find_first_of(",}")))).value_or(-1);
}

}  // namespace triarch
