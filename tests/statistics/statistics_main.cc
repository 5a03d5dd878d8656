// Implements `triarch-statistics`: checks the figures of the statistical methods by simulation.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/statistics/experiments.h"

namespace triarch::statistics {
namespace {

// A simulated experiment, and how many runs take a few minutes of CPU time.
struct Simulation {
  const char* name;
  const char* description;
  int runs;
  std::vector<Figure> (*measure)(const Runs&);
};
constexpr Simulation kSimulations[] = {
    {"test", "Error rates of sequential tests (10 000 runs take hours)", 200, MeasureTests},
    {"test-cost", "Cost and estimates of a sequential test by the true difference", 200,
     MeasureTestCosts},
    {"best-of", "Cost of finding the best of several variants, and how often it is found", 500,
     MeasureBestOf},
    {"swiss", "How well Swiss events find the best bots", 1000, MeasureSwiss},
    {"adaptive", "Games that adaptive pairing takes, and coverage", 300, MeasureAdaptive},
    {"spsa", "What SPSA leaves to gain on a quadratic loss", 100, MeasureSpsa},
    {"coalition",
     "How often coalitions and honest pools are flagged (a fifth as many runs with "
     "coalitions)",
     1000, MeasureCoalition},
};

// Prints the table. Returns 1 if a bar is missed.
int Report(const std::vector<Figure>& figures) {
  std::fputs(TableOf(figures).c_str(), stdout);
  int bars = 0;
  int missed = 0;
  for (const Figure& figure : figures) {
    bars += HasBar(figure) ? 1 : 0;
    missed += IsMet(figure) ? 0 : 1;
  }
  std::printf("%d of %d bars missed\n", missed, bars);
  return missed == 0 ? 0 : 1;
}

int ReportFit(const std::vector<std::string>& databases) {
  const absl::StatusOr<std::vector<Figure>> figures = MeasureFit(databases);
  if (figures.ok()) return Report(*figures);
  std::fprintf(stderr, "error: %s\n", std::string(figures.status().message()).c_str());
  return 1;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Measures the statistical methods beside reference values from independent "
      "programs. Exits with 1 if a figure's 95 % interval misses its bar.");
  app.require_subcommand(1);
  std::function<int()> run;
  Runs runs;
  for (const Simulation& simulation : kSimulations) {
    CLI::App* command = app.add_subcommand(simulation.name, simulation.description);
    command->add_option("--runs", runs.runs, "Simulations of each kind")
        ->check(CLI::Range(2, 1'000'000))
        ->default_str(std::to_string(simulation.runs));
    command->add_option("--seed", runs.seed, "The same seed gives the same figures")
        ->capture_default_str();
    command->add_option("--threads", runs.threads)
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->callback([&] {
      run = [&] {
        if (runs.runs == 0) runs.runs = simulation.runs;
        return Report(simulation.measure(runs));
      };
    });
  }
  std::vector<std::string> databases;
  CLI::App* fit = app.add_subcommand(
      "fit", "How well the model predicts real games, compared with its reverse");
  fit->add_option("DB", databases, "SQLite databases of games of three")->required();
  fit->callback([&] { run = [&] { return ReportFit(databases); }; });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run();
}

}  // namespace
}  // namespace triarch::statistics

int main(int argc, char** argv) { return triarch::statistics::Main(argc, argv); }
