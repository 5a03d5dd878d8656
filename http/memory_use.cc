#include "http/memory_use.h"

#include <fstream>
#include <string_view>

#include "core/base/text.h"

namespace triarch {
namespace {

// Returns the number after `word` at the start of a line, which /proc/meminfo has with a colon.
std::optional<double> ReadNumber(const std::string& path, std::string_view word) {
  std::ifstream in(path);
  std::string name;
  for (double value = 0; in >> name >> value; in.ignore(100, '\n')) {
    if (name == word) return value;
  }
  return std::nullopt;
}

// Returns a file that holds one number.
std::optional<double> ReadOnly(const std::string& path) {
  std::ifstream in(path);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

// Returns the path of this process's control group, such as "/system.slice/triarch.service".
std::string ControlGroup(const std::string& proc) {
  std::ifstream in(proc + "/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "";
}

// Returns nullopt for a control group without a limit.
std::optional<MemoryUse> UseOfGroup(const std::string& folder) {
  const std::optional<double> limit = ReadOnly(folder + "/memory.max");
  const std::optional<double> current = ReadOnly(folder + "/memory.current");
  if (!limit || !current) return std::nullopt;
  const double cache = ReadNumber(folder + "/memory.stat", "inactive_file").value_or(0);
  return MemoryUse{.used = *current - cache, .limit = *limit};
}

std::optional<MemoryUse> UseOfMachine(const std::string& proc) {
  constexpr double kKilobyte = 1024;
  const std::optional<double> all = ReadNumber(proc + "/meminfo", "MemTotal:");
  const std::optional<double> available = ReadNumber(proc + "/meminfo", "MemAvailable:");
  if (!all || !available) return std::nullopt;
  return MemoryUse{.used = (*all - *available) * kKilobyte, .limit = *all * kKilobyte};
}

}  // namespace

std::optional<MemoryUse> ReadMemoryUse(const std::string& proc, const std::string& cgroups) {
  std::optional<MemoryUse> nearest = UseOfMachine(proc);
  std::string group = ControlGroup(proc);
  while (true) {
    const std::optional<MemoryUse> use = UseOfGroup(cgroups + group);
    if (use && (!nearest || use->used * nearest->limit > nearest->used * use->limit)) nearest = use;
    if (group.empty()) return nearest;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

}  // namespace triarch
