#include "coordinator/session/store_notes.h"

#include <set>
#include <string>
#include <utility>

namespace triarch {

int64_t NoteKeeper::AddWorker(const WorkerInfo& worker, const std::string& quarantine) {
  workers_.push_back({.name = worker.id.name,
                      .slots = worker.slots,
                      .build = worker.build,
                      .quarantine = quarantine});
  return ++workers_added_;
}

int64_t NoteKeeper::AddQuarantine(const LeaseBook& book, const std::string& worker, Time now) {
  for (const WorkerView& view : book.Workers(now)) {
    if (view.info.id.name == worker) return AddWorker(view.info, view.quarantine);
  }
  // It left before its quarantine ended.
  WorkerInfo gone;
  gone.id.name = worker;
  return AddWorker(gone, "");
}

int64_t NoteKeeper::AddAliveWorkers(const LeaseBook& book, Time now) {
  int64_t note = 0;
  for (const WorkerView& view : book.Workers(now)) {
    if (view.is_alive) note = AddWorker(view.info, view.quarantine);
  }
  return note;
}

void NoteKeeper::AddEvents(const std::vector<LeaseEvent>& events, const LeaseBook& book, Time now) {
  std::set<std::string> rejected;
  for (const LeaseEvent& event : events) {
    if (event.kind == LeaseEvent::Kind::kRejected) rejected.insert(event.worker.name);
    if (is_local_ || (!IsBeginning(event.kind) && !IsEnd(event.kind))) continue;
    leases_.push_back({.worker = event.worker,
                       .lease = event.lease,
                       .ended = IsBeginning(event.kind) ? "" : std::string(ToString(event.kind))});
  }
  if (rejected.empty()) return;
  for (const WorkerView& view : book.Workers(now)) {
    const bool is_new = !view.quarantine.empty() && rejected.contains(view.info.id.name);
    if (is_new) AddWorker(view.info, view.quarantine);
  }
}

StoreNotes NoteKeeper::Take(Time now) {
  StoreNotes notes;
  if (are_under_way_) return notes;
  notes.workers = std::exchange(workers_, {});
  notes.leases = std::exchange(leases_, {});
  const bool asks = !is_local_ && now >= ask_at_;
  if (asks) ask_at_ = now + ask_every_;
  notes.is_for_store = asks || !notes.leases.empty() || !notes.workers.empty();
  are_under_way_ = notes.is_for_store;
  return notes;
}

// Does not retry leases that could not be saved, because their games are played again. But
// quarantines must not be lost.
void NoteKeeper::OnSaved(const StoreNotes& notes, const absl::Status& status) {
  are_under_way_ = false;
  if (status.ok()) {
    workers_saved_ += std::ssize(notes.workers);
  } else {
    workers_.insert(workers_.begin(), notes.workers.begin(), notes.workers.end());
  }
}

}  // namespace triarch
