// Measures self-play through a coordinator, single-slot workers and PostgreSQL.
//
//   cluster_data_load [--games 200] [--workers 2] [--bot greedy] [--temperature 0.5]
//                     [--data FOLDER]
//
// Plays Triumvirate with at most 400 plies, in which greedy yields about 220 samples per game:
// 50 000 games are 10^7 samples. Prints samples per second, bytes per sample, and each process's
// CPU time and peak memory (VmHWM). Then checks that each game is recorded once, that the manifest
// agrees with the coordinator, and with `triarch data verify` that every sample follows the rules;
// exits with 1 otherwise. PostgreSQL does not sync (fsync=off), so the cost of a disk comes on top.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/temporary_folder.h"
#include "selfplay/shard/manifest.h"
#include "tests/cluster/cluster.h"
#include "tests/cluster/processes.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

struct DataLoadOptions {
  int64_t games = 200;
  int workers = 2;
  std::string bot = "greedy";
  double temperature = 0.5;
  std::string data;  // empty means a temporary folder
};

std::string SpecOf(const DataLoadOptions& options, const std::string& data) {
  return "game: triumvirate\nmode: selfplay\nbots: [" + options.bot +
         "]\ngames: " + std::to_string(options.games) +
         "\nadjudication: {plies_max: 400}\nselfplay: " + "{temperature: [[0, " +
         std::to_string(options.temperature) + "]]}\noutput: {data: " + data + "}\n";
}

// Prints the work of each process; PostgreSQL's processes share a line.
void PrintProcesses() {
  const std::vector<Process> all = Processes();
  int postmaster = 0;
  for (const Process& process : all) {
    if (process.parent != getpid()) continue;
    if (process.name == "postgres") postmaster = process.pid;
    if (process.name != "triarch") continue;
    const std::string arguments = ArgumentsOf(process.pid);
    const bool is_coordinator = arguments.find(" serve ") != std::string::npos;
    std::printf("%-12s %8.1f s %8.1f MB\n", is_coordinator ? "coordinator" : "worker",
                process.cpu_seconds, MemoryOf(process.pid, "VmHWM"));
  }
  double seconds = 0, largest = 0;
  for (const Process& process : all) {
    if (process.pid != postmaster && (postmaster == 0 || process.parent != postmaster)) continue;
    seconds += process.cpu_seconds;
    largest = std::max(largest, MemoryOf(process.pid, "VmHWM"));
  }
  std::printf("%-12s %8.1f s %8.1f MB (its largest process)\n", "PostgreSQL", seconds, largest);
}

bool Check(const char* what, const std::string& is, const std::string& expected) {
  if (is == expected) return true;
  std::fprintf(stderr, "%s: %s; expected %s\n", what, is.c_str(), expected.c_str());
  return false;
}

bool CheckStore(Cluster& cluster, int64_t id, int64_t games) {
  const std::string where = " FROM games WHERE tournament = " + std::to_string(id);
  const auto ask = [&](const char* what) {
    return cluster.postgres().Ask(cluster.database(), "SELECT " + std::string(what) + where);
  };
  return Check("games recorded", ask("count(*)"), std::to_string(games)) &&
         Check("different games", ask("count(DISTINCT idx)"), std::to_string(games));
}

int64_t CountLines(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) return 0;
  const std::string text = ReadWholeFile(path);
  return std::count(text.begin(), text.end(), '\n');
}

bool CheckManifest(const std::string& data, const v1::Tournament& done) {
  const auto shards = ParseManifest(ReadWholeFile(data + "/manifest.jsonl"), "manifest");
  if (!shards.ok()) return Check("manifest", shards.status().ToString(), "a list of shards");
  int64_t games = 0, samples = 0, bytes = 0;
  for (const ShardEntry& shard : *shards) {
    games += shard.games;
    samples += shard.samples;
    bytes += shard.bytes;
  }
  return Check("games in the manifest", std::to_string(games), std::to_string(done.done())) &&
         Check("its samples", std::to_string(samples), std::to_string(done.samples())) &&
         Check("its bytes", std::to_string(bytes), std::to_string(done.sample_bytes()));
}

bool CheckSamples(const std::string& data) {
  const Clock::time_point began = Clock::now();
  const Ran ran = StartTriarch({"data", "verify", data})->Wait();
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  std::printf("data verify, %.1f s: %s%s", seconds, ran.out.c_str(), ran.err.c_str());
  return Check("its exit code", std::to_string(ran.exit_code), "0");
}

int Main(const DataLoadOptions& options) {
  const TemporaryFolder folder;
  const std::string data = options.data.empty() ? folder / "data" : options.data;
  Cluster cluster({"--data-root", data});
  cluster.Lead();
  const int64_t id = cluster.Submit({SpecOf(options, data), options.games});
  const Clock::time_point began = Clock::now();
  for (int i = 0; i < options.workers; ++i) {
    cluster.Work("worker-" + std::to_string(i), {"--slots", "1", "--data-root", data});
  }
  absl::StatusOr<v1::Tournament> now = cluster.Get(id);
  while (now.ok() && now->state() != "done") {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    now = cluster.Get(id);
  }
  if (!now.ok()) return Check("the coordinator", now.status().ToString(), "an answer") ? 0 : 1;
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  const auto samples = static_cast<double>(now->samples());
  std::printf("%lld games, %.0f samples in %lld shards, %.1f s: %.0f samples/s, %.1f bytes each\n",
              static_cast<long long>(options.games), samples, static_cast<long long>(now->shards()),
              seconds, samples / seconds,
              static_cast<double>(now->sample_bytes()) / std::max(samples, 1.0));
  PrintProcesses();
  const std::string size = cluster.postgres().Ask(
      cluster.database(), "SELECT pg_database_size(current_database()) / 1000000");
  std::printf("%-12s %s MB\n", "database", size.c_str());
  // The manifest is written after the store.
  WaitUntil([&] { return CountLines(data + "/manifest.jsonl") == now->shards(); });
  const bool is_whole = now->samples() > 0 && CheckStore(cluster, id, options.games) &&
                        CheckManifest(data, *now) && CheckSamples(data);
  return is_whole ? 0 : 1;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  triarch::DataLoadOptions options;
  CLI::App app("Self-play through a cluster, measured and checked");
  app.add_option("--games", options.games)
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--workers", options.workers)->check(CLI::Range(1, 100))->capture_default_str();
  app.add_option("--bot", options.bot)->capture_default_str();
  app.add_option("--temperature", options.temperature)->capture_default_str();
  app.add_option("--data", options.data,
                 "Folder or bucket for the shards, which are kept; must be empty");
  CLI11_PARSE(app, argc, argv);
  return triarch::Main(options);
}
