#include "coordinator/service/worker_series.h"

#include <utility>

#include "http/series.h"

namespace triarch {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Labels;

struct WorkerSeries::Families {
  explicit Families(prometheus::Registry& to) : registry(to) {}

  prometheus::Registry& registry;
  prometheus::Family<Gauge>& count = GaugeFamily(
      registry, "triarch_workers", "Workers that are alive, quarantined, or recently gone.");
  // Created at the start, so that without workers the series is 0 rather than absent.
  Gauge& alive = count.Add({{"state", "alive"}});
  Gauge& quarantined = count.Add({{"state", "quarantined"}});
  Gauge& gone = count.Add({{"state", "gone"}});

  prometheus::Family<Gauge>& up =
      GaugeFamily(registry, "triarch_worker_up", "1 while a worker's heartbeats arrive, else 0.");
  prometheus::Family<Gauge>& is_quarantined =
      GaugeFamily(registry, "triarch_worker_quarantined",
                  "1 for a worker that gets no games because it reported invalid ones, else 0.");
  prometheus::Family<Gauge>& last_seen =
      GaugeFamily(registry, "triarch_worker_last_seen_seconds", "Time since a worker's last call.");
  prometheus::Family<Gauge>& slots =
      GaugeFamily(registry, "triarch_worker_slots", "Number of a worker's slots.");
  prometheus::Family<Gauge>& busy_slots =
      GaugeFamily(registry, "triarch_worker_busy_slots", "Slots that are playing a game.");
  prometheus::Family<Gauge>& leases =
      GaugeFamily(registry, "triarch_worker_leases", "Leases that a worker holds.");
  prometheus::Family<Gauge>& held_games = GaugeFamily(
      registry, "triarch_worker_held_games", "Finished games that are not acknowledged yet.");
  prometheus::Family<Counter>& recorded_games = CounterFamily(
      registry, "triarch_worker_recorded_games_total", "Games of a worker that were recorded.");
  prometheus::Family<Counter>& rejected_reports = CounterFamily(
      registry, "triarch_worker_rejected_reports_total", "Rejected reports of a worker.");
  prometheus::Family<Counter>& cpu_seconds = CounterFamily(
      registry, "triarch_worker_cpu_seconds_total", "CPU time of a worker's process.");
};

struct WorkerSeries::Worker {
  Worker(Families& families, const Labels& labels)
      : up(families.up, labels),
        is_quarantined(families.is_quarantined, labels),
        last_seen(families.last_seen, labels),
        slots(families.slots, labels),
        busy_slots(families.busy_slots, labels),
        leases(families.leases, labels),
        held_games(families.held_games, labels),
        recorded_games(families.recorded_games, labels),
        rejected_reports(families.rejected_reports, labels),
        cpu_seconds(families.cpu_seconds, labels) {}

  // Clears the values of a worker that has left.
  void Set(const WorkerView& view) {
    const auto while_alive = [&](int64_t value) {
      return view.is_alive ? static_cast<double>(value) : 0;
    };
    up->Set(view.is_alive ? 1 : 0);
    is_quarantined->Set(view.quarantine.empty() ? 0 : 1);
    last_seen->Set(std::chrono::duration<double>(view.last_seen).count());
    slots->Set(while_alive(view.info.slots));
    busy_slots->Set(while_alive(view.busy_slots));
    leases->Set(while_alive(view.leases));
    held_games->Set(while_alive(view.games_held));
    recorded_games.Follow(static_cast<double>(view.games_recorded));
    rejected_reports.Follow(static_cast<double>(view.rejections));
    cpu_seconds.Follow(view.cpu_seconds);
  }

  Series<Gauge> up;
  Series<Gauge> is_quarantined;
  Series<Gauge> last_seen;
  Series<Gauge> slots;
  Series<Gauge> busy_slots;
  Series<Gauge> leases;
  Series<Gauge> held_games;
  FollowingCounter recorded_games;
  FollowingCounter rejected_reports;
  FollowingCounter cpu_seconds;
};

WorkerSeries::WorkerSeries(prometheus::Registry& registry, std::chrono::milliseconds keep)
    : keep_(keep), families_(std::make_unique<Families>(registry)) {}

WorkerSeries::~WorkerSeries() = default;

bool WorkerSeries::IsShown(const WorkerView& view) const {
  return view.is_alive || !view.quarantine.empty() || view.last_seen <= keep_;
}

void WorkerSeries::Set(std::span<const WorkerView> workers) {
  // One worker per name: the live one, if an earlier process used the name.
  std::map<std::string, const WorkerView*, std::less<>> views;
  for (const WorkerView& view : workers) {
    if (!IsShown(view)) continue;
    const WorkerView*& known = views[view.info.id.name];
    if (known == nullptr || view.is_alive) known = &view;
  }
  int64_t alive = 0;
  int64_t quarantined = 0;
  MutexLock lock(&mutex_);
  std::erase_if(workers_, [&](const auto& item) { return !views.contains(item.first); });
  for (const auto& [name, view] : views) {
    // Anyone with a token can register any number of names, so a name gets series only once it has
    // reported a game.
    if (view->games_recorded > 0 || workers_.contains(name)) {
      workers_.try_emplace(name, *families_, Labels{{"worker", name}}).first->second.Set(*view);
    }
    if (!view->quarantine.empty()) {
      ++quarantined;
    } else if (view->is_alive) {
      ++alive;
    }
  }
  families_->alive.Set(static_cast<double>(alive));
  families_->quarantined.Set(static_cast<double>(quarantined));
  families_->gone.Set(
      static_cast<double>(static_cast<int64_t>(views.size()) - alive - quarantined));
}

}  // namespace triarch
