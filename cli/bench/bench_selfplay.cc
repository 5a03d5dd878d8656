#include "cli/bench/bench_selfplay.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bots/bots.h"
#include "cli/tournament/local_cluster.h"
#include "coordinator/store/store.h"
#include "core/base/check.h"
#include "core/base/temporary_folder.h"
#include "core/record/selfplay_spec.h"

namespace triarch {
namespace {

constexpr double kNoSamples = 1e-9;  // a sample rate so low that no position is sampled

// Returns the CPU time of this process in seconds.
double ProcessorTime() {
  rusage usage{};
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Played {
  double seconds = 0;  // of CPU time
  double plies = 0;
  double samples = 0;
  double bytes = 0;

  void Add(const Played& more) {
    seconds += more.seconds;
    plies += more.plies;
    samples += more.samples;
    bytes += more.bytes;
  }
};

TournamentSpec SpecOf(const GameInfo& game, const SelfplayCase& what, bool records) {
  SelfplaySpec selfplay;
  selfplay.sample_rate = records ? what.sample_rate : kNoSamples;
  // Moves are written in any case, but compressing them is a cost of recording.
  selfplay.is_deflated = records && what.is_deflated;
  TournamentSpec spec;
  spec.name = "bench";
  spec.game = game.name;
  spec.bots.push_back({.name = what.bot, .bot = what.bot, .options = {}});
  spec.games = what.games;
  spec.time_control.nodes = what.nodes;
  spec.selfplay = std::make_shared<const SelfplaySpec>(std::move(selfplay));
  return spec;
}

Played Play(const GameInfo& game, const SelfplayCase& what, bool records) {
  const TemporaryFolder folder;
  TournamentSpec spec = SpecOf(game, what, records);
  spec.data = folder / "data";
  const double began = ProcessorTime();
  const TournamentStatus status = PlayForBench(spec);
  return {.seconds = ProcessorTime() - began,
          .plies = static_cast<double>(status.plies),
          .samples = static_cast<double>(status.samples),
          .bytes = static_cast<double>(status.sample_bytes)};
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

TournamentStatus PlayForBench(const TournamentSpec& spec) {
  const TemporaryFolder folder;
  auto store = OpenSqliteStore(folder / "bench.db", OpenMode::kCreate).value();
  const int64_t id = store->OpenTournament(spec).value();
  const auto make_player = [](const GameInfo& of, const BotSpec& bot) {
    return MakePlayer(of, bot);
  };
  const auto local = LocalCluster::Start(std::move(store), id, 1, make_player).value();
  TournamentStatus status;
  while (status.state != TournamentState::kDone) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(local->status().ok());
    status = local->coordinator().Tournament(id).value();
  }
  return status;
}

void BenchSelfplay(benchmark::State& state, const GameInfo& game, const SelfplayCase& what) {
  Played bare, recorded;
  std::vector<double> costs;
  for (auto _ : state) {
    const bool is_bare_first = costs.size() % 2 == 0;
    const Played first = Play(game, what, !is_bare_first);
    const Played second = Play(game, what, is_bare_first);
    const Played& without = is_bare_first ? first : second;
    const Played& with = is_bare_first ? second : first;
    bare.Add(without);
    recorded.Add(with);
    costs.push_back(with.seconds / without.seconds - 1);
  }
  state.counters["bare_plies"] = bare.plies / bare.seconds;
  state.counters["plies"] = recorded.plies / recorded.seconds;
  state.counters["samples"] = recorded.samples / recorded.seconds;
  state.counters["cost"] = Median(costs);
  state.counters["bytes"] = recorded.bytes / std::max(recorded.samples, 1.0);
}

}  // namespace triarch
