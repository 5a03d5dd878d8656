// Checks that docs/metrics.md lists exactly the exported metrics, with types and labels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "tests/metrics/sample_arena.h"
#include "tests/metrics/sample_events.h"

namespace triarch {
namespace {

// By name: "counter game,termination".
using Metrics = std::map<std::string, std::string>;

// Parses the section of docs/metrics.md with that title: rows "| `name` | type | `a`, `b` | meaning
// |".
Metrics Documented(const std::string& title) {
  std::ifstream in(TRIARCH_SOURCE_DIR "/docs/metrics.md");
  Metrics metrics;
  bool is_inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) is_inside = line == "## " + title;
    if (!is_inside || !line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    for (const std::string_view cell : Split(line, '|')) {
      cells.push_back(std::regex_replace(std::string(Trim(cell)), std::regex("[` ]"), ""));
    }
    if (cells.size() != 6) {
      ADD_FAILURE() << "not four cells: " << line;
      continue;
    }
    metrics[cells[1]] = cells[2] + " " + cells[3];
    EXPECT_FALSE(cells[4].empty()) << line;
  }
  return metrics;
}

// Returns the labels of a sample, without the bucket's bound.
std::set<std::string> LabelsIn(const std::string& line) {
  static const std::regex kLabel("([a-z_]+)=\"");
  std::set<std::string> labels;
  for (std::sregex_iterator found(line.begin(), line.end(), kLabel), end; found != end; ++found) {
    if ((*found)[1] != "le") labels.insert((*found)[1]);
  }
  return labels;
}

Metrics Served(const std::string& text) {
  Metrics metrics;
  std::string name, type;
  std::map<std::string, std::set<std::string>> labels;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# TYPE ")) {
      std::istringstream(line.substr(7)) >> name >> type;
      metrics[name] = type;
    } else if (!line.starts_with("#")) {
      EXPECT_TRUE(line.starts_with(name)) << line;
      const std::set<std::string> found = LabelsIn(line);
      labels[name].insert(found.begin(), found.end());
    }
  }
  for (auto& [of, described] : metrics) {
    described += " ";
    for (const std::string& label : labels[of]) {
      described += (described.back() == ' ' ? "" : ",") + label;
    }
  }
  return metrics;
}

class MetricNames : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int64_t step = 0; step < 50; ++step) {
      RecordSampleEvents(step, coordinator_, worker_);
      arena::RecordSampleArena(step, arena_);
    }
  }

  CoordinatorMetrics coordinator_;
  WorkerMetrics worker_;
  arena::ArenaMetrics arena_;
};

TEST_F(MetricNames, CoordinatorMetricsAreDocumented) {
  Metrics expected = Documented("The coordinator");
  expected.merge(Documented("Every process"));
  EXPECT_EQ(Served(coordinator_.Text()), expected);
}

TEST_F(MetricNames, WorkerMetricsAreDocumented) {
  Metrics expected = Documented("A worker");
  expected.merge(Documented("Every process"));
  EXPECT_EQ(Served(worker_.Text()), expected);
}

TEST_F(MetricNames, ArenaMetricsAreDocumented) {
  Metrics expected = Documented("An arena");
  expected.merge(Documented("Every process"));
  EXPECT_EQ(Served(arena_.Text()), expected);
}

TEST_F(MetricNames, HaveOneMeaning) {
  const Metrics of_process = Documented("Every process");
  const Metrics of_worker = Served(worker_.Text());
  for (const auto& [name, described] : Served(coordinator_.Text())) {
    if (!of_process.contains(name)) {
      EXPECT_FALSE(of_worker.contains(name)) << name;
    }
  }
}

TEST_F(MetricNames, FollowTheConventions) {
  Metrics all = Served(coordinator_.Text());
  all.merge(Served(worker_.Text()));
  all.merge(Served(arena_.Text()));
  for (const auto& [name, described] : all) {
    EXPECT_EQ(name.ends_with("_total"), described.starts_with("counter")) << name;
    for (const char* unit : {"_ms", "_us", "_milliseconds", "_minutes", "_kb", "_percent"}) {
      EXPECT_FALSE(name.ends_with(unit)) << name;
    }
  }
}

}  // namespace
}  // namespace triarch
