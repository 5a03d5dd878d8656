#include "worker/worker_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "core/game/outcome.h"
#include "core/record/lease.h"
#include "http/call_metrics.h"
#include "http/histograms.h"
#include "http/metrics_page.h"
#include "http/series.h"

namespace triarch {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;

constexpr std::array<Termination, 3> kFaults = {Termination::kTimeForfeit,
                                                Termination::kIllegalMove, Termination::kCrash};
constexpr size_t kTerminations = static_cast<size_t>(Termination::kAbandoned) + 1;
constexpr std::array<const char*, 2> kShardOutcomes = {"stored", "failed"};

// The metrics of one game; null until first used.
struct GameChildren {
  std::array<Counter*, kTerminations> games{};
  Counter* plies = nullptr;
};

// The metrics of one bot type.
struct BotChildren {
  Counter* nodes = nullptr;
  Histogram* move_seconds = nullptr;
  std::array<Counter*, kFaults.size()> faults{};
  Counter* fallbacks = nullptr;
};

}  // namespace

struct WorkerMetrics::Families {
  MetricsPage page;
  Registry& registry = page.registry();
  CallMetrics calls{registry, "triarch_grpc_client", "client"};

  prometheus::Family<Counter>& games =
      CounterFamily(registry, "triarch_played_games_total", "Finished games by termination.");
  prometheus::Family<Counter>& plies =
      CounterFamily(registry, "triarch_played_plies_total", "Plies of finished games.");
  prometheus::Family<Counter>& bot_nodes = CounterFamily(registry, "triarch_played_bot_nodes_total",
                                                         "Nodes that bots reported, by bot type.");
  prometheus::Family<Histogram>& bot_move_seconds =
      HistogramFamily(registry, "triarch_played_bot_move_seconds",
                      "Time per move by bot type; each game contributes the mean of its moves.");
  prometheus::Family<Counter>& bot_faults = CounterFamily(
      registry, "triarch_played_bot_faults_total", "Forfeited games by bot type and fault.");
  prometheus::Family<Counter>& bot_fallbacks =
      CounterFamily(registry, "triarch_played_bot_fallbacks_total",
                    "Fallback moves made for bots that failed to choose, by bot type.");
  prometheus::Family<Counter>& reports =
      CounterFamily(registry, "triarch_sent_reports_total", "Reports by outcome.");
  prometheus::Family<Counter>& reported_games =
      CounterFamily(registry, "triarch_sent_games_total", "Games in reports by outcome.");

  prometheus::Family<Counter>& shards = CounterFamily(
      registry, "triarch_made_shards_total", "Self-play shards by whether they were stored.");
  Counter& samples =
      CounterFamily(registry, "triarch_made_samples_total", "Samples in stored self-play shards.")
          .Add({});

  Gauge& slots =
      GaugeFamily(registry, "triarch_slots", "Games that this worker can play at a time.").Add({});
  Gauge& busy_slots =
      GaugeFamily(registry, "triarch_busy_slots", "Games that this worker is playing.").Add({});
  Gauge& leases = GaugeFamily(registry, "triarch_leases", "Leases that this worker holds.").Add({});
  Gauge& open_games =
      GaugeFamily(registry, "triarch_open_games", "Games that are leased but not begun.").Add({});
  Gauge& held_games =
      GaugeFamily(registry, "triarch_held_games", "Games that are finished but not acknowledged.")
          .Add({});
  Gauge& connected =
      GaugeFamily(registry, "triarch_connected", "1 while registered with a coordinator, else 0.")
          .Add({});
  Gauge& full = GaugeFamily(registry, "triarch_full",
                            "1 while no game is begun for lack of room for finished games, else 0.")
                    .Add({});

  Mutex mutex;
  std::map<std::string, GameChildren, std::less<>> by_game ABSL_GUARDED_BY(mutex);
  std::map<std::string, BotChildren, std::less<>> by_bot ABSL_GUARDED_BY(mutex);  // by bot type

  void CountGame(const GameRecord& game) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  BotChildren& ChildrenOf(const std::string& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void CountBot(const std::string& bot, const GameRecord& game, Seat seat)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
};

// Create the counters of all outcomes at the start: Prometheus can compute an increase only from an
// earlier value.
WorkerMetrics::WorkerMetrics() : families_(std::make_unique<Families>()) {
  for (const std::string_view outcome : kReportOutcomes) {
    families_->reports.Add({{"outcome", std::string(outcome)}});
    families_->reported_games.Add({{"outcome", std::string(outcome)}});
  }
  for (const char* const outcome : kShardOutcomes) families_->shards.Add({{"outcome", outcome}});
}

WorkerMetrics::~WorkerMetrics() = default;

std::string WorkerMetrics::Text() const { return families_->page.Text(); }

void WorkerMetrics::GamePlayed(const GameSpec& spec, const GameRecord& game) {
  MutexLock lock(&families_->mutex);
  families_->CountGame(game);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    const std::string& bot = spec.seats[seat].bot;
    // A missing seat has no bot.
    if (!bot.empty()) families_->CountBot(bot, game, seat);
  }
}

void WorkerMetrics::Families::CountGame(const GameRecord& game) {
  GameChildren& children = by_game[game.game];
  if (children.plies == nullptr) children.plies = &plies.Add({{"game", game.game}});
  const Termination termination =
      game.is_finished ? game.outcome.termination : Termination::kAbandoned;
  Counter*& counter = children.games[static_cast<size_t>(termination)];
  if (counter == nullptr) {
    counter =
        &games.Add({{"game", game.game}, {"termination", std::string(ToString(termination))}});
  }
  counter->Increment();
  children.plies->Increment(static_cast<double>(game.plies));
}

BotChildren& WorkerMetrics::Families::ChildrenOf(const std::string& bot) {
  BotChildren& children = by_bot[bot];
  if (children.nodes != nullptr) return children;
  children.nodes = &bot_nodes.Add({{"bot", bot}});
  children.move_seconds = &bot_move_seconds.Add({{"bot", bot}}, MoveSecondsBuckets());
  children.fallbacks = &bot_fallbacks.Add({{"bot", bot}});
  for (size_t i = 0; i < kFaults.size(); ++i) {
    children.faults[i] =
        &bot_faults.Add({{"bot", bot}, {"fault", std::string(ToString(kFaults[i]))}});
  }
  return children;
}

void WorkerMetrics::Families::CountBot(const std::string& bot, const GameRecord& game, Seat seat) {
  const SeatCost& cost = game.costs[seat];
  const std::optional<Termination>& ending = game.endings[seat];
  BotChildren& children = ChildrenOf(bot);
  children.fallbacks->Increment(static_cast<double>(FallbacksOf(game, seat)));
  children.nodes->Increment(static_cast<double>(cost.nodes));
  ObserveMean(*children.move_seconds, MoveSecondsBuckets(), cost.moves,
              static_cast<double>(cost.time_us) / 1e6);
  if (!ending) return;
  const auto fault = std::find(kFaults.begin(), kFaults.end(), *ending);
  if (fault == kFaults.end()) return;
  children.faults[static_cast<size_t>(fault - kFaults.begin())]->Increment();
}

void WorkerMetrics::Reported(std::string_view outcome, int64_t games) {
  const std::string word(outcome);
  families_->reports.Add({{"outcome", word}}).Increment();
  families_->reported_games.Add({{"outcome", word}}).Increment(static_cast<double>(games));
}

void WorkerMetrics::ShardMade(bool is_stored, int64_t samples) {
  families_->shards.Add({{"outcome", kShardOutcomes[is_stored ? 0 : 1]}}).Increment();
  families_->samples.Increment(static_cast<double>(samples));
}

void WorkerMetrics::Called(std::string_view method, std::string_view code, Seconds time) {
  families_->calls.Called(method, code, time);
}

void WorkerMetrics::Set(const Gauges& gauges) {
  families_->slots.Set(static_cast<double>(gauges.slots));
  families_->busy_slots.Set(static_cast<double>(gauges.busy_slots));
  families_->leases.Set(static_cast<double>(gauges.leases));
  families_->open_games.Set(static_cast<double>(gauges.games_open));
  families_->held_games.Set(static_cast<double>(gauges.games_held));
  families_->connected.Set(gauges.is_connected ? 1 : 0);
  families_->full.Set(gauges.is_full ? 1 : 0);
}

}  // namespace triarch
