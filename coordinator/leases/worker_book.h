// Tracks the registration, speed, refusals and quarantine of workers.

#ifndef TRIARCH_COORDINATOR_LEASES_WORKER_BOOK_H_
#define TRIARCH_COORDINATOR_LEASES_WORKER_BOOK_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_rules.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"

namespace triarch {

// What a worker must have to play a tournament.
struct TournamentNeeds {
  std::string game;
  std::vector<std::string> bots;               // bot types
  std::map<std::string, std::string> digests;  // by bot type; any build will do for the others
  bool is_selfplay = false;
};

// The NotFound error for an unknown worker.
absl::Status NoSuchWorker(const std::string& name);

// Who runs a worker.
struct WorkerOwner {
  std::string name = "worker";
  int64_t workers_max = 20'000;  // registered at a time
  int64_t audits = 0;  // that its workers must pass before their games count; 0 if they are trusted
};

// A worker, for operators and metrics.
struct WorkerView {
  WorkerInfo info;
  std::string owner;
  bool is_alive;
  std::string quarantine;  // the reason; empty if not quarantined
  int64_t busy_slots, games_held, leases, games_recorded, rejections;
  double cpu_seconds;
  std::chrono::milliseconds last_seen;      // age of its last call
  std::map<int64_t, std::string> refusals;  // the reasons, by tournament
};

// A state machine without a clock; LeaseBook drives it.
class WorkerBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // How fast a worker plays one tournament.
  struct Pace {
    RateMeter rate{std::chrono::seconds(2)};
    int64_t size = 0;   // requested in its last lease
    int64_t games = 0;  // recorded
    Time last;          // when it last got or reported games
  };
  struct Refusal {
    std::string why;
    Time until;
  };
  struct Worker {
    WorkerInfo info;
    std::string owner;
    int64_t audits = 0;  // as in WorkerOwner
    Time last_seen;
    int64_t busy_slots = 0;
    int64_t games_held = 0;
    int64_t games_recorded = 0;
    int64_t stalls = 0;  // since it last reported a game
    double cpu_seconds = 0;
    std::map<int64_t, Pace> paces;        // by tournament
    std::map<int64_t, Refusal> refusals;  // by tournament
  };

  explicit WorkerBook(const LeaseRules& rules) : rules_(rules) {}

  // Registers a worker, or the same one again. Returns the dead instance that it replaces, if any.
  // Fails with AlreadyExists if another instance with that name is alive, with PermissionDenied if
  // the name is quarantined, and with ResourceExhausted if the owner has too many workers. A
  // quarantined name counts as one of them, even after it has left.
  absl::StatusOr<std::optional<WorkerId>> Register(const WorkerInfo& worker, Time now,
                                                   const WorkerOwner& owner);
  // Fails with NotFound if the worker must register (again), and with PermissionDenied if it is
  // quarantined.
  absl::StatusOr<Worker*> Find(const WorkerId& worker);
  // Finds an instance, even a quarantined one. Returns null if it is not registered.
  Worker* FindInstance(const WorkerId& worker);
  const Worker* FindInstance(const WorkerId& worker) const;
  // Returns the registered worker with that name, whichever instance it is, or null.
  const Worker* FindName(const std::string& name) const;
  // Returns what is known about a worker, registered or not.
  WorkerInfo InfoOf(const std::string& name) const;
  void Remove(const WorkerId& worker);

  void Quarantine(const std::string& name, const std::string& why) { quarantine_[name].why = why; }
  // Ends a quarantine and forgets what led to it. Fails with FailedPrecondition if the worker is
  // not quarantined, and with NotFound if it is unknown.
  absl::Status Unquarantine(const std::string& name);
  bool IsQuarantined(const std::string& name) const { return quarantine_.contains(name); }
  // Counts an invalid report. Returns true if the worker is now quarantined.
  bool CountRejection(const std::string& name, const std::string& why, Time now);
  // Counts a stalled lease. Returns true if the worker is now quarantined.
  bool CountStall(const WorkerId& worker);

  void Refuse(const WorkerId& worker, int64_t tournament, const std::string& why, Time now);
  // Returns whether it has what the tournament needs and has not refused it.
  static bool MayServe(const Worker& worker, int64_t tournament, const TournamentNeeds& needs,
                       Time now);
  // Returns why no live worker can play the tournament now, one line per worker: "w1: no python3".
  // Returns nothing if one can, or if no worker is alive.
  std::vector<std::string> RefusalsOf(int64_t tournament, const TournamentNeeds& needs,
                                      Time now) const;
  // Returns the share of a tournament's games that the worker should play at its rate. With many
  // workers, what the others play is up to a second old.
  double ShareOf(const Worker& worker, int64_t tournament, const TournamentNeeds& needs, Time now);

  using CountLeases = absl::FunctionRef<int64_t(const WorkerId&)>;
  // Drops silent workers without leases, those that have played nothing at once, and outdated
  // refusals and rejections.
  void Forget(Time now, CountLeases leases_of);
  // Forgets the rates for a tournament that is over.
  void ForgetPaces(int64_t tournament);
  std::vector<WorkerView> Views(Time now, CountLeases leases_of) const;

 private:
  // The live workers that may play a tournament, all together.
  struct Fleet {
    Time counted_at;
    int64_t workers = 0;
    int64_t rated = 0;  // those of the workers whose rate is known
    double rate = 0;    // of these
  };
  struct Rejections {
    int64_t count = 0;
    Time last;
  };

  struct Quarantined {
    std::string why;
    std::string owner = {};  // whose count includes the name; "" while it is registered or unknown
  };

  bool IsAlive(const Worker& worker, Time now) const {
    return now - worker.last_seen < 2 * rules_.ttl;
  }
  Fleet CountFleet(int64_t tournament, const TournamentNeeds& needs, Time now) const;
  absl::Status CheckNotQuarantined(const std::string& name) const;
  void Erase(std::map<std::string, Worker>::iterator worker);
  void Uncount(const std::string& owner);

  const LeaseRules rules_;
  // All maps are by name.
  std::map<std::string, Worker> workers_;
  std::map<std::string, int64_t> counts_;  // of workers and quarantined names, by owner
  std::map<std::string, Quarantined> quarantine_;
  std::map<std::string, Rejections> rejections_;
  std::map<int64_t, Fleet> fleets_;  // by tournament
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_WORKER_BOOK_H_
