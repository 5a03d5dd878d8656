// Keeps a worker's metrics.

#ifndef TRIARCH_WORKER_WORKER_METRICS_H_
#define TRIARCH_WORKER_WORKER_METRICS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// The worker's Prometheus metrics. Thread-safe. docs/metrics.md lists the names.
class WorkerMetrics {
 public:
  using Seconds = std::chrono::duration<double>;

  WorkerMetrics();
  ~WorkerMetrics();
  WorkerMetrics(const WorkerMetrics&) = delete;
  WorkerMetrics& operator=(const WorkerMetrics&) = delete;

  // Returns all metrics, including process metrics, in the Prometheus text format.
  std::string Text() const;

  // Counts a finished game: games and plies by game and termination; moves, nodes, time per move (a
  // histogram), faults and fallback moves by bot type.
  void GamePlayed(const GameSpec& spec, const GameRecord& game);
  void Reported(std::string_view outcome,
                int64_t games);  // "recorded", "stale", "rejected", "retry"
  // Counts a self-play shard that was or could not be stored.
  void ShardMade(bool is_stored, int64_t samples);
  void Called(std::string_view method, std::string_view code, Seconds time);

  struct Gauges {
    int64_t slots = 0;
    int64_t busy_slots = 0;
    int64_t leases = 0;
    int64_t games_open = 0;  // leased but not begun
    int64_t games_held = 0;  // finished but not acknowledged
    bool is_connected = false;
    bool is_full = false;  // no room for finished games, so no games are started
  };
  void Set(const Gauges& gauges);

 private:
  struct Families;
  const std::unique_ptr<Families> families_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_WORKER_METRICS_H_
