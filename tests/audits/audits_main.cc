// Implements `triarch-audits`: measures what audits find and cost by simulation.

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/audits/audit_book.h"
#include "tests/audits/simulated_audits.h"

namespace triarch::audits {
namespace {

struct Scenario {
  const char* name;
  const char* description;
  void (*change)(Setting& setting);
};
constexpr Scenario kScenarios[] = {
    {"honest", "nobody lies", [](Setting& setting) { setting.forgers = 0; }},
    {"forgers", "a tenth of the workers forge, each alone", [](Setting&) {}},
    {"accomplices", "workers of other owners confirm what the forgers report",
     [](Setting& setting) {
       if (setting.accomplices == 0) setting.accomplices = 0.1;
     }},
    {"end", "forgers forge only in the last tenth of their games",
     [](Setting& setting) { setting.forged_part = 0.1; }},
    {"names", "as many idle names as workers, all of one owner, confirm what forgers report",
     [](Setting& setting) { setting.idle_names = setting.workers; }},
    {"auditors", "a tenth of the workers answer a tenth of their audits falsely",
     [](Setting& setting) {
       setting.forgers = 0;
       setting.lying_auditors = 0.1;
     }},
};

double Percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// Prints a line for each rate and number of games.
int Run(Setting setting, const std::vector<double>& rates, const std::vector<int64_t>& games) {
  std::printf("forged  games  found    cost  liars found  honest blamed   held  settled\n");
  for (const double rate : rates) {
    for (const int64_t count : games) {
      setting.forging_rate = rate / 100;
      setting.games = count;
      const Totals totals = Simulate(setting);
      std::printf(
          "%5.1f%% %6lld %5.1f%%  %5.1f%%  %11lld  %13lld  %5.0f  %5.0f s\n", rate,
          static_cast<long long>(count), 100 - Percent(totals.forged_counted, totals.forged),
          Percent(totals.audit_games, totals.games), static_cast<long long>(totals.liars_found),
          static_cast<long long>(totals.honest_blamed), totals.held_games, totals.settled_seconds);
      std::fflush(stdout);
      if (totals.undecided > 0) {
        std::printf("error: %lld reports are held for ever\n",
                    static_cast<long long>(totals.undecided));
        return 1;
      }
    }
  }
  return 0;
}

int64_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

// Holds many reports of trusted workers, and measures memory and time.
int MeasureSize(const Setting& setting, int64_t reports) {
  constexpr int64_t kGames = 20;
  AuditBook book({}, "size");
  AuditBook::PassCounts passes;
  std::vector<Auditor> workers;
  for (int64_t i = 0; i < setting.workers; ++i) {
    workers.push_back(
        {.worker = "worker" + std::to_string(i), .owner = "owner" + std::to_string(i % 1000)});
    passes[{workers.back().worker, 1}] = 100;
  }
  auto seconds = [start = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start, now)).count();
  };
  book.Restore(passes);
  AuditBook::Time now{std::chrono::hours(1)};
  for (const Auditor& worker : workers) book.NoteAlive(worker, now);
  const int64_t before = AllocatedBytes();
  seconds();
  std::vector<int64_t> games(static_cast<size_t>(kGames));
  for (int64_t id = 1; id <= reports; ++id) {
    const Auditor& worker = workers[static_cast<size_t>(id % setting.workers)];
    std::iota(games.begin(), games.end(), id * kGames);
    book.Hold({.id = id,
               .tournament = 1,
               .worker = worker.worker,
               .owner = worker.owner,
               .audits = setting.audits,
               .games = games});
  }
  const auto held = static_cast<double>(reports);
  std::printf("%.0f bytes and %.1f us to hold a report of %lld games\n",
              static_cast<double>(AllocatedBytes() - before) / held, 1e6 * seconds() / held,
              static_cast<long long>(kGames));
  const int64_t audits = book.Views().at(1).open_audits;
  seconds();
  book.Tick([](const std::string&, int64_t) { return true; }, now);
  std::printf("%.1f us to draw each of %lld auditors\n",
              1e6 * seconds() / static_cast<double>(audits), static_cast<long long>(audits));
  for (const Auditor& worker : workers) {
    while (const auto audit = book.Next(
               worker, [](int64_t) { return true; }, now)) {
      book.Answer(audit->id, worker, "true", "true", now);
    }
  }
  std::printf("%.1f us to lease and answer an audit\n",
              1e6 * seconds() / static_cast<double>(audits));
  book.Settle(1);
  std::printf("%.2f s to settle, which opens %lld audits\n", seconds(),
              static_cast<long long>(book.Views().at(1).open_audits));
  return 0;
}

int Main(int argc, char** argv) {
  CLI::App app("Measures what audits of recorded games find and cost, with simulated workers.");
  app.require_subcommand(1);
  Setting setting;
  std::vector<double> rates = {10};
  std::vector<int64_t> games = {100, 300, 1000, 3000, 10'000};
  double accomplices = 0;
  std::function<int()> run;
  for (const Scenario& scenario : kScenarios) {
    CLI::App* command = app.add_subcommand(scenario.name, scenario.description);
    command->add_option("--workers", setting.workers)->capture_default_str();
    command->add_option("--games", games, "Games of each worker")->capture_default_str();
    command->add_option("--rate", rates, "Forged games of a forger, %")->capture_default_str();
    command->add_option("--audits", setting.audits, "Later audits to pass")->capture_default_str();
    command->add_option("--accomplices", accomplices, "Of all workers, %")->capture_default_str();
    command->add_option("--own", setting.own_workers, "Workers of the operator")
        ->capture_default_str();
    command->add_option("--lead", setting.rules.lead)->capture_default_str();
    command->add_flag("--trusted", setting.is_trusted, "All passed audits earlier");
    command->add_option("--seed", setting.seed)->capture_default_str();
    command->callback([&] {
      run = [&] {
        setting.accomplices = accomplices / 100;
        scenario.change(setting);
        return Run(setting, rates, games);
      };
    });
  }
  int64_t reports = 1'000'000;
  CLI::App* size = app.add_subcommand("size", "memory and time of many held reports");
  size->add_option("--reports", reports)->capture_default_str();
  size->callback([&] { run = [&] { return MeasureSize(setting, reports); }; });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run();
}

}  // namespace
}  // namespace triarch::audits

int main(int argc, char** argv) { return triarch::audits::Main(argc, argv); }
