#include "worker/sandbox/cgroup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/base/text.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "triarch-bot-";
constexpr std::string_view kOwnGroup = "/triarch-worker";  // see MoveToChildGroup
constexpr std::array<const char*, 3> kControllers = {"memory", "pids", "cpuacct"};

bool WriteFile(const std::string& path, std::string_view text) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.is_open() &&
         write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

bool HasWord(std::string_view text, std::string_view word, char separator) {
  for (const std::string_view part : Split(text, separator)) {
    if (Trim(part) == word) return true;
  }
  return false;
}

// Returns the number after `key` and a space at the start of a line.
std::optional<int64_t> NumberOf(std::string_view text, std::string_view key) {
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') continue;
    return ParseInt64(line.substr(key.size() + 1));
  }
  return std::nullopt;
}

// The parts of a line of /proc/self/mountinfo that we need.
struct Mount {
  std::string_view root;   // the mounted part of the file system
  std::string_view point;  // the mount point
  std::string_view type;
  std::string_view options;
};

std::optional<Mount> ParseMount(std::string_view line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> before = Split(line.substr(0, dash), ' ');
  const std::vector<std::string_view> after = Split(line.substr(dash + 3), ' ');
  if (before.size() < 6 || after.size() < 3) return std::nullopt;
  return Mount{.root = before[3], .point = before[4], .type = after[0], .options = after[2]};
}

// Returns the folder of the group `path` in a mounted hierarchy, or "" if the hierarchy does not
// contain it.
std::string FolderOf(const Mount& mount, std::string_view path) {
  if (mount.root != "/") {
    if (!path.starts_with(mount.root)) return "";
    path.remove_prefix(mount.root.size());
  }
  if (path == "/") path = "";
  return std::string(mount.point) + std::string(path);
}

// Returns the group in the hierarchy of the controller ("" for version 2) from /proc/self/cgroup.
std::optional<std::string_view> GroupIn(std::string_view cgroups, std::string_view controller) {
  for (const std::string_view line : Split(cgroups, '\n')) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    const bool is_it =
        controller.empty() ? line.starts_with("0::") : HasWord(names, controller, ',');
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

bool MayMakeGroups(const std::string& dir) {
  return access(dir.c_str(), W_OK) == 0 && access((dir + "/cgroup.procs").c_str(), W_OK) == 0;
}

// Removes the groups of workers that no longer run. A group with processes cannot be removed.
void RemoveLeftovers(const std::string& dir) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const std::string_view numbers = std::string_view(name).substr(kPrefix.size());
    const std::optional<int64_t> pid = ParseInt64(numbers.substr(0, numbers.find('-')));
    if (pid && kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH) {
      rmdir(entry.path().c_str());
    }
  }
}

bool GivesControllers(const std::string& dir) {
  const std::string given = ReadSmallFile(dir + "/cgroup.subtree_control");
  return HasWord(given, "memory", ' ') && HasWord(given, "pids", ' ');
}

// Implements the move described at CgroupRoots::Find. If it fails, groups have no limits but still
// measure.
void MoveToChildGroup(const std::string& dir) {
  const std::string own = std::to_string(getpid());
  if (GivesControllers(dir)) return;
  if (Trim(ReadSmallFile(dir + "/cgroup.procs")) == own) {
    const std::string below = dir + std::string(kOwnGroup);
    mkdir(below.c_str(), 0755);
    WriteFile(below + "/cgroup.procs", own);
  }
  WriteFile(dir + "/cgroup.subtree_control", "+memory");
  WriteFile(dir + "/cgroup.subtree_control", "+pids");
}

}  // namespace

CgroupRoots CgroupRoots::Parse(const std::string& cgroups, const std::string& mounts) {
  CgroupRoots roots;
  for (const std::string_view line : Split(mounts, '\n')) {
    const std::optional<Mount> mount = ParseMount(line);
    if (!mount) continue;
    if (mount->type == "cgroup2" && roots.v2.empty()) {
      if (const auto group = GroupIn(cgroups, "")) roots.v2 = FolderOf(*mount, *group);
      roots.v2_top = std::string(mount->point);
    }
    if (mount->type != "cgroup") continue;
    for (const char* controller : kControllers) {
      const auto group = GroupIn(cgroups, controller);
      if (!group || !HasWord(mount->options, controller, ',')) continue;
      if (std::string dir = FolderOf(*mount, *group); !dir.empty()) roots.v1[controller] = dir;
    }
  }
  return roots;
}

CgroupRoots CgroupRoots::Find() {
  CgroupRoots roots =
      Parse(ReadSmallFile("/proc/self/cgroup"), ReadSmallFile("/proc/self/mountinfo"));
  // An earlier call already moved the process.
  if (roots.v2.ends_with(kOwnGroup)) roots.v2.resize(roots.v2.size() - kOwnGroup.size());
  std::erase_if(roots.v1, [](const auto& root) { return !MayMakeGroups(root.second); });
  if (!MayMakeGroups(roots.v2)) roots.v2.clear();
  for (const auto& [controller, dir] : roots.v1) RemoveLeftovers(dir);
  if (roots.v2.empty()) return roots;
  // If version 1 has the controllers, version 2 has none to delegate.
  if (roots.v1.empty()) MoveToChildGroup(roots.v2);
  if (!GivesControllers(roots.v2) && GivesControllers(roots.v2_top) &&
      MayMakeGroups(roots.v2_top)) {
    roots.v2 = roots.v2_top;
  }
  RemoveLeftovers(roots.v2);
  return roots;
}

std::unique_ptr<Cgroup> Cgroup::Make(const CgroupRoots& roots, const CgroupLimits& limits) {
  static std::atomic<int64_t> count = 0;
  std::unique_ptr<Cgroup> group(new Cgroup);
  group->name_ =
      std::string(kPrefix) + std::to_string(getpid()) + "-" + std::to_string(count.fetch_add(1));
  group->LimitV1(roots, limits);
  if (!group->cpu_.is_open() || !group->limits_memory_) group->LimitV2(roots, limits);
  if (!group->cpu_.is_open()) return nullptr;
  return group;
}

bool Cgroup::Add(const std::string& dir, const char* join_file) {
  if (mkdir(dir.c_str(), 0755) != 0) return false;
  dirs_.push_back(dir);
  Fd join(open((dir + "/" + join_file).c_str(), O_WRONLY | O_CLOEXEC));
  if (!join.is_open()) return false;
  joins_.push_back(std::move(join));
  return true;
}

void Cgroup::LimitV1(const CgroupRoots& roots, const CgroupLimits& limits) {
  const auto add = [&](const char* controller) -> std::string {
    const auto root = roots.v1.find(controller);
    if (root == roots.v1.end()) return "";
    const std::string dir = root->second + "/" + name_;
    // Several controllers may share a hierarchy ("cpu,cpuacct").
    const bool is_there = std::find(dirs_.begin(), dirs_.end(), dir) != dirs_.end();
    // "tasks" moves a single thread, which is enough for a new process. Moving a whole process
    // would make the kernel wait until no process starts or ends, for milliseconds.
    return is_there || Add(dir, "tasks") ? dir : "";
  };
  if (const std::string dir = add("memory"); !dir.empty()) {
    const std::string bytes = std::to_string(limits.memory_bytes);
    limits_memory_ = WriteFile(dir + "/memory.limit_in_bytes", bytes);
    WriteFile(dir + "/memory.memsw.limit_in_bytes", bytes);
    memory_used_ = dir + "/memory.usage_in_bytes";
    memory_events_ = dir + "/memory.oom_control";
  }
  if (const std::string dir = add("pids"); !dir.empty()) {
    WriteFile(dir + "/pids.max", std::to_string(limits.processes));
  }
  if (const std::string dir = add("cpuacct"); !dir.empty()) {
    cpu_ = Fd(open((dir + "/cpuacct.usage").c_str(), O_RDONLY | O_CLOEXEC));
  }
}

void Cgroup::LimitV2(const CgroupRoots& roots, const CgroupLimits& limits) {
  const std::string dir = roots.v2 + "/" + name_;
  if (roots.v2.empty() || !Add(dir, "cgroup.procs")) return;
  joins_slowly_ = true;
  if (!limits_memory_ && Exists(dir + "/memory.max")) {
    limits_memory_ = WriteFile(dir + "/memory.max", std::to_string(limits.memory_bytes));
    WriteFile(dir + "/memory.swap.max", "0");
    WriteFile(dir + "/memory.oom.group", "1");  // kill the whole bot, not one process
    memory_used_ = dir + "/memory.current";
    memory_events_ = dir + "/memory.events";
  }
  WriteFile(dir + "/pids.max", std::to_string(limits.processes));
  if (cpu_.is_open()) return;
  cpu_ = Fd(open((dir + "/cpu.stat").c_str(), O_RDONLY | O_CLOEXEC));
  is_cpu_v2_ = true;
}

Cgroup::~Cgroup() {
  joins_.clear();
  cpu_.Close();
  // A group stays busy for a moment after its last process has ended.
  constexpr int kTries = 100;
  for (const std::string& dir : dirs_) {
    for (int i = 0; i < kTries && rmdir(dir.c_str()) != 0 && errno == EBUSY; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::vector<int> Cgroup::joins() const {
  std::vector<int> fds;
  for (const Fd& join : joins_) fds.push_back(join.get());
  return fds;
}

std::optional<std::chrono::nanoseconds> Cgroup::CpuTime() const {
  std::array<char, 1024> bytes;
  const ssize_t count = pread(cpu_.get(), bytes.data(), bytes.size(), 0);
  if (count <= 0) return std::nullopt;
  const std::string_view text(bytes.data(), static_cast<size_t>(count));
  if (is_cpu_v2_) {
    const std::optional<int64_t> time = NumberOf(text, "usage_usec");
    if (!time) return std::nullopt;
    return std::chrono::microseconds(*time);
  }
  const std::optional<int64_t> time = ParseInt64(Trim(text));
  if (!time) return std::nullopt;
  return std::chrono::nanoseconds(*time);
}

std::optional<int64_t> Cgroup::MemoryUsed() const {
  if (memory_used_.empty()) return std::nullopt;
  return ParseInt64(Trim(ReadSmallFile(memory_used_)));
}

bool Cgroup::RanOutOfMemory() const {
  return !memory_events_.empty() &&
         NumberOf(ReadSmallFile(memory_events_), "oom_kill").value_or(0) > 0;
}

}  // namespace triarch
