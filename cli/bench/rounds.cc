#include "cli/bench/rounds.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/status/status.h"
#include "cli/bench/child.h"
#include "cli/report.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

constexpr const char* kCostUnit = "recording cost";

// The figures that a build reports of one benchmark, in the order of its output, by unit.
using Figures = std::vector<std::pair<std::string, double>>;

Figures FiguresIn(const nlohmann::ordered_json& json, const std::string& benchmark) {
  Figures figures;
  for (const nlohmann::ordered_json& row :
       json.value("benchmarks", nlohmann::ordered_json::array())) {
    if (row.value("name", "") != benchmark) continue;
    figures.emplace_back(row.value("unit", ""), row.value("per_second", 0.0));
  }
  const auto selfplay = json.find("selfplay");
  if (selfplay != json.end() && selfplay->contains(benchmark)) {
    figures.emplace_back(kCostUnit, (*selfplay)[benchmark].value("recording_cost", 0.0));
  }
  return figures;
}

// Runs one benchmark. Returns nothing if the build does not know it.
absl::StatusOr<Figures> RunBenchmark(const std::string& build, const std::string& benchmark) {
  ASSIGN_OR_RETURN(const ChildResult result, RunChild({build, "bench", benchmark, "--json"}));
  if (result.exit_code == kExitUsage) return Figures();
  if (result.exit_code != kExitDone) {
    return absl::InternalError(build + " bench " + benchmark + " failed: " + result.err);
  }
  const nlohmann::ordered_json json =
      nlohmann::ordered_json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::InternalError(build + " bench " + benchmark + " --json printed no JSON");
  }
  return FiguresIn(json, benchmark);
}

// What was measured in each round, of one figure.
struct Series {
  std::string name;
  std::string unit;
  bool is_other = false;
  std::vector<double> ours = {};
  std::vector<double> theirs = {};  // empty, or as many
  std::vector<double> to_stockfish = {};
};

class Rounds {
 public:
  explicit Rounds(const RoundsPlan& plan) : plan_(plan) {}

  absl::Status MeasureRound(bool begins_with_ours) {
    std::optional<double> stockfish;
    for (const OtherProgram& other : plan_.others) {
      ASSIGN_OR_RETURN(const double rate, Measure(other));
      Series& series = SeriesOf(other.name, other.unit);
      series.is_other = true;
      series.ours.push_back(rate);
      if (other.name == kStockfishPerft) stockfish = rate;
    }
    for (const std::string& benchmark : plan_.benchmarks) {
      Figures theirs;
      if (plan_.against && !begins_with_ours) {
        ASSIGN_OR_RETURN(theirs, RunBenchmark(*plan_.against, benchmark));
      }
      ASSIGN_OR_RETURN(const Figures ours, RunBenchmark(plan_.build, benchmark));
      if (plan_.against && begins_with_ours) {
        ASSIGN_OR_RETURN(theirs, RunBenchmark(*plan_.against, benchmark));
      }
      Add(benchmark, ours, theirs, stockfish);
    }
    return absl::OkStatus();
  }

  std::vector<RoundsRow> Rows() const {
    std::vector<RoundsRow> rows;
    for (const Series& series : series_) {
      RoundsRow row{.name = series.name,
                    .unit = series.unit,
                    .is_other = series.is_other,
                    .is_cost = series.unit == kCostUnit,
                    .ours = MedianOf(series.ours)};
      if (series.theirs.size() == series.ours.size()) {
        std::vector<double> ratios;
        for (size_t i = 0; i < series.ours.size(); ++i) {
          ratios.push_back(series.ours[i] / series.theirs[i]);
        }
        row.theirs = MedianOf(series.theirs);
        row.ratio = MedianOf(std::move(ratios));
      }
      if (!series.to_stockfish.empty()) row.to_stockfish = MedianOf(series.to_stockfish);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  Series& SeriesOf(const std::string& name, const std::string& unit) {
    const auto [found, is_new] = numbers_.try_emplace({name, unit}, series_.size());
    if (is_new) series_.push_back({.name = name, .unit = unit});
    return series_[found->second];
  }

  void Add(const std::string& benchmark, const Figures& ours, const Figures& theirs,
           std::optional<double> stockfish) {
    for (const auto& [unit, value] : ours) {
      Series& series = SeriesOf(benchmark, unit);
      series.ours.push_back(value);
      if (stockfish && unit != kCostUnit) series.to_stockfish.push_back(value / *stockfish);
    }
    for (const auto& [unit, value] : theirs) {
      const auto found = numbers_.find({benchmark, unit});
      if (found != numbers_.end()) series_[found->second].theirs.push_back(value);
    }
  }

  const RoundsPlan& plan_;
  std::vector<Series> series_;
  std::map<std::pair<std::string, std::string>, size_t> numbers_;  // by name and unit
};

}  // namespace

absl::StatusOr<std::vector<RoundsRow>> MeasureInRounds(
    const RoundsPlan& plan, const std::function<void(int64_t round)>& note_round) {
  if (plan.against) {
    ASSIGN_OR_RETURN(const ChildResult version, RunChild({*plan.against, "--version"}));
    if (!version.out.starts_with("triarch ")) {
      return absl::InvalidArgumentError(*plan.against + " is not a binary of Triarch");
    }
  }
  Rounds rounds(plan);
  for (int64_t round = 0; round < plan.rounds; ++round) {
    note_round(round);
    RETURN_IF_ERROR(rounds.MeasureRound(round % 2 == 0));
  }
  return rounds.Rows();
}

}  // namespace triarch
