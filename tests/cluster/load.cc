// Measures one coordinator under the load of many simulated workers.
//
//   cluster_load [--workers 200] [--seconds 20] [--rate 10] [--game triumvirate] [--plies 400]
//                [--replay-threads 1] [--sqlite]
//
// Each worker has its own connection, plays random games by the real rules at `rate` games a second
// (0 means as fast as possible) of at most `plies` plies, and reports once a second, in one
// tournament of 10^9 games. Prints recorded games per second, latencies of Lease, Report and
// Heartbeat, CPU time of coordinator and PostgreSQL per recorded game, the space that a game takes
// in PostgreSQL, and the coordinator's memory, CPU time and open descriptors. PostgreSQL does not
// sync (fsync=off), so the cost of a disk comes on top. With --sqlite the coordinator
// stores the games itself.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/schedule/schedule.h"
#include "proto/convert.h"
#include "spec/spec_json.h"
#include "tests/cluster/cluster.h"
#include "tests/cluster/processes.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using WorkerStub = v1::WorkerService::Stub;

constexpr int64_t kGames = 1'000'000'000;
constexpr Seconds kReportEvery{1};

struct LoadOptions {
  int workers = 200;
  int seconds = 20;
  double rate = 10;
  std::string game = "triumvirate";
  int plies = 400;
  int replay_threads = 1;
  bool is_sqlite = false;
};

// ---- Measurements.

class Latencies {
 public:
  void Add(Seconds time) {
    MutexLock lock(&mutex_);
    times_.push_back(time.count());
  }
  void Clear() {
    MutexLock lock(&mutex_);
    times_.clear();
  }
  std::string Text() {
    MutexLock lock(&mutex_);
    if (times_.empty()) return "no calls";
    std::sort(times_.begin(), times_.end());
    const auto at = [&](double share) {
      return 1e3 * times_[static_cast<size_t>(share * static_cast<double>(times_.size() - 1))];
    };
    std::array<char, 100> text;
    std::snprintf(text.data(), text.size(), "p50 %.1f ms, p99 %.1f ms, %zu calls", at(0.5),
                  at(0.99), times_.size());
    return text.data();
  }

 private:
  Mutex mutex_;
  std::vector<double> times_ ABSL_GUARDED_BY(mutex_);
};

struct Cpu {
  int coordinator = 0;
  double coordinator_seconds = 0;
  double postgres_seconds = 0;
};

Cpu MeasureCpu() {
  Cpu cpu;
  int postmaster = 0;
  const std::vector<Process> all = Processes();
  for (const Process& process : all) {
    if (process.parent != getpid()) continue;
    if (process.name == "triarch") {
      cpu.coordinator = process.pid;
      cpu.coordinator_seconds = process.cpu_seconds;
    } else if (process.name == "postgres") {
      postmaster = process.pid;
      cpu.postgres_seconds += process.cpu_seconds;
    }
  }
  for (const Process& process : all) {
    if (postmaster != 0 && process.parent == postmaster) {
      cpu.postgres_seconds += process.cpu_seconds;
    }
  }
  return cpu;
}

// ---- Workers.

struct Load {
  LoadOptions options;
  std::string address;
  std::string build;  // of the coordinator; other workers get no lease
  std::atomic<bool> is_over = false;
  std::atomic<int64_t> registered = 0, recorded = 0, recorded_plies = 0, refused = 0,
                       failed_calls = 0;
  Latencies lease, report, heartbeat;
};

class SimulatedWorker {
 public:
  SimulatedWorker(Load* load, int number) : load_(*load) {
    id_.set_name("sim-" + std::to_string(number));
    id_.set_instance(static_cast<uint64_t>(number) + 1);
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    stub_ = v1::WorkerService::NewStub(
        grpc::CreateCustomChannel(load_.address, grpc::InsecureChannelCredentials(), arguments));
    thread_ = std::jthread([this] { Run(); });
  }

 private:
  template <class Request, class Response>
  bool Call(grpc::Status (WorkerStub::*method)(grpc::ClientContext*, const Request&, Response*),
            const Request& request, Response* response, Latencies* latencies) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    context.set_wait_for_ready(true);
    const Clock::time_point began = Clock::now();
    const grpc::Status status = (stub_.get()->*method)(&context, request, response);
    if (latencies != nullptr) latencies->Add(Clock::now() - began);
    if (!status.ok()) ++load_.failed_calls;
    return status.ok();
  }

  bool Register() {
    v1::RegisterRequest request;
    request.set_protocol(1);
    *request.mutable_worker() = id_;
    request.set_slots(1);
    request.add_games(load_.options.game);
    request.add_bots()->set_type("random");
    request.mutable_bots(0)->set_digest(load_.build);
    v1::RegisterResponse response;
    return Call(&WorkerStub::Register, request, &response, nullptr);
  }

  void Heartbeat(uint64_t token) {
    if (Clock::now() < next_beat_) return;
    v1::HeartbeatRequest request;
    *request.mutable_worker() = id_;
    request.set_busy_slots(1);
    request.add_leases()->set_token(token);
    v1::HeartbeatResponse response;
    Call(&WorkerStub::Heartbeat, request, &response, &load_.heartbeat);
    next_beat_ = Clock::now() + std::chrono::milliseconds(std::max<int64_t>(response.next_ms(), 1));
  }

  void Run() {
    while (!load_.is_over && !Register()) std::this_thread::sleep_for(Seconds(0.2));
    ++load_.registered;
    while (!load_.is_over) {
      v1::LeaseRequest request;
      *request.mutable_worker() = id_;
      if (schedule_) request.add_known_tournaments(tournament_);
      v1::LeaseResponse response;
      const bool is_answered = Call(&WorkerStub::Lease, request, &response, &load_.lease);
      if (!is_answered || !response.has_lease()) {
        std::this_thread::sleep_for(Seconds(0.2));
        continue;
      }
      const v1::LeaseGrant& lease = response.lease();
      if (!lease.spec_json().empty()) {
        tournament_ = lease.tournament();
        schedule_ = std::make_unique<Schedule>(*Schedule::Make(*SpecFromJson(lease.spec_json())));
      }
      Play(lease);
    }
  }

  void Play(const v1::LeaseGrant& lease) {
    v1::ReportRequest report;
    Clock::time_point began = Clock::now(), sent = began;
    for (int64_t index = lease.first(); index < lease.last() && !load_.is_over; ++index) {
      Heartbeat(lease.token());
      PlayOne(index, report.add_games());
      const auto played = static_cast<double>(index + 1 - lease.first());
      if (load_.options.rate > 0) {
        std::this_thread::sleep_until(began + std::chrono::duration_cast<Clock::duration>(
                                                  Seconds(played / load_.options.rate)));
      }
      const bool is_last = index + 1 == lease.last();
      if (!is_last && Clock::now() - sent < kReportEvery) continue;
      if (!Send(lease.token(), is_last, &report)) return;
      sent = Clock::now();
    }
  }

  // Random players that share one generator, seeded by the game.
  void PlayOne(int64_t index, v1::Game* wire) {
    const GameSpec spec = schedule_->Game(index);
    PerSeat<PlayerRef> players;
    for (size_t i = 0; i < kSeatsMax; ++i) {
      players_[i].NewGame(SeatAt(i), static_cast<uint64_t>(index) * 3 + i);
      players[SeatAt(i)] = &players_[i];
    }
    static const std::atomic<bool> kNever = false;
    const auto record = PlayGame(spec, players, kNever);
    wire::ToWire(**record, wire);
  }

  // Returns false if the lease has ended.
  bool Send(uint64_t token, bool is_last, v1::ReportRequest* report) {
    *report->mutable_worker() = id_;
    report->set_token(token);
    report->set_is_last(is_last);
    while (!load_.is_over) {
      v1::ReportResponse response;
      const bool is_answered = Call(&WorkerStub::Report, *report, &response, &load_.report);
      if (is_answered && response.outcome() == v1::ReportResponse::OUTCOME_RECORDED) {
        load_.recorded += report->games_size();
        for (const v1::Game& game : report->games()) {
          load_.recorded_plies += static_cast<int64_t>(game.seats().size());
        }
        report->Clear();
        return !response.is_cancelled();
      }
      if (is_answered && response.outcome() != v1::ReportResponse::OUTCOME_RETRY) break;
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::max<int64_t>(response.retry_ms(), 200)));
    }
    if (!load_.is_over) load_.refused += report->games_size();
    return false;
  }

  Load& load_;
  v1::WorkerId id_;
  std::unique_ptr<WorkerStub> stub_;
  int64_t tournament_ = 0;
  std::unique_ptr<Schedule> schedule_;
  std::array<RandomPlayer, kSeatsMax> players_;
  Clock::time_point next_beat_ = Clock::now();
  std::jthread thread_;
};

// Returns how `triarch --version` identifies the build: the digest of its bundled bots.
std::string BuildOf(const std::string& version) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const size_t begin = version.find('+', version.find("identity ")) + 1;
  return version.substr(begin, version.find_first_not_of(kDigits, begin) - begin);
}

std::string TournamentOf(const LoadOptions& options) {
  const std::string third = options.game == "tri-d" ? "" : ", {name: c, bot: random}";
  return "game: " + options.game + "\nbots: [random, {name: b, bot: random}" + third +
         "]\ngames: " + std::to_string(kGames) +
         "\nadjudication: {plies_max: " + std::to_string(options.plies) + "}\n";
}

Arguments ServeFlags(const LoadOptions& options, const std::string& folder) {
  Arguments flags = {"--replay-threads", std::to_string(options.replay_threads)};
  if (options.is_sqlite) flags = flags + Arguments{"--store", folder + "/load.db"};
  return flags;
}

int64_t DescriptorsOf(int pid) {
  const std::filesystem::path folder = "/proc/" + std::to_string(pid) + "/fd";
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

double DatabaseBytes(Cluster& cluster) {
  const std::string bytes =
      cluster.postgres().Ask(cluster.database(), "SELECT pg_database_size(current_database())");
  return static_cast<double>(ParseInt64(Trim(bytes)).value_or(0));
}

int Main(const LoadOptions& options) {
  const TemporaryFolder folder;
  Cluster cluster(ServeFlags(options, folder.path()));
  cluster.Lead();
  const double bytes_empty = DatabaseBytes(cluster);
  const double rss_empty = MemoryOf(MeasureCpu().coordinator, "VmRSS");
  cluster.Submit({TournamentOf(options), kGames});
  const double rss_submitted = MemoryOf(MeasureCpu().coordinator, "VmRSS");
  Load load;
  load.options = options;
  load.address = cluster.address();
  load.build = BuildOf(Triarch({"--version"}).out);
  std::vector<std::unique_ptr<SimulatedWorker>> workers;
  for (int i = 0; i < options.workers; ++i) {
    workers.push_back(std::make_unique<SimulatedWorker>(&load, i));
  }
  while (load.registered < options.workers) std::this_thread::sleep_for(Seconds(0.1));
  std::this_thread::sleep_for(Seconds(3));  // until all are busy
  for (Latencies* latencies : {&load.lease, &load.report, &load.heartbeat}) latencies->Clear();
  load.failed_calls = 0;
  const Cpu before = MeasureCpu();
  const int64_t recorded_before = load.recorded, plies_before = load.recorded_plies;
  const Clock::time_point began = Clock::now();
  std::this_thread::sleep_for(Seconds(options.seconds));
  const auto games = static_cast<double>(load.recorded - recorded_before);
  const auto plies = static_cast<double>(load.recorded_plies - plies_before);
  const double time = Seconds(Clock::now() - began).count();
  const Cpu after = MeasureCpu();
  const double rss = MemoryOf(after.coordinator, "VmRSS");
  const int64_t descriptors = DescriptorsOf(after.coordinator);
  load.is_over = true;
  workers.clear();

  const double coordinator = after.coordinator_seconds - before.coordinator_seconds;
  const double postgres = after.postgres_seconds - before.postgres_seconds;
  std::printf("%d workers, %.1f s, %.0f games of %.0f plies recorded: %.0f games/s\n",
              options.workers, time, games, plies / games, games / time);
  std::printf("Lease      %s\nReport     %s\nHeartbeat  %s\n", load.lease.Text().c_str(),
              load.report.Text().c_str(), load.heartbeat.Text().c_str());
  std::printf("CPU per recorded game: coordinator %.1f us, PostgreSQL %.1f us\n",
              1e6 * coordinator / games, 1e6 * postgres / games);
  if (!options.is_sqlite) {
    std::printf("PostgreSQL's disk space per recorded game: %.0f bytes\n",
                (DatabaseBytes(cluster) - bytes_empty) / static_cast<double>(load.recorded));
  }
  std::printf("games rejected %lld, failed calls %lld\n", static_cast<long long>(load.refused),
              static_cast<long long>(load.failed_calls));
  std::printf(
      "RSS of the coordinator: %.1f MB empty, %.1f MB with 10^9 games scheduled, %.1f MB "
      "at the end, %.1f MB at most\n",
      rss_empty, rss_submitted, rss, MemoryOf(after.coordinator, "VmHWM"));
  std::printf("Coordinator: %.0f %% of a core, %lld open descriptors\n", 100 * coordinator / time,
              static_cast<long long>(descriptors));
  return load.recorded > 0 ? 0 : 1;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  triarch::LoadOptions options;
  CLI::App app("Many simulated workers against one coordinator");
  app.add_option("--workers", options.workers)->check(CLI::Range(1, 2100))->capture_default_str();
  app.add_option("--seconds", options.seconds)->check(CLI::Range(1, 3600))->capture_default_str();
  app.add_option("--rate", options.rate, "Games per second of each worker; 0 means no limit")
      ->capture_default_str();
  app.add_option("--game", options.game)->capture_default_str();
  app.add_option("--plies", options.plies, "Longest game in plies")->capture_default_str();
  app.add_option("--replay-threads", options.replay_threads)->capture_default_str();
  app.add_flag("--sqlite", options.is_sqlite, "Store the games in a file instead of PostgreSQL");
  CLI11_PARSE(app, argc, argv);
  return triarch::Main(options);
}
