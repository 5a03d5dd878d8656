#include "coordinator/service/session_writer.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/any_state.h"
#include "core/base/status_macros.h"

namespace triarch {

absl::Status SessionWriter::AddTournament(StoredTournament stored, const RangeSet& recorded,
                                          const std::vector<ShardEntry>& shards,
                                          EarlierResults earlier) {
  RETURN_IF_ERROR(FindGame(stored.spec.game).status());
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(stored.spec));
  MutexLock lock(&shared_.mutex);
  shared_.schedules[stored.id] = std::make_shared<const Schedule>(std::move(schedule));
  shared_.session.AddTournament(std::move(stored), recorded, shards, std::move(earlier));
  SaveProgress();
  PublishChangedRuns();
  return absl::OkStatus();
}

void SessionWriter::SaveNotes() {
  std::vector<LeaseEvent> events;
  AuditNotes audits;
  {
    MutexLock lock(&shared_.mutex);
    const auto now = std::chrono::steady_clock::now();
    events = shared_.session.TakeEvents(now);
    audits = shared_.session.TakeAuditNotes();
    StoreNotes notes = shared_.session.TakeNotes(now);
    // Posted under the lock, so that the next task waits for notes that another thread took.
    if (notes.is_for_store) {
      writer_.Post([this, notes = std::move(notes)](Store& store) {
        absl::Status status;
        if (!notes.workers.empty()) status.Update(store.SaveWorkers(notes.workers));
        status.Update(store.SaveLeases(notes.leases));
        MutexLock inner(&shared_.mutex);
        shared_.session.OnNotesSaved(notes, status);
      });
    }
  }
  SaveAudits(std::move(audits));
  for (const LeaseEvent& event : events) metrics_.LeaseChanged(event);
}

void SessionWriter::SaveProgress() {
  for (MatchBatch& batch : shared_.session.TakeBatches()) {
    writer_.Post([this, batch = std::move(batch)](Store& store) {
      const absl::Status status = store.AddMatches(batch.tournament, batch.matches);
      MutexLock lock(&shared_.mutex);
      shared_.session.OnBatchStored(batch, status);
    });
  }
  for (const int64_t id : shared_.session.TakeEnded()) {
    const std::optional<TournamentSpec> next =
        adds_follow_ups_ ? shared_.session.FollowUp(id) : std::nullopt;
    const Precedence precedence = shared_.session.Get(id).stored().precedence;
    writer_.Post([this, id, next, precedence](Store& store) {
      absl::Status status = next ? AddFollowUp(store, *next, precedence) : absl::OkStatus();
      // Other errors are permanent, such as a following tournament that has more games by now.
      if (!absl::IsUnavailable(status)) status = store.SetState(id, TournamentState::kDone);
      MutexLock lock(&shared_.mutex);
      shared_.session.OnEndStored(id, status);
    });
  }
}

// An earlier attempt may have added it.
absl::Status SessionWriter::AddFollowUp(Store& store, const TournamentSpec& spec,
                                        const Precedence& precedence) {
  ASSIGN_OR_RETURN(const int64_t id, store.OpenTournament(spec));
  {
    MutexLock lock(&shared_.mutex);
    if (shared_.session.Has(id)) return absl::OkStatus();
  }
  RETURN_IF_ERROR(store.SetPrecedence(id, precedence));
  ASSIGN_OR_RETURN(StoredTournament stored, store.Tournament(id));
  return AddTournament(std::move(stored), RangeSet(), {}, {});
}

void SessionWriter::PublishChangedRuns() {
  for (const int64_t id : shared_.session.TakeChangedRuns()) {
    data_.Note(id, shared_.session.Get(id).stored().spec, shared_.session.RunState(id));
  }
}

void SessionWriter::SaveAudits(AuditNotes notes) {
  if (notes.empty()) return;
  writer_.Post([this, notes = std::move(notes)](Store& store) {
    absl::Status status = store.AddAudits(notes.audits);
    // Repeating both would count the audits twice.
    AuditNotes left = notes;
    if (status.ok()) left.audits.clear();
    if (status.ok()) status = store.DropReports(notes.dropped);
    MutexLock lock(&shared_.mutex);
    shared_.session.OnAuditNotesSaved(std::move(left), status);
  });
}

}  // namespace triarch
