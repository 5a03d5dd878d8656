#ifndef TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_
#define TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "coordinator/leases/lease_book.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

namespace triarch {

// What a coordinator tells Prometheus. Everything may be called from any thread. Labels are
// bounded: tournaments and workers leave some time after they are over, bots come from specs, words
// from our lists. docs/metrics.md lists the names.
class CoordinatorMetrics {
 public:
  using Seconds = std::chrono::duration<double>;

  struct Options {
    // How long tournaments that are over and workers that are gone are still shown: some scrapes,
    // so that the end of a short one is seen.
    std::chrono::milliseconds keep = std::chrono::minutes(10);
    std::function<std::chrono::steady_clock::time_point()> now = [] {
      return std::chrono::steady_clock::now();
    };
  };
  CoordinatorMetrics();
  explicit CoordinatorMetrics(const Options& options);
  ~CoordinatorMetrics();
  CoordinatorMetrics(const CoordinatorMetrics&) = delete;
  CoordinatorMetrics& operator=(const CoordinatorMetrics&) = delete;

  // In the text format of Prometheus, process metrics included.
  std::string Text() const;

  // `tournament` is the label of a tournament, "12 quickstart".
  void GamesRecorded(const std::string& tournament, std::span<const GameRecord> games);
  void Reported(ReportOutcome outcome, int64_t games, int64_t duplicates);
  void Replayed(int64_t games, int64_t plies, Seconds time, bool is_true);
  void Committed(int64_t games, Seconds time, bool is_ok);
  void ShardRecorded(const ShardEntry& shard);  // of self-play, with its games
  void Published(bool is_ok);                   // a manifest
  void LeaseEvent(const LeaseBook::Event& event);
  // A call of the gRPC services: "Lease", "OK".
  void Called(std::string_view method, std::string_view code, Seconds time);

  // Gauges, told every second or so. What is done, cancelled or no longer among the tournaments
  // vanishes after Options::keep, and so does a worker that is neither alive nor quarantined.
  // Tournaments that were over when they were first told of are not shown.
  struct TournamentGauges {
    std::string tournament;  // label
    std::string game;
    std::string state;  // "active"
    int64_t games = 0;
    int64_t open = 0;
    int64_t leased = 0;
    int64_t done = 0;
  };
  void SetTournaments(std::span<const TournamentGauges> tournaments);
  void SetWorkers(std::span<const LeaseBook::WorkerView> workers);
  void SetQueues(int64_t plies_to_replay, bool is_recorder_full, bool is_store_there);
  void SetLeading(bool is_leading);
  void SetRating(const std::string& tournament, const std::string& bot, double rating_elo,
                 double error_elo);
  // `seat`: "first".
  void SetSeatEffect(const std::string& tournament, const std::string& seat, double effect_elo,
                     double error_elo);

 private:
  struct Families;
  const std::unique_ptr<Families> families_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_
