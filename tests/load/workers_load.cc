// Measures a coordinator's decisions for many simulated workers: CPU time, memory and games.

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/session/coordinator_session.h"
#include "core/base/check.h"
#include "tests/contract/store_samples.h"

// usage: triarch-workers-load [--workers N] [--rate GAMES_PER_SECOND] [--seconds N]
//
// Runs the session of one coordinator with a simulated clock, without a network, replays or a store
// (cluster_load measures those). Each worker has one slot, plays at the rate, and every five
// seconds sends a heartbeat and reports its games, in one tournament of 10⁹ games. Workers start
// within the first minute, and are measured after two.
namespace triarch {
namespace {

using Time = CoordinatorSession::Time;
using Seconds = std::chrono::duration<double>;

constexpr int64_t kTournament = 1;
constexpr int64_t kGames = 1'000'000'000;
constexpr double kStartSeconds = 60;
constexpr double kWarmUpSeconds = 120;
constexpr double kReportSeconds = 5;
constexpr double kTickSeconds = 0.25;

struct Options {
  int64_t workers = 15'000;
  double rate = 0.2;
  double seconds = 60;
};

Time TimeAt(double seconds) {
  return Time(std::chrono::hours(1)) + std::chrono::duration_cast<Time::duration>(Seconds(seconds));
}

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

CoordinatorSession::Options SessionOptionsOfLoad() {
  CoordinatorSession::Options options;
  options.build = "build";
  return options;
}

class Fleet {
 public:
  explicit Fleet(const Options& options) : options_(options), session_(SessionOptionsOfLoad(), 1) {
    StoredTournament stored;
    stored.id = kTournament;
    stored.spec = SampleSpec();
    stored.spec.games = kGames;
    session_.AddTournament(std::move(stored), RangeSet(), {});
    workers_.resize(static_cast<size_t>(options.workers));
    for (size_t i = 0; i < workers_.size(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(workers_.size());
      wakes_.push({kStartSeconds * share, i});
    }
  }

  void RunUntil(double seconds) {
    while (true) {
      const double next = std::min(next_tick_, wakes_.top().first);
      if (next > seconds) return;
      if (next == next_tick_) {
        Tick(next);
        continue;
      }
      const size_t number = wakes_.top().second;
      wakes_.pop();
      Wake(number, next);
      wakes_.push({next + kReportSeconds, number});
    }
  }
  int64_t recorded() const { return recorded_; }

 private:
  struct Worker {
    std::optional<Lease> lease;
    int64_t reported = 0;  // of the lease's games
    double began = 0;      // with the lease
  };

  static WorkerId IdOf(size_t number) { return {"worker-" + std::to_string(number), 1}; }

  // What Coordinator::KeepTime does.
  void Tick(double seconds) {
    const Time now = TimeAt(seconds);
    session_.Tick(now);
    const auto counts = session_.Counts();
    const auto views = session_.Workers(now);
    CHECK(!counts.empty() && views.size() <= workers_.size());
    session_.TakeEvents(now);
    const StoreNotes notes = session_.TakeNotes(now);
    if (notes.is_for_store) session_.OnNotesSaved(notes, absl::OkStatus());
    next_tick_ = seconds + kTickSeconds;
  }

  void Wake(size_t number, double seconds) {
    Worker& worker = workers_[number];
    const Time now = TimeAt(seconds);
    const WorkerId id = IdOf(number);
    if (!session_.book().FindWorker(id)) {
      WorkerInfo info{.id = id, .slots = 1, .games = {"triumvirate"}, .bots = {}, .build = "build"};
      for (const BotSpec& bot : SampleSpec().bots) {
        info.bots.push_back({.type = bot.bot, .digest = "build"});
      }
      CHECK(session_.Register(info, now).ok());
    }
    HeartbeatRequest heartbeat;
    heartbeat.worker = id;
    heartbeat.busy_slots = 1;
    if (worker.lease) heartbeat.leases.push_back({.token = worker.lease->token});
    CHECK(session_.Heartbeat(heartbeat, now).ok());
    if (worker.lease) Report(id, worker, seconds);
    if (worker.lease) return;
    const auto reply = session_.RequestLease(id, now);
    CHECK(reply.ok());
    if (reply->lease) worker = {.lease = reply->lease, .reported = 0, .began = seconds};
  }

  void Report(const WorkerId& id, Worker& worker, double seconds) {
    const Range& games = worker.lease->games;
    const int64_t played = std::min(
        games.size(), static_cast<int64_t>((seconds - worker.began) * options_.rate + 1e-6));
    if (played == worker.reported) return;
    PendingReport pending;
    pending.report.worker = id;
    pending.report.token = worker.lease->token;
    pending.report.is_last = played == games.size();
    for (int64_t game = worker.reported; game < played; ++game) {
      pending.report.games.push_back(SampleRecord(games.first + game));
    }
    const Time now = TimeAt(seconds);
    CHECK(session_.Accept(pending, now).next == ReportStep::Next::kReplay);
    CHECK(session_.OnReplayed(pending, absl::OkStatus(), now).next == ReportStep::Next::kRecord);
    const ReportStep step =
        session_.OnRecorded(pending, absl::OkStatus(), pending.report.games, now);
    CHECK(step.answer.ok() && step.answer->outcome == ReportOutcome::kRecorded);
    recorded_ += played - worker.reported;
    worker.reported = played;
    if (played == games.size() || step.answer->is_cancelled) worker.lease.reset();
  }

  using Wakeup = std::pair<double, size_t>;  // the time in seconds, and a worker

  const Options options_;
  CoordinatorSession session_;
  std::vector<Worker> workers_;
  std::priority_queue<Wakeup, std::vector<Wakeup>, std::greater<>> wakes_;
  double next_tick_ = 0;
  int64_t recorded_ = 0;
};

int Main(const Options& options) {
  const double empty = AllocatedBytes();
  Fleet fleet(options);
  fleet.RunUntil(kWarmUpSeconds);
  const double cpu = CpuSeconds();
  const int64_t recorded = fleet.recorded();
  fleet.RunUntil(kWarmUpSeconds + options.seconds);
  const double games = static_cast<double>(fleet.recorded() - recorded) / options.seconds;
  std::printf("%lld workers: %.0f games/s, %.1f %% of a core, %.1f MB\n",
              static_cast<long long>(options.workers), games,
              100 * (CpuSeconds() - cpu) / options.seconds, (AllocatedBytes() - empty) / 1e6);
  return games > 0 ? 0 : 1;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  triarch::Options options;
  CLI::App app("Measures a coordinator's decisions for many simulated workers.");
  app.add_option("--workers", options.workers)->check(CLI::Range(1, 20'000))->capture_default_str();
  app.add_option("--rate", options.rate, "Games per second of each worker")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Simulated time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return triarch::Main(options);
}
