// Logs what becomes of tournaments and workers.

#ifndef TRIARCH_COORDINATOR_SERVICE_ACTIVITY_LOG_H_
#define TRIARCH_COORDINATOR_SERVICE_ACTIVITY_LOG_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "coordinator/leases/worker_book.h"
#include "coordinator/session/tournament_status.h"
#include "core/base/log.h"

namespace triarch {

// Logs each change once, whoever caused it, by comparing the present state with the last one. Not
// thread-safe.
class ActivityLog {
 public:
  explicit ActivityLog(LogTo log) : log_(std::move(log)) {}

  // What exists at the first call makes no entries.
  void NoteTournaments(std::span<const TournamentCounts> tournaments);
  void NoteWorkers(std::span<const WorkerView> workers);
  // `status` says why the manifest of a self-play run cannot be written.
  void NoteData(int64_t tournament, const absl::Status& status);

 private:
  struct Worker {
    WorkerId id;
    bool is_alive = false;
    std::chrono::milliseconds last_seen{0};
    std::string quarantine;
    std::map<int64_t, std::string> refusals;  // the last reasons, by tournament
  };

  void NoteWorker(const WorkerView& view, const Worker* before);
  void NoteAudits(const TournamentCounts& counts);
  void NoteRefusals(const WorkerView& view, Worker* worker);

  const LogTo log_;
  std::optional<std::map<int64_t, TournamentState>> tournaments_;
  std::optional<std::map<std::string, Worker>> workers_;  // by name
  std::map<int64_t, std::string> data_errors_;            // by tournament
  std::set<int64_t> irreproducible_;                      // tournaments
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_ACTIVITY_LOG_H_
