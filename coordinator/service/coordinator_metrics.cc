#include "coordinator/service/coordinator_metrics.h"

#include <array>
#include <map>
#include <vector>

#include "coordinator/service/tournament_series.h"
#include "coordinator/service/worker_series.h"
#include "http/call_metrics.h"
#include "http/histograms.h"
#include "http/metrics_page.h"
#include "http/series.h"

namespace triarch {
namespace {

constexpr size_t kLeaseEnds = 5;  // kinds of LeaseEvent that end a lease

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;
using EventKind = LeaseEvent::Kind;

constexpr std::array<std::string_view, 2> kResults = {"error", "ok"};

const Histogram::BucketBoundaries& LeaseSecondsBuckets() {
  static const Histogram::BucketBoundaries kBuckets = {0.1, 0.5, 1,  2,  5,   10,
                                                       15,  20,  30, 60, 120, 300};
  return kBuckets;
}

const Histogram::BucketBoundaries& GamesBuckets() {
  static const Histogram::BucketBoundaries kBuckets = {1,   2,   5,    10,   20,    50,    100,
                                                       200, 500, 1000, 2000, 10000, 100000};
  return kBuckets;
}

// Creates one child per word at the start, because Prometheus can compute an increase only from an
// earlier value.
std::vector<Counter*> CounterPerWord(prometheus::Family<Counter>& family, const char* label,
                                     std::span<const std::string_view> words) {
  std::vector<Counter*> counters;
  for (const std::string_view word : words) {
    counters.push_back(&family.Add({{label, std::string(word)}}));
  }
  return counters;
}

std::vector<Histogram*> HistogramPerWord(prometheus::Family<Histogram>& family, const char* label,
                                         std::span<const std::string_view> words,
                                         const Histogram::BucketBoundaries& buckets) {
  std::vector<Histogram*> histograms;
  for (const std::string_view word : words) {
    histograms.push_back(&family.Add({{label, std::string(word)}}, buckets));
  }
  return histograms;
}

template <class Enum>
size_t At(Enum word) {
  return static_cast<size_t>(word);
}

}  // namespace

// The series without a tournament or worker label. Children are created once; using them takes no
// lock.
struct CoordinatorMetrics::Families {
  explicit Families(const Options& given) : options(given) {}

  const Options options;
  MetricsPage page;
  Registry& registry = page.registry();
  TournamentSeries tournaments{registry, options.keep};
  WorkerSeries workers{registry, options.keep};
  CallMetrics calls{registry, "triarch_grpc_server", "server"};

  std::vector<Counter*> reports = CounterPerWord(
      CounterFamily(registry, "triarch_reports_total", "Reports of workers, by outcome."),
      "outcome", kReportOutcomes);
  std::vector<Counter*> reported_games = CounterPerWord(
      CounterFamily(registry, "triarch_reported_games_total", "Games in reports, by outcome."),
      "outcome", kReportOutcomes);
  Counter& duplicates = CounterFamily(registry, "triarch_duplicate_games_total",
                                      "Reported games that were already recorded.")
                            .Add({});

  Counter& replayed_games =
      CounterFamily(registry, "triarch_replayed_games_total", "Reported games that were replayed.")
          .Add({});
  Counter& replayed_plies =
      CounterFamily(registry, "triarch_replayed_plies_total", "Plies of replayed games.").Add({});
  Counter& false_reports = CounterFamily(registry, "triarch_replay_rejections_total",
                                         "Reports in which replaying found an invalid game.")
                               .Add({});
  Histogram& replay_seconds =
      HistogramFamily(registry, "triarch_replay_seconds", "Time to replay the games of a report.")
          .Add({}, CallSecondsBuckets());

  std::vector<Counter*> live_reports = CounterPerWord(
      CounterFamily(registry, "triarch_live_reports_total",
                    "Reports about games in progress, by the result of replaying them."),
      "result", kResults);

  std::vector<Histogram*> commit_seconds =
      HistogramPerWord(HistogramFamily(registry, "triarch_store_commit_seconds",
                                       "Time of the store's transactions that record games."),
                       "result", kResults, CallSecondsBuckets());
  Histogram& commit_games =
      HistogramFamily(registry, "triarch_store_commit_games", "Games in a committed transaction.")
          .Add({}, GamesBuckets());

  Counter& shards = CounterFamily(registry, "triarch_recorded_shards_total",
                                  "Shards of self-play, recorded with their games.")
                        .Add({});
  Counter& samples =
      CounterFamily(registry, "triarch_recorded_samples_total", "Samples in recorded shards.")
          .Add({});
  Counter& sample_bytes = CounterFamily(registry, "triarch_recorded_sample_bytes_total",
                                        "Bytes of the files of recorded shards.")
                              .Add({});
  std::vector<Counter*> manifests =
      CounterPerWord(CounterFamily(registry, "triarch_published_manifests_total",
                                   "Attempts to write self-play manifests, by result."),
                     "result", kResults);

  std::vector<Counter*> lease_events = CounterPerWord(
      CounterFamily(registry, "triarch_lease_events_total", "Leases, by how they began or ended."),
      "event", kLeaseEventKinds);
  // Only for the kinds of end.
  std::vector<Histogram*> lease_seconds = HistogramPerWord(
      HistogramFamily(registry, "triarch_lease_seconds", "Age of leases at their end."), "event",
      std::span(kLeaseEventKinds).subspan(At(EventKind::kFinished), kLeaseEnds),
      LeaseSecondsBuckets());
  Histogram& lease_games = HistogramFamily(registry, "triarch_lease_games", "Games in a new lease.")
                               .Add({}, GamesBuckets());

  Gauge& replay_queue = GaugeFamily(registry, "triarch_replay_queue_plies",
                                    "Plies of reported games waiting to be replayed.")
                            .Add({});
  Gauge& recorder_full = GaugeFamily(registry, "triarch_recorder_full",
                                     "1 while the queue to the store is full, else 0.")
                             .Add({});
  Gauge& store_up =
      GaugeFamily(registry, "triarch_store_up", "1 while the store works, else 0.").Add({});
  prometheus::Family<Gauge>& certificate_expiry =
      GaugeFamily(registry, "triarch_certificate_expiry_seconds",
                  "When the first certificate in a file expires, in seconds since 1970, else 0.");
  Gauge& leading = GaugeFamily(registry, "triarch_leading",
                               "1 for the coordinator that leads, 0 for one that stands by.")
                       .Add({});
};

CoordinatorMetrics::CoordinatorMetrics() : CoordinatorMetrics(Options()) {}

CoordinatorMetrics::CoordinatorMetrics(const Options& options)
    : families_(std::make_unique<Families>(options)) {}

CoordinatorMetrics::~CoordinatorMetrics() = default;

std::string CoordinatorMetrics::Text() const { return families_->page.Text(); }

void CoordinatorMetrics::GamesRecorded(const std::string& tournament,
                                       std::span<const GameRecord> games) {
  families_->tournaments.GamesRecorded(tournament, games, families_->options.now());
}

void CoordinatorMetrics::Reported(ReportOutcome outcome, int64_t games, int64_t duplicates) {
  families_->reports[At(outcome)]->Increment();
  families_->reported_games[At(outcome)]->Increment(static_cast<double>(games));
  families_->duplicates.Increment(static_cast<double>(duplicates));
}

void CoordinatorMetrics::Replayed(int64_t games, int64_t plies, Seconds time, bool is_true) {
  families_->replayed_games.Increment(static_cast<double>(games));
  families_->replayed_plies.Increment(static_cast<double>(plies));
  families_->replay_seconds.Observe(time.count());
  if (!is_true) families_->false_reports.Increment();
}

void CoordinatorMetrics::LiveReplayed(bool is_true) {
  families_->live_reports[is_true ? 1 : 0]->Increment();
}

void CoordinatorMetrics::Committed(int64_t games, Seconds time, bool is_ok) {
  families_->commit_seconds[is_ok ? 1 : 0]->Observe(time.count());
  if (is_ok) families_->commit_games.Observe(static_cast<double>(games));
}

void CoordinatorMetrics::ShardRecorded(const ShardEntry& shard) {
  families_->shards.Increment();
  families_->samples.Increment(static_cast<double>(shard.samples));
  families_->sample_bytes.Increment(static_cast<double>(shard.bytes));
}

void CoordinatorMetrics::Published(bool is_ok) { families_->manifests[is_ok ? 1 : 0]->Increment(); }

void CoordinatorMetrics::LeaseChanged(const LeaseEvent& event) {
  families_->lease_events[At(event.kind)]->Increment();
  if (IsBeginning(event.kind)) {
    families_->lease_games.Observe(static_cast<double>(event.lease.games.size()));
  } else if (IsEnd(event.kind)) {
    families_->lease_seconds[At(event.kind) - At(EventKind::kFinished)]->Observe(
        Seconds(event.age).count());
  }
}

void CoordinatorMetrics::Called(std::string_view method, std::string_view code, Seconds time) {
  families_->calls.Called(method, code, time);
}

void CoordinatorMetrics::SetTournaments(std::span<const TournamentCounts> tournaments) {
  families_->tournaments.Set(tournaments, families_->options.now());
}

void CoordinatorMetrics::SetWorkers(std::span<const WorkerView> workers) {
  families_->workers.Set(workers);
}

void CoordinatorMetrics::SetQueues(int64_t plies_to_replay, bool is_recorder_full,
                                   bool is_store_there) {
  families_->replay_queue.Set(static_cast<double>(plies_to_replay));
  families_->recorder_full.Set(is_recorder_full ? 1 : 0);
  families_->store_up.Set(is_store_there ? 1 : 0);
}

void CoordinatorMetrics::SetLeading(bool is_leading) { families_->leading.Set(is_leading ? 1 : 0); }

void CoordinatorMetrics::SetCertificateExpiry(std::string_view file,
                                              std::optional<absl::Time> expiry) {
  families_->certificate_expiry.Add({{"file", std::string(file)}})
      .Set(expiry ? absl::ToDoubleSeconds(*expiry - absl::UnixEpoch()) : 0);
}

void CoordinatorMetrics::SetRating(const std::string& tournament, const std::string& bot,
                                   double rating_elo, double error_elo) {
  families_->tournaments.SetRating(tournament, bot, rating_elo, error_elo,
                                   families_->options.now());
}

void CoordinatorMetrics::SetSeatEffect(const std::string& tournament, Seat seat, double effect_elo,
                                       double error_elo) {
  families_->tournaments.SetSeatEffect(tournament, seat, effect_elo, error_elo,
                                       families_->options.now());
}

}  // namespace triarch
