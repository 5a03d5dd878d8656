// Keeps the workers that are alive, draws auditors among them, and holds the audits drawn for each.

#ifndef TRIARCH_COORDINATOR_AUDITS_AUDITOR_POOL_H_
#define TRIARCH_COORDINATOR_AUDITS_AUDITOR_POOL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "coordinator/audits/audit.h"
#include "core/base/random.h"

namespace triarch {

// A worker's audits wait for it as long as it keeps taking one within AuditRules::take_within, so
// slow and busy workers keep their share of the audits.
class AuditorPool {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit AuditorPool(std::chrono::milliseconds take_within) : take_within_(take_within) {}

  void NoteAlive(const Auditor& auditor, Time now);
  // Forgets the worker. Returns the audits that waited for it.
  std::vector<int64_t> Remove(const std::string& worker);
  using MayPlay = absl::FunctionRef<bool(const std::string& worker, int64_t audit)>;
  // Forgets silent workers. Returns the audits that waited for them, for workers that take none, or
  // for workers that may not play them any more.
  std::vector<int64_t> Expire(MayPlay may_play, Time now);

  // Returns one of the workers that may be drawn, with a probability in proportion to its weight,
  // which is above 0 and at most 1. Returns null if none may be drawn.
  const Auditor* Draw(Random random, absl::FunctionRef<double(const Auditor&)> weight_of,
                      absl::FunctionRef<bool(const Auditor&)> may_draw) const;
  // Requires: the worker is in the pool.
  void Assign(const std::string& worker, int64_t audit, Time now);
  // Takes the next of the worker's audits.
  std::optional<int64_t> Next(const std::string& worker, Time now);

 private:
  struct Member {
    Auditor auditor;
    Time last_seen;
    Time deadline;                     // to take the next audit
    std::deque<int64_t> waiting = {};  // audits
  };

  const std::chrono::milliseconds take_within_;
  std::vector<Member> members_;
  std::unordered_map<std::string, size_t> index_;  // of members, by name
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_AUDITOR_POOL_H_
