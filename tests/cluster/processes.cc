#include "tests/cluster/processes.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/text.h"

namespace triarch {

std::vector<Process> Processes() {
  std::vector<Process> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto pid = ParseInt64(entry.path().filename().string());
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (!pid || !std::getline(file, line)) continue;
    const size_t open = line.find('('), close = line.rfind(')');
    std::istringstream rest(line.substr(close + 2));
    std::vector<std::string> fields;
    for (std::string field; rest >> field;) fields.push_back(field);
    double ticks = 0;
    for (size_t i = 11; i < 15; ++i) ticks += std::stod(fields[i]);
    all.push_back({static_cast<int>(*pid), std::stoi(fields[1]),
                   line.substr(open + 1, close - open - 1),
                   ticks / static_cast<double>(sysconf(_SC_CLK_TCK))});
  }
  return all;
}

std::string ArgumentsOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::string words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

double MemoryOf(int pid, const std::string& line) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with(line + ":")) return std::stod(text.substr(line.size() + 1)) / 1024;
  }
  return 0;
}

}  // namespace triarch
