// Gathers what the store should be told besides games: leases, workers, whether to ask who leads.

#ifndef TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_
#define TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_

#include <chrono>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/store/stored.h"
#include "core/record/lease.h"

namespace triarch {

// Nothing that is recorded depends on it: a coordinator that takes over without some of it has
// games played again.
struct StoreNotes {
  // Save the workers and then the leases, even if there are none: saving no lease asks the store
  // whether this coordinator still leads.
  bool is_for_store = false;
  std::vector<StoredWorker> workers;
  std::vector<StoredLease> leases;
};

class NoteKeeper {
 public:
  using Time = LeaseBook::Time;

  // A local run stores no leases and does not ask.
  NoteKeeper(bool is_local, std::chrono::milliseconds ask_every)
      : is_local_(is_local), ask_every_(ask_every) {}

  void AddWorker(const WorkerInfo& worker, const std::string& quarantine);
  // Notes the leases, and the workers of the book that a false report has quarantined.
  void AddEvents(const std::vector<LeaseEvent>& events, const LeaseBook& book, Time now);
  // Returns what to tell the store now. After notes for the store there are no others until they
  // are saved, so that a store that does not answer has one task to do and not many.
  StoreNotes Take(Time now);
  // `status`: the first error of saving them.
  void OnSaved(const StoreNotes& notes, const absl::Status& status);

 private:
  const bool is_local_;
  const std::chrono::milliseconds ask_every_;
  std::vector<StoredWorker> workers_;
  std::vector<StoredLease> leases_;
  bool are_under_way_ = false;
  Time ask_at_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_
