#include "coordinator/audits/audit_book.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_format.h"
#include "core/base/check.h"

namespace triarch {
namespace {

// Returns the share of its games that is audited of a worker with so many audits.
double ShareOf(const AuditRules& rules, int64_t audits) {
  return std::max(rules.share_min, 1 / (1 + static_cast<double>(audits)));
}

std::string WhyLied(const Audit& audit, bool is_reporter) {
  return absl::StrFormat("its %s game %d of tournament %d differs from what others play",
                         is_reporter ? "report of" : "audit of", audit.game, audit.tournament);
}

}  // namespace

AuditBook::AuditBook(const AuditRules& rules, std::string secret)
    : rules_(rules), random_(std::move(secret)), pool_(rules.take_within) {
  CHECK(rules.share_min > 0 && rules.lead > 0);
}

void AuditBook::Restore(const PassCounts& passes, const std::map<int64_t, int64_t>& voids) {
  for (const auto& [tournament, count] : voids) tournaments_[tournament].voids = count;
  for (const auto& [key, count] : passes) {
    const auto& [worker, tournament] = key;
    tournaments_[tournament].workers.insert_or_assign(worker, HeldReports(count));
    records_[worker].passes += count;
    tournaments_[tournament].passes += count;
  }
}

HeldReports* AuditBook::FindHeld(const std::string& worker, int64_t tournament) {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return nullptr;
  const auto held = found->second.workers.find(worker);
  return held == found->second.workers.end() ? nullptr : &held->second;
}

int64_t AuditBook::Hold(HeldReport report, bool is_restored) {
  HeldReports& held = tournaments_[report.tournament].workers[report.worker];
  const Record& record = records_[report.worker];
  const int64_t passes_before = held.Hold(report, is_restored);
  if (!is_restored && !IsIrreproducible(report.tournament)) {
    Random random = random_.Next();
    for (const int64_t game : report.games) {
      if (random.Unit() >= ShareOf(rules_, record.passes + record.open)) continue;
      Open(held, report.worker, report.owner,
           {.id = 0, .tournament = report.tournament, .game = game, .report = report.id});
    }
  }
  Confirm(report.tournament, held);
  return passes_before;
}

void AuditBook::Open(HeldReports& held, const std::string& worker, const std::string& owner,
                     Audit audit) {
  audit.id = ++last_audit_;
  held.Open(audit);
  ++records_[worker].open;
  open_[audit.id] = {.audit = audit, .worker = worker, .owner = owner};
  undrawn_.push_back(audit.id);
}

void AuditBook::Settle(int64_t tournament) {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return;
  found->second.is_settled = true;
  for (auto& [worker, held] : found->second.workers) {
    if (held.size() == 0 || IsIrreproducible(tournament)) continue;
    for (Audit audit : held.Choose(random_.Next())) {
      audit.tournament = tournament;
      Open(held, worker, held.owner(), audit);
    }
    Confirm(tournament, held);
  }
}

void AuditBook::Drop(int64_t tournament) {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return;
  for (const auto& [worker, held] : found->second.workers) {
    for (const int64_t audit : held.OpenAudits()) open_.erase(audit);
    records_[worker].open -= held.open();
  }
  tournaments_.erase(found);
}

void AuditBook::NoteAlive(const Auditor& auditor, Time now) { pool_.NoteAlive(auditor, now); }

void AuditBook::Forget(const std::string& worker) {
  for (const int64_t audit : pool_.Remove(worker)) DrawAgain(audit);
}

void AuditBook::DrawAgain(int64_t audit) {
  const auto found = open_.find(audit);
  if (found == open_.end() || found->second.auditor.empty()) return;
  found->second.auditor.clear();
  found->second.is_taken = false;
  undrawn_.push_back(audit);
}

std::optional<Audit> AuditBook::Next(const Auditor& auditor, MayPlay may_play, Time now) {
  pool_.NoteAlive(auditor, now);
  while (const std::optional<int64_t> id = pool_.Next(auditor.worker, now)) {
    const auto found = open_.find(*id);
    if (found == open_.end()) continue;
    OpenAudit& open = found->second;
    if (may_play(open.audit.tournament)) {
      open.is_taken = true;
      return open.audit;
    }
    DrawAgain(*id);
  }
  return std::nullopt;
}

AuditBook::OpenAudit* AuditBook::FindTaken(int64_t audit, const std::string& worker) {
  const auto found = open_.find(audit);
  if (found == open_.end()) return nullptr;
  OpenAudit& open = found->second;
  return open.is_taken && open.auditor == worker ? &open : nullptr;
}

void AuditBook::GiveBack(int64_t audit, const std::string& worker) {
  if (FindTaken(audit, worker) != nullptr) DrawAgain(audit);
}

void AuditBook::Answer(int64_t audit, const Auditor& auditor, std::string_view reported,
                       std::string_view played, Time now) {
  OpenAudit* const open = FindTaken(audit, auditor.worker);
  if (open == nullptr) return;
  pool_.NoteAlive(auditor, now);
  if (open->dispute.is_empty() && reported == played) {
    return Pass(TakeOpen(audit), auditor);
  }
  if (open->dispute.is_empty()) HeldOf(*open).BeginDispute();
  open->dispute.Add(auditor, reported, played);
  DrawAgain(audit);
  Judge(*open, false);
}

AuditBook::OpenAudit AuditBook::TakeOpen(int64_t audit) {
  return std::move(open_.extract(audit).mapped());
}

void AuditBook::Judge(const OpenAudit& open, bool is_last) {
  const auto verdict = open.dispute.Judge(rules_, is_last);
  // A dispute without a verdict waits for workers that come back. Otherwise a forger could go free
  // because those who can tell are away for a moment.
  const bool waits = verdict && is_last && !verdict->truth;
  if (verdict && !waits) {
    End(TakeOpen(open.audit.id), *verdict);
  }
}

void AuditBook::End(const OpenAudit& open, const Dispute::Verdict& verdict) {
  const std::vector<Dispute::Answer>& answers = open.dispute.answers();
  if (!verdict.truth) return Void(open, answers.front().auditor.worker);
  const std::string& truth = *verdict.truth;
  const auto witness = std::find_if(answers.begin(), answers.end(),
                                    [&](const auto& answer) { return answer.played == truth; });
  CHECK(witness != answers.end());
  if (truth == open.dispute.reported()) {
    Pass(open, witness->auditor);
  } else {
    AddOutcome(AuditOutcome::kLied, open, witness->auditor.worker);
    Convict(open.worker, WhyLied(open.audit, true));
  }
  for (const auto& [auditor, played] : answers) {
    if (played == truth || !auditor.is_audited) continue;
    AddOutcome(AuditOutcome::kAuditorLied, open, auditor.worker);
    Convict(auditor.worker, WhyLied(open.audit, false));
  }
}

HeldReports& AuditBook::HeldOf(const OpenAudit& open) {
  HeldReports* const held = FindHeld(open.worker, open.audit.tournament);
  CHECK(held != nullptr);
  return *held;
}

void AuditBook::Close(const OpenAudit& open, bool is_passed) {
  HeldReports& held = HeldOf(open);
  if (!open.dispute.is_empty()) held.EndDispute();
  held.Close(open.audit, is_passed);
  Record& record = records_[open.worker];
  --record.open;
  record.passes += is_passed ? 1 : 0;
  Confirm(open.audit.tournament, held);
}

void AuditBook::Pass(const OpenAudit& open, const Auditor& auditor) {
  AddOutcome(AuditOutcome::kPassed, open, auditor.worker);
  ++tournaments_.at(open.audit.tournament).passes;
  if (auditor.is_audited) Vouch(auditor.worker, open);
  Close(open, true);
}

void AuditBook::Void(const OpenAudit& open, const std::string& auditor) {
  AddOutcome(AuditOutcome::kIrreproducible, open, auditor);
  ++tournaments_.at(open.audit.tournament).voids;
  Close(open, false);
}

void AuditBook::Vouch(const std::string& auditor, const OpenAudit& open) {
  Record& record = records_[auditor];
  if (record.vouched.size() >= record.vouched_max) {
    std::erase_if(record.vouched, [&](const Vouched& vouched) {
      const HeldReports* const held = FindHeld(vouched.worker, vouched.audit.tournament);
      return held == nullptr || !held->Holds(vouched.audit.report);
    });
    record.vouched_max = std::max<size_t>(64, 2 * record.vouched.size());
  }
  record.vouched.push_back({.worker = open.worker, .owner = open.owner, .audit = open.audit});
}

void AuditBook::Confirm(int64_t tournament, HeldReports& held) {
  const bool is_settled = tournaments_.at(tournament).is_settled && !IsIrreproducible(tournament);
  for (const int64_t report : held.TakeConfirmed(is_settled)) {
    results_.confirmed.push_back(report);
  }
}

void AuditBook::Convict(const std::string& worker, const std::string& why) {
  Lie lie{.worker = worker, .why = why, .reports = {}};
  for (auto& [id, tournament] : tournaments_) {
    const auto held = tournament.workers.extract(worker);
    if (held.empty()) continue;
    for (const int64_t audit : held.mapped().OpenAudits()) open_.erase(audit);
    const std::vector<int64_t> reports = held.mapped().Reports();
    lie.reports.insert(lie.reports.end(), reports.begin(), reports.end());
  }
  results_.lies.push_back(std::move(lie));
  std::vector<Vouched> all_vouched = std::move(records_[worker].vouched);
  records_.erase(worker);
  Disregard(worker);
  for (const Vouched& vouched : all_vouched) Revoke(worker, vouched);
}

void AuditBook::Disregard(const std::string& worker) {
  Forget(worker);
  for (auto& [id, open] : open_) {
    if (open.auditor == worker) DrawAgain(id);
    if (open.dispute.is_empty()) continue;
    open.dispute.Remove(worker);
    if (open.dispute.is_empty()) HeldOf(open).EndDispute();
  }
}

void AuditBook::Revoke(const std::string& auditor, const Vouched& vouched) {
  HeldReports* const held = FindHeld(vouched.worker, vouched.audit.tournament);
  if (held == nullptr || !held->Holds(vouched.audit.report)) return;
  OpenAudit open{.audit = vouched.audit, .worker = vouched.worker, .owner = vouched.owner};
  AddOutcome(AuditOutcome::kRevoked, open, auditor);
  --tournaments_.at(open.audit.tournament).passes;
  Record& record = records_[vouched.worker];
  --record.passes;
  ++record.open;
  open.audit.id = ++last_audit_;
  held->Reopen(open.audit);
  undrawn_.push_back(open.audit.id);
  open_[open.audit.id] = std::move(open);
}

void AuditBook::AddOutcome(AuditOutcome::Kind kind, const OpenAudit& open,
                           const std::string& auditor) {
  results_.outcomes.push_back(
      {.kind = kind, .audit = open.audit, .worker = open.worker, .auditor = auditor});
}

double AuditBook::TrustIn(const Auditor& auditor) const {
  if (!auditor.is_audited) return 1;
  const auto record = records_.find(auditor.worker);
  const int64_t passes = record == records_.end() ? 0 : record->second.passes;
  return rules_.share_min / ShareOf(rules_, passes);
}

const Auditor* AuditBook::Draw(const OpenAudit& open, WorkerMayPlay may_play) {
  const auto draw = [&](const auto& is_right) {
    return pool_.Draw(
        random_.Next(), [&](const Auditor& auditor) { return TrustIn(auditor); },
        [&](const Auditor& auditor) {
          return auditor.owner != open.owner && is_right(auditor) &&
                 may_play(auditor.worker, open.audit.tournament);
        });
  };
  const Dispute& dispute = open.dispute;
  if (dispute.is_empty()) return draw([](const Auditor&) { return true; });
  for (const int64_t answers_max : {0, 1}) {
    const Auditor* const own = draw([&](const Auditor& auditor) {
      return !auditor.is_audited && dispute.AnswersOf(auditor.worker) <= answers_max;
    });
    if (own != nullptr) return own;
  }
  return draw([&](const Auditor& auditor) { return !dispute.HasOwner(auditor.owner); });
}

void AuditBook::Tick(WorkerMayPlay may_play, Time now) {
  const auto may_still_play = [&](const std::string& worker, int64_t audit) {
    const auto found = open_.find(audit);
    return found != open_.end() && may_play(worker, found->second.audit.tournament);
  };
  for (const int64_t audit : pool_.Expire(may_still_play, now)) DrawAgain(audit);
  for (auto& [id, tournament] : tournaments_) tournament.undrawn = 0;
  std::set<std::pair<int64_t, std::string>> hopeless;  // tournaments and the owners of reports
  for (const int64_t id : std::exchange(undrawn_, {})) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    OpenAudit& open = found->second;
    const bool is_disputed = !open.dispute.is_empty();
    const bool is_hopeless = !is_disputed && hopeless.contains({open.audit.tournament, open.owner});
    const Auditor* const auditor = is_hopeless ? nullptr : Draw(open, may_play);
    if (auditor != nullptr) {
      open.auditor = auditor->worker;
      pool_.Assign(open.auditor, id, now);
      continue;
    }
    undrawn_.push_back(id);
    ++tournaments_.at(open.audit.tournament).undrawn;
    if (is_disputed) {
      Judge(open, true);
    } else {
      hopeless.insert({open.audit.tournament, open.owner});
    }
  }
}

bool AuditBook::IsIrreproducible(int64_t tournament) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end() || found->second.voids < rules_.voids_max) return false;
  // A large tournament has such disputes by chance, or made by accomplices.
  return static_cast<double>(found->second.voids) >=
         rules_.void_share * static_cast<double>(found->second.passes);
}

AuditBook::Results AuditBook::TakeResults() { return std::exchange(results_, {}); }

AuditBook::View AuditBook::ViewOf(int64_t tournament) const {
  View view;
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return view;
  for (const auto& [worker, held] : found->second.workers) {
    view.held_reports += held.size();
    view.held_games += held.games();
    view.open_audits += held.open();
    view.passes += held.passes();
  }
  view.undrawn_audits = found->second.undrawn;
  view.voids = found->second.voids;
  view.is_irreproducible = IsIrreproducible(tournament);
  return view;
}

std::map<int64_t, AuditBook::View> AuditBook::Views() const {
  std::map<int64_t, View> views;
  for (const auto& [id, tournament] : tournaments_) views[id] = ViewOf(id);
  return views;
}

int64_t AuditBook::PassesBefore(const std::string& worker, int64_t tournament) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return 0;
  const auto held = found->second.workers.find(worker);
  return held == found->second.workers.end() ? 0 : held->second.passes() + held->second.open();
}

}  // namespace triarch
