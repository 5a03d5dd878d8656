#include "coordinator/session/coordinator_session.h"

#include <algorithm>
#include <utility>

#include "core/base/status_macros.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

std::vector<int64_t> IndicesOf(const std::vector<GameRecord>& games) {
  std::vector<int64_t> indices;
  indices.reserve(games.size());
  for (const GameRecord& game : games) indices.push_back(game.index);
  return indices;
}

int64_t PliesOf(const std::vector<GameRecord>& games) {
  int64_t plies = 0;
  for (const GameRecord& game : games) plies += game.plies;
  return plies;
}

absl::Status StillRecording(int64_t tournament) {
  return absl::FailedPreconditionError("tournament " + std::to_string(tournament) +
                                       " is recording its last games; try again in a moment");
}

// Returns the answer for a report whose lease is over; nothing was recorded.
ReportReply Stale() {
  ReportReply reply;
  reply.outcome = ReportOutcome::kStale;
  reply.is_cancelled = true;
  return reply;
}

// The same for a report in progress. The file of its shard does not count.
ReportStep EndAsStale(const PendingReport& pending) {
  return {.answer = Stale(), .is_stray = pending.report.shard.has_value()};
}

}  // namespace

CoordinatorSession::CoordinatorSession(const Options& options, uint64_t epoch)
    : options_(options),
      book_(options.leases, epoch),
      held_(options.audits, options.audit_secret, epoch, book_),
      notes_(options.is_local, options.ask_every) {}

// ---- The initial contents of the store.

void CoordinatorSession::AddTournament(StoredTournament stored, const RangeSet& recorded,
                                       const std::vector<ShardEntry>& shards,
                                       EarlierResults earlier) {
  const int64_t id = stored.id;
  Ledger ledger(stored.spec.games, recorded);
  LiveTournament& added =
      tournaments_.emplace(id, LiveTournament(std::move(stored), shards, std::move(earlier)))
          .first->second;
  TournamentState state = added.stored().state;
  // More games may have been requested since the tournament was done. But results can end one
  // before all of its games are played.
  if (state == TournamentState::kDone && !added.has_own_end() && !ledger.is_complete()) {
    state = TournamentState::kActive;
  }
  if (state == TournamentState::kActive && ledger.is_complete()) state = TournamentState::kDone;
  added.set_state(state);
  book_.AddTournament(id, std::move(ledger), added.Needs(options_.build), state,
                      added.stored().precedence);
  Advance(added, Time());
  // An earlier coordinator may have stopped before it added the tournament that follows.
  if (state == TournamentState::kDone && added.stored().spec.tune) ended_.push_back(id);
  // An earlier coordinator may have recorded shards that no manifest lists yet.
  NoteRun(added);
}

void CoordinatorSession::Restore(const std::vector<StoredLease>& leases,
                                 const std::vector<StoredWorker>& workers, Time now) {
  if (!options_.is_local) {
    for (const StoredLease& lease : leases) book_.Restore(lease.worker, lease.lease, now);
  }
  for (const StoredWorker& worker : workers) {
    if (!worker.quarantine.empty()) book_.Quarantine(worker.name, worker.quarantine);
  }
}

void CoordinatorSession::CountEarlier(int64_t tournament, const GameSummary& game) {
  if (Has(tournament)) At(tournament).CountEarlier(game);
}

// ---- For workers.

absl::Status CoordinatorSession::CheckLeads() const {
  return end_.ok() ? absl::OkStatus() : absl::UnavailableError(end_.message());
}

bool CoordinatorSession::IsBusy() const {
  return is_store_behind() || replaying_plies_ >= options_.replay_plies_max;
}

absl::Status CoordinatorSession::Register(const WorkerInfo& worker, Time now,
                                          const WorkerOwner& owner) {
  RETURN_IF_ERROR(CheckLeads());
  RETURN_IF_ERROR(book_.Register(worker, now, owner));
  notes_.AddWorker(worker, "");
  return absl::OkStatus();
}

absl::StatusOr<LeaseReply> CoordinatorSession::RequestLease(const WorkerId& worker, Time now) {
  RETURN_IF_ERROR(CheckLeads());
  if (is_store_behind()) return LeaseReply{.lease = std::nullopt, .retry = 2 * options_.retry};
  held_.NoteAlive(worker, now);
  const auto next_audit = [&](const WorkerBook::Worker& entry) { return held_.Next(entry, now); };
  ASSIGN_OR_RETURN(LeaseReply reply, book_.RequestLease(worker, now, next_audit));
  if (reply.lease) reply.lease->matches = At(reply.lease->tournament).MatchesOf(reply.lease->games);
  return reply;
}

absl::StatusOr<HeartbeatReply> CoordinatorSession::Heartbeat(const HeartbeatRequest& heartbeat,
                                                             Time now) {
  RETURN_IF_ERROR(CheckLeads());
  ASSIGN_OR_RETURN(HeartbeatReply reply, book_.Heartbeat(heartbeat, now));
  held_.NoteAlive(heartbeat.worker, now);
  if (IsBusy()) reply.slow = 5 * options_.retry;
  return reply;
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
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return NoSuchTournament(tournament);
  return found->second.spec_json();
}

// ---- The path of a report.

ReportReply CoordinatorSession::Retry(std::string why) const {
  ReportReply reply;
  reply.outcome = ReportOutcome::kRetry;
  reply.why = std::move(why);
  reply.retry = options_.retry;
  return reply;
}

ReportReply CoordinatorSession::Reject(const Report& report, const absl::Status& why, Time now) {
  ReportReply reply;
  reply.outcome = ReportOutcome::kRejected;
  reply.why = std::string(why.message());
  reply.is_cancelled = true;
  book_.Reject(report.worker, report.token, reply.why, now);
  return reply;
}

ReportStep CoordinatorSession::Accept(PendingReport& pending, Time now) {
  const absl::StatusOr<std::optional<ReportReply>> checked = Check(pending, now);
  if (!checked.ok()) return {.answer = checked.status()};
  if (*checked) {
    return {.answer = **checked,
            .is_stray = (*checked)->outcome == ReportOutcome::kStale && pending.report.shard};
  }
  if (!pending.report.games.empty()) return {.next = ReportStep::Next::kReplay};
  if (pending.audit != 0) {
    Finish(pending);
    return Answer(ReportReply());
  }
  // Even without new games, the answer may have to say that the lease is over.
  return OnRecorded(pending, absl::OkStatus(), {}, now);
}

// Returns the answer if it is already known. Otherwise the report is now in progress.
absl::StatusOr<std::optional<ReportReply>> CoordinatorSession::Check(PendingReport& pending,
                                                                     Time now) {
  RETURN_IF_ERROR(CheckLeads());
  const Report& report = pending.report;
  ASSIGN_OR_RETURN(const LeaseBook::ReportCheck check,
                   book_.CheckReport(report.worker, report.token, IndicesOf(report.games), now));
  if (!check.is_live) return Stale();
  if (IsBusy()) return Retry("the store is behind");
  const WorkerBook::Worker* const worker = book_.FindWorker(report.worker);
  // An earlier coordinator granted the lease; whether the worker is audited is not known yet.
  if (worker == nullptr) return Retry("the worker has not registered again yet");
  pending.owner = {.name = worker->owner, .audits = worker->audits};
  const LiveTournament& tournament = At(check.tournament);
  if (const absl::Status status = tournament.CheckShard(report); !status.ok()) {
    return Reject(report, status, now);
  }
  if (check.audit != 0) {
    BeginAudit(pending, check);
    return std::nullopt;
  }
  // A held shard has been reported again.
  if (report.shard && check.has_held) return ReportReply();
  const bool is_recording = std::any_of(
      report.games.begin(), report.games.end(),
      [&](const GameRecord& game) { return tournament.recording().contains(game.index); });
  if (is_recording) return Retry("games of this report are being recorded");
  Begin(pending, check);
  return std::nullopt;
}

void CoordinatorSession::Begin(PendingReport& pending, const LeaseBook::ReportCheck& check) {
  LiveTournament& tournament = At(check.tournament);
  Report& report = pending.report;
  pending.tournament = check.tournament;
  pending.duplicates = static_cast<int64_t>(report.games.size() - check.fresh.size());
  if (report.shard) {
    // A shard counts with all its games or not at all, and the store knows which.
    tournament.CompleteShard(&*report.shard);
  } else {
    std::erase_if(report.games, [&](const GameRecord& game) {
      return !std::binary_search(check.fresh.begin(), check.fresh.end(), game.index);
    });
  }
  pending.indices = IndicesOf(report.games);
  pending.plies = PliesOf(report.games);
  for (const int64_t index : pending.indices) tournament.recording().Add({index, index + 1});
  replaying_plies_ += pending.plies;
  pending.stage = PendingReport::Stage::kReplaying;
}

void CoordinatorSession::BeginAudit(PendingReport& pending, const LeaseBook::ReportCheck& check) {
  pending.tournament = check.tournament;
  pending.audit = check.audit;
  ++At(check.tournament).auditing();
  pending.audited = held_.ReportOf(check.audit);
  pending.indices = IndicesOf(pending.report.games);
  pending.plies = PliesOf(pending.report.games);
  replaying_plies_ += pending.plies;
  pending.stage = PendingReport::Stage::kReplaying;
}

// Removes the report from those in progress, whatever its outcome.
void CoordinatorSession::Finish(const PendingReport& pending) {
  LiveTournament& tournament = At(pending.tournament);
  if (pending.audit != 0) {
    --tournament.auditing();
  } else {
    for (const int64_t index : pending.indices) tournament.recording().Remove({index, index + 1});
  }
  if (pending.stage == PendingReport::Stage::kReplaying) replaying_plies_ -= pending.plies;
  if (pending.stage == PendingReport::Stage::kRecording) recording_plies_ -= pending.plies;
  if (tournament.stored().state == TournamentState::kCancelled) NoteRun(tournament);
}

ReportStep CoordinatorSession::OnReplayed(PendingReport& pending, const absl::Status& status,
                                          Time now) {
  if (!status.ok()) {
    Finish(pending);
    if (pending.confirms == 0) return Answer(Reject(pending.report, status, now));
    held_.Discard(pending.confirms);
    return Answer(ReportReply());
  }
  replaying_plies_ -= pending.plies;
  if (pending.audit != 0) {
    pending.stage = PendingReport::Stage::kComparing;
    return {.next = ReportStep::Next::kCompare};
  }
  recording_plies_ += pending.plies;
  pending.stage = PendingReport::Stage::kRecording;
  const LiveTournament& tournament = At(pending.tournament);
  pending.bot_digests = tournament.BotDigests(options_.build);
  if (pending.bot_digests == tournament.stored().bot_digests) pending.bot_digests.clear();
  if (pending.confirms == 0 && !pending.is_repeated()) {
    pending.held = held_.Prepare(pending.report.worker.name, pending.owner, pending.tournament,
                                 tournament.is_reproducible(), pending.indices);
  }
  return {.next = ReportStep::Next::kRecord};
}

ReportStep CoordinatorSession::OnRecorded(const PendingReport& pending, const absl::Status& status,
                                          const std::vector<GameRecord>& games, Time now) {
  Finish(pending);
  if (absl::IsFailedPrecondition(status)) End(status);
  if (pending.confirms != 0) {
    OnConfirmedRecorded(pending, status, games, now);
    return Answer(ReportReply());
  }
  if (absl::IsInvalidArgument(status)) {
    // This does not count against the worker: another report in the transaction may be at fault.
    ReportReply rejected;
    rejected.outcome = ReportOutcome::kRejected;
    rejected.why = std::string(status.message());
    return Answer(rejected);
  }
  if (absl::IsAlreadyExists(status)) return EndAsStale(pending);
  if (!status.ok()) return Answer(Retry(std::string(status.message())));
  if (pending.held) {
    Hold(pending, now);
  } else {
    Count(pending, games, now);
  }
  return Answer(ReportReply());
}

// ---- Audits.

void CoordinatorSession::Hold(const PendingReport& pending, Time now) {
  LiveTournament& tournament = At(pending.tournament);
  if (!pending.bot_digests.empty()) tournament.set_bot_digests(pending.bot_digests);
  book_.Held(pending.tournament, pending.report.token, pending.indices, now);
  held_.OnHeld(*pending.held);
  if (IsOver(tournament.stored().state)) held_.Drop(pending.tournament);
}

ReportStep CoordinatorSession::OnCompared(const PendingReport& pending, const absl::Status& status,
                                          std::string_view reported, std::string_view played,
                                          Time now) {
  Finish(pending);
  if (absl::IsUnavailable(status)) return Answer(Retry(std::string(status.message())));
  if (absl::IsDataLoss(status)) held_.Discard(pending.audited);
  if (status.ok()) held_.Answer(pending.audit, pending.report.worker, reported, played, now);
  book_.EndAudit(pending.report.worker, pending.report.token, now);
  return {.answer = ReportReply(), .is_stray = pending.report.shard.has_value()};
}

ReportStep CoordinatorSession::AcceptConfirmed(PendingReport& pending) {
  const std::optional<int64_t> id = held_.TournamentOf(pending.confirms);
  if (!id) return Answer(ReportReply());
  LiveTournament& tournament = At(*id);
  pending.tournament = *id;
  if (pending.report.shard) tournament.CompleteShard(&*pending.report.shard);
  pending.indices = IndicesOf(pending.report.games);
  pending.plies = PliesOf(pending.report.games);
  for (const int64_t index : pending.indices) tournament.recording().Add({index, index + 1});
  replaying_plies_ += pending.plies;
  pending.stage = PendingReport::Stage::kReplaying;
  return {.next = ReportStep::Next::kReplay};
}

void CoordinatorSession::OnConfirmedLost(int64_t report, const absl::Status& status) {
  if (absl::IsNotFound(status) || absl::IsDataLoss(status)) return held_.Discard(report);
  held_.Postpone(report);
}

void CoordinatorSession::OnConfirmedRecorded(const PendingReport& pending,
                                             const absl::Status& status,
                                             const std::vector<GameRecord>& games, Time now) {
  if (absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status)) {
    return held_.Discard(pending.confirms);
  }
  if (!status.ok()) return held_.Postpone(pending.confirms);
  LiveTournament& tournament = At(pending.tournament);
  if (!pending.bot_digests.empty()) tournament.set_bot_digests(pending.bot_digests);
  held_.OnRecorded(pending.confirms);
  CountGames(pending, games, book_.Confirm(pending.tournament, pending.indices), now);
}

void CoordinatorSession::OnAuditNotesSaved(AuditNotes notes, const absl::Status& status) {
  store_status_ = status;
  if (absl::IsFailedPrecondition(status)) return End(status);
  if (status.ok()) {
    held_.OnNotesSaved(notes);
  } else {
    held_.PutBack(std::move(notes));
  }
}

// ---- What recorded games change.

void CoordinatorSession::Count(const PendingReport& pending, const std::vector<GameRecord>& games,
                               Time now) {
  LiveTournament& tournament = At(pending.tournament);
  if (!pending.bot_digests.empty()) tournament.set_bot_digests(pending.bot_digests);
  if (pending.is_repeated()) return;
  CountGames(pending, games,
             book_.Recorded(pending.tournament, pending.report.token, pending.indices, now), now);
}

void CoordinatorSession::CountGames(const PendingReport& pending,
                                    const std::vector<GameRecord>& games, bool completes,
                                    Time now) {
  LiveTournament& tournament = At(pending.tournament);
  tournament.Count(games, now);
  if (completes) {
    tournament.set_state(TournamentState::kDone);
    if (tournament.stored().spec.tune) ended_.push_back(pending.tournament);
  }
  Advance(tournament, now);
  if (!pending.report.shard) return;
  tournament.CountShard(*pending.report.shard);
  NoteRun(tournament);
}

void CoordinatorSession::Advance(LiveTournament& tournament, Time now) {
  const int64_t id = tournament.stored().id;
  if (IsOver(tournament.stored().state)) return;
  if (!planning_.contains(id)) {
    std::vector<PlannedMatch> next = tournament.NextMatches();
    if (!next.empty()) {
      planning_.insert(id);
      batches_.push_back({.tournament = id, .matches = std::move(next)});
    }
  }
  if (const auto horizon = tournament.horizon()) book_.SetHorizon(id, *horizon);
  if (!tournament.is_decided() || !book_.Finish(id, now)) return;
  tournament.set_state(TournamentState::kDone);
  held_.Drop(id);
  ended_.push_back(id);
}

void CoordinatorSession::OnBatchStored(const MatchBatch& batch, const absl::Status& status) {
  planning_.erase(batch.tournament);
  store_status_ = status;
  if (absl::IsFailedPrecondition(status)) End(status);
  if (!status.ok()) return;  // Tick plans again
  LiveTournament& tournament = At(batch.tournament);
  tournament.AddMatches(batch.matches);
  book_.SetHorizon(batch.tournament, *tournament.horizon());
}

std::vector<PlannedMatch> CoordinatorSession::MatchesOf(const PendingReport& pending) const {
  const LiveTournament& tournament = At(pending.tournament);
  RangeSet games;
  for (const int64_t index : pending.indices) games.Add({index, index + 1});
  std::vector<PlannedMatch> matches;
  for (const Range& range : games.ranges()) {
    for (PlannedMatch& match : tournament.MatchesOf(range)) {
      if (matches.empty() || matches.back().number < match.number) {
        matches.push_back(std::move(match));
      }
    }
  }
  return matches;
}

void CoordinatorSession::OnEndStored(int64_t tournament, const absl::Status& status) {
  store_status_ = status;
  if (absl::IsFailedPrecondition(status)) return End(status);
  if (!status.ok() && Has(tournament)) ended_.push_back(tournament);
}

// ---- For operators.

absl::Status CoordinatorSession::SetState(int64_t tournament, TournamentState state, Time now) {
  // The last game may have been recorded since MaySetState.
  RETURN_IF_ERROR(book_.SetState(tournament, state, now));
  At(tournament).set_state(state);
  if (IsOver(state)) held_.Drop(tournament);
  NoteRun(At(tournament));
  return absl::OkStatus();
}

absl::Status CoordinatorSession::MayDelete(int64_t tournament) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return NoSuchTournament(tournament);
  RETURN_IF_ERROR(CheckIsOver(tournament, book_.View(tournament)->state));
  const bool is_busy = !found->second.recording().empty() || found->second.auditing() > 0 ||
                       planning_.contains(tournament);
  return is_busy ? StillRecording(tournament) : absl::OkStatus();
}

void CoordinatorSession::Delete(int64_t tournament, Time now) {
  book_.RemoveTournament(tournament, now);
  tournaments_.erase(tournament);
  changed_runs_.erase(tournament);
  std::erase(ended_, tournament);
}

void CoordinatorSession::SetPrecedence(int64_t tournament, const Precedence& precedence) {
  book_.SetPrecedence(tournament, precedence);
  At(tournament).set_precedence(precedence);
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
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return NoSuchTournament(tournament);
  return StatusOf(found->second, now);
}

std::vector<TournamentStatus> CoordinatorSession::Statuses(Time now) const {
  std::vector<TournamentStatus> statuses;
  for (const auto& [id, tournament] : tournaments_) statuses.push_back(StatusOf(tournament, now));
  return statuses;
}

std::vector<TournamentCounts> CoordinatorSession::Counts() const {
  std::vector<TournamentCounts> counts;
  for (const auto& [id, tournament] : tournaments_) {
    counts.push_back(tournament.Counts(*book_.View(id)));
    counts.back().audits = held_.ViewOf(id);
  }
  return counts;
}

std::vector<int64_t> CoordinatorSession::TournamentsWith(std::string_view digest) const {
  std::vector<int64_t> ids;
  for (const auto& [id, tournament] : tournaments_) {
    const std::vector<BotSpec>& bots = tournament.stored().spec.bots;
    const bool plays = std::any_of(bots.begin(), bots.end(),
                                   [&](const BotSpec& bot) { return bot.digest == digest; });
    if (plays && !IsOver(book_.View(id)->state)) ids.push_back(id);
  }
  return ids;
}

// ---- For the clock and the store.

void CoordinatorSession::Tick(Time now) {
  book_.Expire(now);
  for (const auto& [worker, why] : held_.Tick(now)) notes_.AddWorker(worker, why);
  for (auto& [id, tournament] : tournaments_) {
    tournament.Tick(now);
    Advance(tournament, now);
  }
}

std::vector<LeaseEvent> CoordinatorSession::TakeEvents(Time now) {
  std::vector<LeaseEvent> events = book_.TakeEvents();
  for (const LeaseEvent& event : events) held_.OnLeaseEvent(event);
  notes_.AddEvents(events, book_, now);
  return events;
}

void CoordinatorSession::OnNotesSaved(const StoreNotes& notes, const absl::Status& status) {
  notes_.OnSaved(notes, status);
  store_status_ = status;
  if (absl::IsFailedPrecondition(status)) End(status);
}

void CoordinatorSession::NoteRun(const LiveTournament& tournament) {
  if (tournament.is_selfplay()) changed_runs_.insert(tournament.stored().id);
}

std::vector<int64_t> CoordinatorSession::TakeChangedRuns() {
  const std::set<int64_t> runs = std::exchange(changed_runs_, {});
  return {runs.begin(), runs.end()};
}

TournamentState CoordinatorSession::RunState(int64_t tournament) const {
  const LiveTournament& run = At(tournament);
  const TournamentState state = run.stored().state;
  // Games reported before the cancellation may still be recorded, and another coordinator may know
  // more.
  const bool may_count = !run.recording().empty() || !end_.ok();
  return state == TournamentState::kCancelled && may_count ? TournamentState::kActive : state;
}

absl::Status CoordinatorSession::status() const {
  RETURN_IF_ERROR(end_);
  return store_status_;
}

}  // namespace triarch
