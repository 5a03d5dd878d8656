#include "coordinator/session/report_path.h"

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

// Returns the memory that the games take.
int64_t BytesOf(const std::vector<GameRecord>& games) {
  size_t bytes = 0;
  for (const GameRecord& game : games) {
    bytes += sizeof game + game.events.size() * sizeof(RecordedEvent);
    for (const RecordedEvent& event : game.events) {
      if (event.eval) bytes += sizeof *event.eval;
    }
    for (const MoveInfo& info : game.infos) bytes += info.bytes();
    for (const GameFault& fault : game.faults) {
      const FaultReport& report = fault.report;
      bytes += sizeof fault + report.message.size() + report.answer.size() +
               report.exit_status.size() + report.errors.size() + report.protocol.size();
    }
  }
  return static_cast<int64_t>(bytes);
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

bool ReportPath::is_busy() const {
  return is_store_behind() || replaying_bytes_ >= options_.replay_bytes_max;
}

ReportReply ReportPath::Retry(std::string why) const {
  ReportReply reply;
  reply.outcome = ReportOutcome::kRetry;
  reply.why = std::move(why);
  reply.retry = options_.retry;
  return reply;
}

ReportReply ReportPath::Reject(const Report& report, const absl::Status& why, Time now) {
  ReportReply reply;
  reply.outcome = ReportOutcome::kRejected;
  reply.why = std::string(why.message());
  reply.is_cancelled = true;
  book_.Reject(report.worker, report.token, reply.why, now);
  return reply;
}

ReportStep ReportPath::Accept(PendingReport& pending, Time now) {
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
absl::StatusOr<std::optional<ReportReply>> ReportPath::Check(PendingReport& pending, Time now) {
  RETURN_IF_ERROR(term_.CheckForWorkers());
  const Report& report = pending.report;
  ASSIGN_OR_RETURN(const LeaseBook::ReportCheck check,
                   book_.CheckReport(report.worker, report.token, IndicesOf(report.games), now));
  if (!check.is_live) return Stale();
  if (is_busy()) return Retry("the store is behind");
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

void ReportPath::Begin(PendingReport& pending, const LeaseBook::ReportCheck& check) {
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
  BeginReplay(pending);
  for (const int64_t index : pending.indices) tournament.recording().Add({index, index + 1});
}

void ReportPath::BeginAudit(PendingReport& pending, const LeaseBook::ReportCheck& check) {
  pending.tournament = check.tournament;
  pending.audit = check.audit;
  ++At(check.tournament).auditing();
  pending.audited = held_.ReportOf(check.audit);
  BeginReplay(pending);
}

void ReportPath::BeginReplay(PendingReport& pending) {
  pending.indices = IndicesOf(pending.report.games);
  pending.plies = PliesOf(pending.report.games);
  pending.bytes = BytesOf(pending.report.games);
  replaying_plies_ += pending.plies;
  replaying_bytes_ += pending.bytes;
  pending.stage = PendingReport::Stage::kReplaying;
}

void ReportPath::EndReplay(const PendingReport& pending) {
  replaying_plies_ -= pending.plies;
  replaying_bytes_ -= pending.bytes;
}

// Removes the report from those in progress, whatever its outcome.
void ReportPath::Finish(const PendingReport& pending) {
  LiveTournament& tournament = At(pending.tournament);
  if (pending.audit != 0) {
    --tournament.auditing();
  } else {
    for (const int64_t index : pending.indices) tournament.recording().Remove({index, index + 1});
  }
  if (pending.stage == PendingReport::Stage::kReplaying) EndReplay(pending);
  if (pending.stage == PendingReport::Stage::kRecording) recording_bytes_ -= pending.bytes;
  if (tournament.stored().state == TournamentState::kCancelled) tournaments_.NoteRun(tournament);
}

ReportStep ReportPath::OnReplayed(PendingReport& pending, const absl::Status& status, Time now) {
  if (!status.ok()) {
    Finish(pending);
    if (pending.confirms == 0) return Answer(Reject(pending.report, status, now));
    held_.Discard(pending.confirms);
    return Answer(ReportReply());
  }
  EndReplay(pending);
  if (pending.audit != 0) {
    pending.stage = PendingReport::Stage::kComparing;
    return {.next = ReportStep::Next::kCompare};
  }
  recording_bytes_ += pending.bytes;
  pending.stage = PendingReport::Stage::kRecording;
  const LiveTournament& tournament = At(pending.tournament);
  pending.bot_digests = tournament.BotDigests(options_.build);
  if (pending.bot_digests == tournament.stored().bot_digests) pending.bot_digests.clear();
  held_.MarkChecks(pending.confirms, pending.owner, pending.report.games);
  if (pending.confirms == 0 && !pending.is_repeated()) {
    pending.held = held_.Prepare(pending.report.worker.name, pending.owner, pending.tournament,
                                 tournament.is_reproducible(), pending.indices);
  }
  return {.next = ReportStep::Next::kRecord};
}

ReportStep ReportPath::OnRecorded(const PendingReport& pending, const absl::Status& status,
                                  const std::vector<GameRecord>& games, Time now) {
  Finish(pending);
  if (absl::IsFailedPrecondition(status)) term_.End(status);
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

void ReportPath::Hold(const PendingReport& pending, Time now) {
  LiveTournament& tournament = At(pending.tournament);
  if (!pending.bot_digests.empty()) tournament.set_bot_digests(pending.bot_digests);
  book_.Held(pending.tournament, pending.report.token, pending.indices, now);
  held_.OnHeld(*pending.held);
  if (IsOver(tournament.stored().state)) held_.Drop(pending.tournament);
}

ReportStep ReportPath::OnCompared(const PendingReport& pending, const absl::Status& status,
                                  std::string_view reported, std::string_view played, Time now) {
  Finish(pending);
  if (absl::IsUnavailable(status)) return Answer(Retry(std::string(status.message())));
  if (absl::IsDataLoss(status)) held_.Discard(pending.audited);
  if (status.ok()) held_.Answer(pending.audit, pending.report.worker, reported, played, now);
  book_.EndAudit(pending.report.worker, pending.report.token, now);
  return {.answer = ReportReply(), .is_stray = pending.report.shard.has_value()};
}

bool ReportPath::Postpone(int64_t report) {
  if (!is_busy()) return false;
  held_.Postpone(report);
  return true;
}

ReportStep ReportPath::AcceptConfirmed(PendingReport& pending) {
  const std::optional<int64_t> id = held_.TournamentOf(pending.confirms);
  if (!id) return Answer(ReportReply());
  LiveTournament& tournament = At(*id);
  pending.tournament = *id;
  if (pending.report.shard) tournament.CompleteShard(&*pending.report.shard);
  BeginReplay(pending);
  for (const int64_t index : pending.indices) tournament.recording().Add({index, index + 1});
  return {.next = ReportStep::Next::kReplay};
}

void ReportPath::OnConfirmedLost(int64_t report, const absl::Status& status) {
  if (absl::IsNotFound(status) || absl::IsDataLoss(status)) return held_.Discard(report);
  held_.Postpone(report);
}

void ReportPath::OnConfirmedRecorded(const PendingReport& pending, const absl::Status& status,
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

void ReportPath::Count(const PendingReport& pending, const std::vector<GameRecord>& games,
                       Time now) {
  LiveTournament& tournament = At(pending.tournament);
  if (!pending.bot_digests.empty()) tournament.set_bot_digests(pending.bot_digests);
  if (pending.is_repeated()) return;
  CountGames(pending, games,
             book_.Recorded(pending.tournament, pending.report.token, pending.indices, now), now);
}

void ReportPath::CountGames(const PendingReport& pending, const std::vector<GameRecord>& games,
                            bool completes, Time now) {
  const ShardEntry* const shard = pending.report.shard ? &*pending.report.shard : nullptr;
  tournaments_.Count(pending.tournament, games, shard, completes, now);
}
std::vector<PlannedMatch> ReportPath::MatchesOf(const PendingReport& pending) const {
  const LiveTournament& tournament = tournaments_.At(pending.tournament);
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

}  // namespace triarch
