#include "http/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "prometheus/gauge.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// Returns the values of metrics without labels, by name.
std::map<std::string, double> Values(const std::string& text) {
  std::map<std::string, double> values;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const size_t space = line.rfind(' ');
    values[line.substr(0, space)] = std::stod(line.substr(space + 1));
  }
  return values;
}

TEST(MetricsPage, ShowsProcessMetrics) {
  const std::map<std::string, double> values = Values(MetricsPage().Text());
  EXPECT_GE(values.at("process_cpu_seconds_total"), 0);
  EXPECT_GT(values.at("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(values.at("process_virtual_memory_bytes"), values.at("process_resident_memory_bytes"));
  EXPECT_GE(values.at("process_threads"), 1);
  EXPECT_GE(values.at("process_open_fds"), 3);
  EXPECT_GT(values.at("process_max_fds"), values.at("process_open_fds"));
  EXPECT_GT(values.at("process_start_time_seconds"), 1.7e9);
  EXPECT_GT(values.at("triarch_memory_used_bytes"), 1e6);
  EXPECT_GT(values.at("triarch_memory_limit_bytes"), values.at("triarch_memory_used_bytes"));
  EXPECT_EQ(values.size(), 9u);
}

TEST(MetricsPage, ShowsRegisteredMetricsWithTypeAndHelp) {
  MetricsPage page;
  prometheus::BuildGauge()
      .Name("triarch_slots")
      .Help("Slots.")
      .Register(page.registry())
      .Add({})
      .Set(3);
  EXPECT_THAT(page.Text(), HasSubstr("# HELP triarch_slots Slots.\n"
                                     "# TYPE triarch_slots gauge\n"
                                     "triarch_slots 3\n"));
}

}  // namespace
}  // namespace triarch
