#include "http/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "http/memory_use.h"
#include "prometheus/metric_family.h"
#include "prometheus/metric_type.h"

namespace triarch {
namespace {

std::optional<std::string> ReadFile(const char* path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Fields of /proc/self/stat (see proc(5)). A field that could not be read is 0.
struct Stat {
  double user_ticks = 0;
  double system_ticks = 0;
  double threads = 0;
  double start_ticks = 0;  // since boot
  double virtual_bytes = 0;
  double resident_pages = 0;
};

std::optional<Stat> ReadStat() {
  const auto text = ReadFile("/proc/self/stat");
  if (!text) return std::nullopt;
  // The second field is the program's name in parentheses, which may contain any character.
  const size_t name_end = text->rfind(')');
  if (name_end == std::string::npos || name_end + 2 > text->size()) return std::nullopt;
  const auto fields = Split(std::string_view(*text).substr(name_end + 2), ' ');
  const auto field = [&](size_t number) {  // numbered as in proc(5)
    const size_t at = number - 3;
    return at < fields.size() ? ParseDouble(fields[at]).value_or(0) : 0;
  };
  return Stat{.user_ticks = field(14),
              .system_ticks = field(15),
              .threads = field(20),
              .start_ticks = field(22),
              .virtual_bytes = field(23),
              .resident_pages = field(24)};
}

// Returns the boot time of the machine in seconds since 1970.
std::optional<double> BootTime() {
  std::ifstream in("/proc/stat");
  for (std::string word; in >> word;) {
    double value = 0;
    if (word == "btime" && in >> value) return value;
  }
  return std::nullopt;
}

std::optional<double> CountOpenFiles() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  if (folder == nullptr) return std::nullopt;
  double count = -1;  // do not count the folder itself
  for (const dirent* entry = ::readdir(folder.get()); entry != nullptr;
       entry = ::readdir(folder.get())) {
    if (entry->d_name[0] != '.') ++count;
  }
  return count;
}

std::optional<double> OpenFilesMax() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  if (limit.rlim_cur == RLIM_INFINITY) return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

prometheus::MetricFamily Family(const char* name, const char* help, prometheus::MetricType type,
                                double value) {
  prometheus::ClientMetric metric;
  (type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  prometheus::MetricFamily family;
  family.name = name;
  family.help = help;
  family.type = type;
  family.metric.push_back(std::move(metric));
  return family;
}

}  // namespace

std::vector<prometheus::MetricFamily> ProcessMetrics::Collect() const {
  using enum prometheus::MetricType;
  std::vector<prometheus::MetricFamily> families;
  const auto add = [&](const char* name, prometheus::MetricType type, const char* help,
                       double value) { families.push_back(Family(name, help, type, value)); };
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (const auto stat = ReadStat()) {
    add("process_cpu_seconds_total", Counter, "CPU time used by all threads of this process.",
        (stat->user_ticks + stat->system_ticks) / ticks_per_second);
    add("process_resident_memory_bytes", Gauge, "Resident memory of this process.",
        stat->resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE)));
    add("process_virtual_memory_bytes", Gauge, "Virtual memory of this process.",
        stat->virtual_bytes);
    add("process_threads", Gauge, "Threads of this process.", stat->threads);
    if (const auto boot_time = BootTime()) {
      add("process_start_time_seconds", Gauge, "Start time of this process since the Unix epoch.",
          *boot_time + stat->start_ticks / ticks_per_second);
    }
  }
  if (const auto files = CountOpenFiles()) {
    add("process_open_fds", Gauge, "Open file descriptors.", *files);
  }
  if (const auto files_max = OpenFilesMax()) {
    add("process_max_fds", Gauge, "Limit on open file descriptors.", *files_max);
  }
  if (const auto memory = ReadMemoryUse()) {
    add("triarch_memory_used_bytes", Gauge,
        "Memory in use in the control group or machine, whichever is nearer to its limit.",
        memory->used);
    add("triarch_memory_limit_bytes", Gauge, "Limit of that memory.", memory->limit);
  }
  return families;
}

}  // namespace triarch
