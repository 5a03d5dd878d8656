#include "arena/service/arena_metrics.h"

#include <algorithm>
#include <string>
#include <utility>

#include "arena/api/v2_json.h"
#include "http/histograms.h"
#include "http/metrics_page.h"
#include "http/series.h"

namespace triarch::arena {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries kWaitBuckets = {1, 3, 10, 30, 60, 120, 300, 600, 1'800, 3'600};

std::string_view ReasonOf(Refused why) {
  switch (why) {
    case Refused::kSeatLost:
      return "seat_lost";
    case Refused::kNotStarted:
      return "not_started";
    case Refused::kGameOver:
      return "game_over";
    case Refused::kNotYourTurn:
      return "not_your_turn";
    case Refused::kStale:
      return "stale";
    case Refused::kIllegalMove:
      return "illegal_move";
    case Refused::kInvalid:
      return "invalid";
    case Refused::kFull:
      return "full";
    default:
      return "forbidden";
  }
}

}  // namespace

struct ArenaMetrics::Families {
  MetricsPage page;
  prometheus::Registry& registry = page.registry();
  Family<Gauge>& tables = GaugeFamily(registry, "triarch_arena_tables", "Tables by stage.");
  Family<Counter>& moves =
      CounterFamily(registry, "triarch_arena_moves_total", "Moves by who chose them.");
  Family<Counter>& forced = CounterFamily(registry, "triarch_arena_forced_moves_total",
                                          "Moves that no player chose, by reason.");
  Family<Counter>& requests =
      CounterFamily(registry, "triarch_arena_requests_total", "Answers by route and status.");
  Family<Counter>& refusals =
      CounterFamily(registry, "triarch_arena_refusals_total", "Refused requests by reason.");
  Family<Histogram>& waits =
      HistogramFamily(registry, "triarch_arena_wait_seconds", "Waits of players for their game.");
  Histogram& move_seconds =
      HistogramFamily(registry, "triarch_arena_move_seconds",
                      "Time from a request with a move until it is stored and answered.")
          .Add({}, CallSecondsBuckets());
  Gauge& connections =
      GaugeFamily(registry, "triarch_arena_connections", "Open connections.").Add({});
  Gauge& spectators =
      GaugeFamily(registry, "triarch_arena_spectators", "Open event streams and WebSockets.")
          .Add({});
  Counter& store_errors =
      CounterFamily(registry, "triarch_arena_store_errors_total", "Failed operations of the store.")
          .Add({});
};

ArenaMetrics::ArenaMetrics() : families_(std::make_unique<Families>()) {
  // Alerts need a series before its first event.
  families_->refusals.Add({{"reason", "rate_limited"}});
}

ArenaMetrics::~ArenaMetrics() = default;

std::string ArenaMetrics::Text() const { return families_->page.Text(); }

void ArenaMetrics::Answered(std::string_view route, int status) {
  families_->requests.Add({{"route", std::string(route)}, {"code", std::to_string(status)}})
      .Increment();
}

void ArenaMetrics::MoveStored(double seconds) { families_->move_seconds.Observe(seconds); }

void ArenaMetrics::Count(Refused why) { CountRefusal(ReasonOf(why)); }

void ArenaMetrics::CountRefusal(std::string_view reason) {
  families_->refusals.Add({{"reason", std::string(reason)}}).Increment();
}

void ArenaMetrics::StoreFailed() { families_->store_errors.Increment(); }

void ArenaMetrics::Changed(const Table& table, const std::vector<Event>& events) {
  const std::string game(table.info().name);
  for (const Event& event : events) {
    switch (event.kind) {
      case Event::Kind::kJoined:
        if (!event.occupant.is_house_bot()) {
          waits_[table.id()].emplace_back(event.seat, event.time_ms);
        }
        break;
      case Event::Kind::kLeft:
        std::erase_if(waits_[table.id()],
                      [&](const auto& wait) { return wait.first == event.seat; });
        break;
      case Event::Kind::kMoved: {
        const std::optional<Occupant>& mover = table.occupant(event.seat);
        const bool is_house_bot = mover && mover->is_house_bot();
        if (event.forced == Forced::kNo) {
          families_->moves.Add({{"game", game}, {"by", is_house_bot ? "house_bot" : "player"}})
              .Increment();
        } else {
          families_->moves.Add({{"game", game}, {"by", "table"}}).Increment();
          families_->forced
              .Add({{"game", game},
                    {"reason", event.forced == Forced::kTimeout ? "timeout" : "illegal_moves"}})
              .Increment();
        }
        break;
      }
      default:
        break;
    }
  }
  const auto waited = waits_.find(table.id());
  if (waited == waits_.end() || table.stage() == Table::Stage::kWaiting) return;
  if (table.stage() == Table::Stage::kPlaying) {
    for (const auto& [seat, since_ms] : waited->second) {
      families_->waits.Add({{"game", game}}, kWaitBuckets)
          .Observe(static_cast<double>(std::max<int64_t>(0, events.back().time_ms - since_ms)) /
                   1'000);
    }
  }
  waits_.erase(waited);
}

void ArenaMetrics::Set(const Gauges& gauges) {
  families_->connections.Set(static_cast<double>(gauges.connections));
  families_->spectators.Set(static_cast<double>(gauges.spectators));
  for (const auto& [game, counts] : gauges.tables) {
    for (size_t stage = 0; stage < counts.size(); ++stage) {
      const std::string name(StageName(static_cast<Table::Stage>(stage)));
      families_->tables.Add({{"game", game}, {"stage", name}})
          .Set(static_cast<double>(counts[stage]));
    }
  }
}

}  // namespace triarch::arena
