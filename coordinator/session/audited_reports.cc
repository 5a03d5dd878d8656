#include "coordinator/session/audited_reports.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace triarch {
namespace {

// By AuditOutcome::Kind, for the store.
constexpr std::array<std::string_view, 5> kOutcomes = {"passed", "lied", "auditor_lied",
                                                       "irreproducible", "revoked"};

}  // namespace

StoredAudit AuditedReports::ToStored(const AuditOutcome& outcome) {
  return {.tournament = outcome.audit.tournament,
          .game = outcome.audit.game,
          .worker = NameOf(outcome.worker),
          .owner = OwnerOf(outcome.worker),
          .auditor = NameOf(outcome.auditor),
          .outcome = std::string(kOutcomes[outcome.kind])};
}

Auditor AuditedReports::AuditorOf(const Worker& worker) {
  return {.worker = KeyOf(worker.owner, worker.info.id.name),
          .owner = worker.owner,
          .is_audited = worker.audits > 0};
}

void AuditedReports::Restore(const std::vector<StoredReport>& reports,
                             const std::vector<StoredAuditCount>& counts) {
  AuditBook::PassCounts passes;
  std::map<int64_t, int64_t> voids;
  for (const StoredAuditCount& count : counts) {
    int64_t& passed = passes[{KeyOf(count.owner, count.worker), count.tournament}];
    if (count.outcome == kOutcomes[AuditOutcome::kPassed]) passed += count.audits;
    if (count.outcome == kOutcomes[AuditOutcome::kRevoked]) passed -= count.audits;
    if (count.outcome == kOutcomes[AuditOutcome::kIrreproducible]) {
      voids[count.tournament] += count.audits;
    }
  }
  book_.Restore(passes, voids);
  for (const StoredReport& report : reports) {
    const auto view = leases_.View(report.tournament);
    if (!view || IsOver(view->state)) {
      notes_.dropped.push_back(report.id);
      continue;
    }
    StoredReport left = report;
    const RangeSet games = leases_.HoldEarlier(report.tournament, report.games);
    std::erase_if(left.games, [&](int64_t index) { return !games.contains(index); });
    if (left.games.empty()) {
      notes_.dropped.push_back(report.id);  // recorded, but not dropped before the restart
      continue;
    }
    held_[report.id] = {.tournament = report.tournament, .games = left.games};
    book_.Hold({.id = report.id,
                .tournament = report.tournament,
                .worker = KeyOf(report.owner, report.worker),
                .owner = report.owner,
                .audits = report.audits,
                .passes_before = report.passes_before,
                .games = left.games},
               /*is_restored=*/true);
  }
}

std::optional<StoredReport> AuditedReports::Prepare(const std::string& worker,
                                                    const WorkerOwner& owner, int64_t tournament,
                                                    bool is_reproducible,
                                                    std::vector<int64_t> games) {
  if (owner.audits == 0 || !is_reproducible || games.empty()) return std::nullopt;
  std::sort(games.begin(), games.end());
  return StoredReport{.id = static_cast<int64_t>(epoch_ << 32) + ++counter_,
                      .tournament = tournament,
                      .worker = worker,
                      .owner = owner.name,
                      .audits = owner.audits,
                      .passes_before = book_.PassesBefore(KeyOf(owner.name, worker), tournament),
                      .games = std::move(games),
                      .report = ""};
}

void AuditedReports::OnHeld(const StoredReport& report) {
  held_[report.id] = {.tournament = report.tournament, .games = report.games};
  book_.Hold({.id = report.id,
              .tournament = report.tournament,
              .worker = KeyOf(report.owner, report.worker),
              .owner = report.owner,
              .audits = report.audits,
              .games = report.games});
}

// ---- Audits.

std::optional<LeaseBook::AuditGame> AuditedReports::Next(const Worker& worker, Time now) {
  const std::string& name = worker.info.id.name;
  const std::optional<Audit> audit = book_.Next(
      AuditorOf(worker), [&](int64_t id) { return leases_.MayPlay(name, id, now); }, now);
  if (!audit) return std::nullopt;
  reports_[audit->id] = {.report = audit->report, .auditor = KeyOf(worker.owner, name)};
  return LeaseBook::AuditGame{
      .audit = audit->id, .tournament = audit->tournament, .game = audit->game};
}

void AuditedReports::NoteAlive(const WorkerId& worker, Time now) {
  const Worker* const entry = leases_.FindWorker(worker);
  if (entry != nullptr) book_.NoteAlive(AuditorOf(*entry), now);
}

void AuditedReports::Forget(const WorkerId& worker) {
  const Worker* const entry = leases_.FindWorker(worker);
  if (entry != nullptr) book_.Forget(KeyOf(entry->owner, worker.name));
}

void AuditedReports::OnLeaseEvent(const LeaseEvent& event) {
  if (event.audit == 0 || !IsEnd(event.kind)) return;
  // This has no effect if the audit was answered.
  const auto auditor = reports_.find(event.audit);
  if (auditor == reports_.end()) return;
  book_.GiveBack(event.audit, auditor->second.auditor);
  reports_.erase(auditor);
}

int64_t AuditedReports::ReportOf(int64_t audit) const {
  const auto report = reports_.find(audit);
  return report == reports_.end() ? 0 : report->second.report;
}

void AuditedReports::Answer(int64_t audit, const WorkerId& auditor, std::string_view reported,
                            std::string_view played, Time now) {
  const Worker* const entry = leases_.FindWorker(auditor);
  if (entry != nullptr) book_.Answer(audit, AuditorOf(*entry), reported, played, now);
}

void AuditedReports::Drop(int64_t tournament) {
  book_.Drop(tournament);
  for (auto held = held_.begin(); held != held_.end();) {
    const auto current = held++;
    if (current->second.tournament != tournament) continue;
    notes_.dropped.push_back(current->first);
    // The tournament is over, so these games are not played again.
    leases_.OpenHeld(tournament, current->second.games);
    held_.erase(current);
  }
}

// What is held last could otherwise wait forever: no later game of its worker would be audited.
void AuditedReports::Settle() {
  std::set<int64_t> tournaments;
  for (const auto& [id, view] : book_.Views()) {
    if (view.held_games > 0) tournaments.insert(id);
  }
  for (const int64_t id : tournaments) {
    if (leases_.HasNothingToPlay(id)) book_.Settle(id);
  }
}

std::vector<std::pair<WorkerInfo, std::string>> AuditedReports::Tick(Time now) {
  Settle();
  const auto may_play = [&](const std::string& key, int64_t id) {
    return leases_.MayPlay(NameOf(key), id, now);
  };
  book_.Tick(may_play, now);
  std::vector<std::pair<WorkerInfo, std::string>> liars;
  Absorb(now, &liars);
  return liars;
}

void AuditedReports::Absorb(Time now, std::vector<std::pair<WorkerInfo, std::string>>* liars) {
  AuditBook::Results results = book_.TakeResults();
  confirmed_.insert(confirmed_.end(), results.confirmed.begin(), results.confirmed.end());
  for (const AuditOutcome& outcome : results.outcomes) {
    notes_.audits.push_back(ToStored(outcome));
    NoteOutcome(outcome);
  }
  for (const Lie& lie : results.lies) {
    WorkerInfo worker = leases_.Convict(NameOf(lie.worker), lie.why, now);
    liars->emplace_back(std::move(worker), lie.why);
    for (const int64_t report : lie.reports) Discard(report);
  }
}

void AuditedReports::NoteOutcome(const AuditOutcome& outcome) {
  const auto held = held_.find(outcome.audit.report);
  if (held == held_.end()) return;
  std::vector<int64_t>& audited = held->second.audited;
  if (outcome.kind == AuditOutcome::kPassed) audited.push_back(outcome.audit.game);
  if (outcome.kind == AuditOutcome::kRevoked) std::erase(audited, outcome.audit.game);
}

// ---- Reports whose games count now.

void AuditedReports::MarkChecks(int64_t confirms, const WorkerOwner& owner,
                                std::vector<GameRecord>& games) const {
  const auto held = held_.find(confirms);
  for (GameRecord& game : games) {
    if (confirms == 0) {
      game.check = owner.audits > 0 ? GameCheck::kUnaudited : GameCheck::kTrusted;
      continue;
    }
    const bool was_audited =
        held != held_.end() &&
        std::count(held->second.audited.begin(), held->second.audited.end(), game.index) > 0;
    game.check = was_audited ? GameCheck::kAudited : GameCheck::kConfirmed;
  }
}

std::optional<int64_t> AuditedReports::TournamentOf(int64_t report) const {
  const auto held = held_.find(report);
  if (held == held_.end() || held->second.is_discarded) return std::nullopt;
  return held->second.tournament;
}

void AuditedReports::OnRecorded(int64_t report) {
  notes_.dropped.push_back(report);
  held_.erase(report);
}

// The games are open only when the store has dropped the report. Otherwise a coordinator that takes
// over could find it held although its games were played again.
void AuditedReports::Discard(int64_t report) {
  const auto held = held_.find(report);
  if (held == held_.end()) return;
  held->second.is_discarded = true;
  notes_.dropped.push_back(report);
}

void AuditedReports::OnNotesSaved(const AuditNotes& notes) {
  for (const int64_t report : notes.dropped) {
    const auto held = held_.find(report);
    if (held == held_.end() || !held->second.is_discarded) continue;
    leases_.OpenHeld(held->second.tournament, held->second.games);
    held_.erase(held);
  }
}

void AuditedReports::PutBack(AuditNotes notes) {
  notes_.audits.insert(notes_.audits.begin(), std::make_move_iterator(notes.audits.begin()),
                       std::make_move_iterator(notes.audits.end()));
  notes_.dropped.insert(notes_.dropped.begin(), notes.dropped.begin(), notes.dropped.end());
}

}  // namespace triarch
