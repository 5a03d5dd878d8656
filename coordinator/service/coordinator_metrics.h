// Exports to Prometheus the coordinator's activity and the state of its tournaments and workers.

#ifndef TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_
#define TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "coordinator/leases/lease_event.h"
#include "coordinator/leases/worker_book.h"
#include "coordinator/session/tournament_status.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

namespace triarch {

// Thread-safe. Labels are bounded: tournaments and workers disappear a while after they are over,
// bots come from specs, and words from fixed lists. docs/metrics.md lists the names.
class CoordinatorMetrics {
 public:
  using Seconds = std::chrono::duration<double>;

  struct Options {
    // How long to show finished tournaments and departed workers: several scrapes, so that the end
    // of a short tournament is visible.
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

  // Returns all metrics, including those of the process, in the Prometheus text format.
  std::string Text() const;

  // `tournament` is the label of a tournament, "12 quickstart".
  void GamesRecorded(const std::string& tournament, std::span<const GameRecord> games);
  void Reported(ReportOutcome outcome, int64_t games, int64_t duplicates);
  void Replayed(int64_t games, int64_t plies, Seconds time, bool is_true);
  // Counts a report about a game in progress.
  void LiveReplayed(bool is_true);
  void Committed(int64_t games, Seconds time, bool is_ok);
  void ShardRecorded(const ShardEntry& shard);  // of self-play; call with its games
  void Published(bool is_ok);                   // a manifest
  void LeaseChanged(const LeaseEvent& event);
  // Counts a call to the gRPC services: "Lease", "OK".
  void Called(std::string_view method, std::string_view code, Seconds time);

  // Sets gauges; call it about once a second. A tournament that is over or no longer listed
  // disappears after Options::keep, and so does a worker that is neither alive nor quarantined.
  // Tournaments that are already over at first mention are not shown.
  void SetTournaments(std::span<const TournamentCounts> tournaments);
  void SetWorkers(std::span<const WorkerView> workers);
  void SetQueues(int64_t plies_to_replay, bool is_recorder_full, bool is_store_there);
  void SetLeading(bool is_leading);
  // When the first certificate in a file expires, "tls-cert" or "tls-ca"; nullopt without the file.
  void SetCertificateExpiry(std::string_view file, std::optional<absl::Time> expiry);
  void SetRating(const std::string& tournament, const std::string& bot, double rating_elo,
                 double error_elo);
  void SetSeatEffect(const std::string& tournament, Seat seat, double effect_elo, double error_elo);

 private:
  struct Families;
  const std::unique_ptr<Families> families_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_COORDINATOR_METRICS_H_
