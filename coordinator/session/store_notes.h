// Collects the leases and workers to store, and whether to ask who leads.

#ifndef TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_
#define TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/store/stored.h"
#include "core/record/lease.h"

namespace triarch {

// The leases and workers to store. Recorded games do not depend on them: if a coordinator takes
// over without some of them, games are played again.
struct StoreNotes {
  // Save the workers and then the leases, even if there are no leases: saving also asks the store
  // whether this coordinator still leads.
  bool is_for_store = false;
  std::vector<StoredWorker> workers;
  std::vector<StoredLease> leases;
};

class NoteKeeper {
 public:
  using Time = LeaseBook::Time;

  // A local run stores no leases and does not ask who leads.
  NoteKeeper(bool is_local, std::chrono::milliseconds ask_every)
      : is_local_(is_local), ask_every_(ask_every) {}

  // Returns the number of the note, from 1.
  int64_t AddWorker(const WorkerInfo& worker, const std::string& quarantine);
  // Adds whether the worker is quarantined.
  int64_t AddQuarantine(const LeaseBook& book, const std::string& worker, Time now);
  // Returns the number of the last note, or 0 if no worker is alive.
  int64_t AddAliveWorkers(const LeaseBook& book, Time now);
  // Returns the number of the last note about a worker that is saved; all earlier ones are, too.
  int64_t workers_saved() const { return workers_saved_; }
  // Adds the leases, and the workers of the book that are quarantined for invalid reports.
  void AddEvents(const std::vector<LeaseEvent>& events, const LeaseBook& book, Time now);
  // Returns the notes for the store. Returns no more until these are saved, so that an unresponsive
  // store has only one pending task.
  StoreNotes Take(Time now);
  // `status` is the first error of saving them.
  void OnSaved(const StoreNotes& notes, const absl::Status& status);

 private:
  const bool is_local_;
  const std::chrono::milliseconds ask_every_;
  std::vector<StoredWorker> workers_;
  std::vector<StoredLease> leases_;
  int64_t workers_added_ = 0;
  int64_t workers_saved_ = 0;
  bool are_under_way_ = false;
  Time ask_at_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_STORE_NOTES_H_
