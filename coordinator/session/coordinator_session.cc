#include "coordinator/session/coordinator_session.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

absl::Status StillRecording(int64_t tournament) {
  return absl::FailedPreconditionError("tournament " + std::to_string(tournament) +
                                       " is recording its last games; try again in a moment");
}

}  // namespace

CoordinatorSession::CoordinatorSession(const Options& options, uint64_t epoch)
    : options_(options),
      book_(options.leases, epoch),
      held_(options.audits, options.audit_secret, epoch, book_),
      tournaments_(options.build, book_, held_),
      reports_(options_, term_, book_, held_, tournaments_),
      notes_(options.is_local, options.ask_every) {}

// ---- The initial contents of the store.

void CoordinatorSession::Restore(const std::vector<StoredLease>& leases,
                                 const std::vector<StoredWorker>& workers, Time now) {
  if (!options_.is_local) {
    for (const StoredLease& lease : leases) book_.Restore(lease.worker, lease.lease, now);
  }
  for (const StoredWorker& worker : workers) {
    if (!worker.quarantine.empty()) book_.Quarantine(worker.name, worker.quarantine);
  }
}

// ---- For workers.

absl::Status CoordinatorSession::Register(const WorkerInfo& worker, Time now,
                                          const WorkerOwner& owner) {
  RETURN_IF_ERROR(term_.CheckForWorkers());
  RETURN_IF_ERROR(book_.Register(worker, now, owner));
  notes_.AddWorker(worker, "");
  return absl::OkStatus();
}

absl::StatusOr<LeaseReply> CoordinatorSession::RequestLease(const WorkerId& worker, Time now) {
  RETURN_IF_ERROR(term_.CheckForWorkers());
  if (is_store_behind()) return LeaseReply{.lease = std::nullopt, .retry = 2 * options_.retry};
  held_.NoteAlive(worker, now);
  const auto next_audit = [&](const WorkerBook::Worker& entry) { return held_.Next(entry, now); };
  ASSIGN_OR_RETURN(LeaseReply reply, book_.RequestLease(worker, now, next_audit));
  if (reply.lease)
    reply.lease->matches = tournaments_.At(reply.lease->tournament).MatchesOf(reply.lease->games);
  return reply;
}

absl::StatusOr<HeartbeatReply> CoordinatorSession::Heartbeat(const HeartbeatRequest& heartbeat,
                                                             Time now) {
  RETURN_IF_ERROR(term_.CheckForWorkers());
  ASSIGN_OR_RETURN(HeartbeatReply reply, book_.Heartbeat(heartbeat, now));
  held_.NoteAlive(heartbeat.worker, now);
  if (reports_.is_busy()) reply.slow = 5 * options_.retry;
  return reply;
}

std::optional<int64_t> CoordinatorSession::TournamentPlayed(const WorkerId& worker, uint64_t token,
                                                            int64_t index) const {
  const auto found = book_.Leases().find(token);
  if (found == book_.Leases().end()) return std::nullopt;
  const LiveLease& lease = found->second;
  if (lease.worker != worker || lease.audit != 0 || !lease.remaining.contains(index)) {
    return std::nullopt;
  }
  return lease.lease.tournament;
}

void CoordinatorSession::Release(const WorkerId& worker, const std::vector<uint64_t>& tokens,
                                 const std::string& why, bool leaves, Time now) {
  for (const uint64_t token : tokens) {
    if (why.empty()) {
      book_.Release(worker, token, now);
    } else {
      book_.Refuse(worker, token, why, now);
    }
  }
  if (!leaves) return;
  held_.Forget(worker);
  book_.Leave(worker, now);
}

absl::StatusOr<std::string> CoordinatorSession::SpecJson(int64_t tournament) const {
  const LiveTournament* const found = tournaments_.Find(tournament);
  return found == nullptr ? NoSuchTournament(tournament)
                          : absl::StatusOr<std::string>(found->spec_json());
}

// ---- For operators.

absl::Status CoordinatorSession::SetState(int64_t tournament, TournamentState state, Time now) {
  // The last game may have been recorded since MaySetState.
  RETURN_IF_ERROR(book_.SetState(tournament, state, now));
  tournaments_.At(tournament).set_state(state);
  if (IsOver(state)) held_.Drop(tournament);
  tournaments_.NoteRun(tournaments_.At(tournament));
  return absl::OkStatus();
}

absl::Status CoordinatorSession::MayDelete(int64_t tournament) const {
  if (!Has(tournament)) return NoSuchTournament(tournament);
  RETURN_IF_ERROR(CheckIsOver(tournament, book_.View(tournament)->state));
  return tournaments_.IsBusy(tournament) ? StillRecording(tournament) : absl::OkStatus();
}

void CoordinatorSession::SetPrecedence(int64_t tournament, const Precedence& precedence) {
  book_.SetPrecedence(tournament, precedence);
  tournaments_.At(tournament).set_precedence(precedence);
}

absl::StatusOr<Eviction> CoordinatorSession::Evict(const std::string& worker,
                                                   const std::string& quarantine, Time now) {
  Eviction eviction;
  ASSIGN_OR_RETURN(eviction.leases, book_.Evict(worker, quarantine, now));
  if (!quarantine.empty()) eviction.note = notes_.AddQuarantine(book_, worker, now);
  return eviction;
}

absl::StatusOr<int64_t> CoordinatorSession::Unquarantine(const std::string& worker, Time now) {
  RETURN_IF_ERROR(book_.Unquarantine(worker));
  return notes_.AddQuarantine(book_, worker, now);
}

TournamentStatus CoordinatorSession::StatusOf(const LiveTournament& tournament, Time now) const {
  const int64_t id = tournament.stored().id;
  TournamentStatus status = tournament.Status(*book_.View(id));
  status.audits = held_.ViewOf(id);
  status.refusals = book_.RefusalsOf(id, now);
  return status;
}

absl::StatusOr<TournamentStatus> CoordinatorSession::Status(int64_t tournament, Time now) const {
  const LiveTournament* const found = tournaments_.Find(tournament);
  if (found == nullptr) return NoSuchTournament(tournament);
  return StatusOf(*found, now);
}

std::vector<TournamentStatus> CoordinatorSession::Statuses(Time now) const {
  std::vector<TournamentStatus> statuses;
  for (const auto& [id, tournament] : tournaments_.all())
    statuses.push_back(StatusOf(tournament, now));
  return statuses;
}

std::vector<TournamentCounts> CoordinatorSession::Counts() const {
  std::vector<TournamentCounts> counts;
  for (const auto& [id, tournament] : tournaments_.all()) {
    counts.push_back(tournament.Counts(*book_.View(id)));
    counts.back().audits = held_.ViewOf(id);
  }
  return counts;
}

// ---- For the clock and the store.

void CoordinatorSession::Tick(Time now) {
  book_.Expire(now);
  for (const auto& [worker, why] : held_.Tick(now)) notes_.AddWorker(worker, why);
  tournaments_.Tick(now);
}

std::vector<LeaseEvent> CoordinatorSession::TakeEvents(Time now) {
  std::vector<LeaseEvent> events = book_.TakeEvents();
  for (const LeaseEvent& event : events) held_.OnLeaseEvent(event);
  notes_.AddEvents(events, book_, now);
  return events;
}

void CoordinatorSession::OnNotesSaved(const StoreNotes& notes, const absl::Status& status) {
  notes_.OnSaved(notes, status);
  term_.OnStored(status);
}

void CoordinatorSession::OnAuditNotesSaved(AuditNotes notes, const absl::Status& status) {
  term_.OnStored(status);
  if (status.ok()) return held_.OnNotesSaved(notes);
  if (!absl::IsFailedPrecondition(status)) held_.PutBack(std::move(notes));
}

TournamentState CoordinatorSession::RunState(int64_t tournament) const {
  const LiveTournament& run = tournaments_.At(tournament);
  const TournamentState state = run.stored().state;
  // Games reported before the cancellation may still be recorded, and another coordinator may know
  // more.
  const bool may_count = !run.recording().empty() || term_.is_over();
  return state == TournamentState::kCancelled && may_count ? TournamentState::kActive : state;
}

}  // namespace triarch
