#include "coordinator/leases/lease_book.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

absl::Status CheckIndices(std::span<const int64_t> indices, const Range& games) {
  RangeSet seen;
  for (const int64_t index : indices) {
    const std::string game = "game " + std::to_string(index + 1);
    if (!games.contains(index)) {
      return absl::InvalidArgumentError(game + " does not belong to the lease");
    }
    if (seen.Add({index, index + 1}) == 0) {
      return absl::InvalidArgumentError(game + " is in the report twice");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status NoSuchTournament(int64_t id) {
  return absl::NotFoundError("there is no tournament " + std::to_string(id));
}

LeaseBook::LeaseBook(const LeaseRules& rules, uint64_t epoch)
    : rules_(rules), workers_(rules), table_(epoch, rules.ttl), pacing_(rules_, workers_, table_) {}

// ---- Tournaments.

void LeaseBook::AddTournament(int64_t id, Ledger ledger, TournamentNeeds needs,
                              TournamentState state, const Precedence& precedence) {
  table_.AddTournament(id, std::move(ledger));
  if (!IsOver(state)) turns_.Add(id, precedence);
  tournaments_.emplace(
      id, TournamentEntry{.needs = std::move(needs), .state = state, .patience = Patience(rules_)});
}

void LeaseBook::RemoveTournament(int64_t id, Time now) {
  CHECK(IsOver(tournaments_.at(id).state));
  EndLeasesOf(id, now);
  tournaments_.erase(id);
  table_.RemoveTournament(id);
}

void LeaseBook::SetPrecedence(int64_t id, const Precedence& precedence) {
  if (turns_.Has(id)) turns_.Set(id, precedence);
}

absl::Status LeaseBook::MaySetState(int64_t id, TournamentState state) const {
  const auto found = tournaments_.find(id);
  if (found == tournaments_.end()) return NoSuchTournament(id);
  const TournamentState current = found->second.state;
  if (current == state || !IsOver(current)) return absl::OkStatus();
  return absl::FailedPreconditionError("tournament " + std::to_string(id) + " is " +
                                       std::string(ToString(current)) + ", which is final");
}

absl::Status LeaseBook::SetState(int64_t id, TournamentState state, Time now) {
  RETURN_IF_ERROR(MaySetState(id, state));
  TournamentEntry& entry = tournaments_.at(id);
  if (entry.state == state) return absl::OkStatus();
  CHECK(state != TournamentState::kDone);
  entry.state = state;
  if (state == TournamentState::kCancelled) EndLeasesOf(id, now);
  return absl::OkStatus();
}

bool LeaseBook::Finish(int64_t id, Time now) {
  TournamentEntry& entry = tournaments_.at(id);
  if (IsOver(entry.state)) return false;
  entry.state = TournamentState::kDone;
  EndLeasesOf(id, now);
  return true;
}

bool LeaseBook::HasNothingToPlay(int64_t id) const {
  const Ledger& ledger = table_.ledger(id);
  return ledger.available() == 0 && ledger.leased().empty();
}

void LeaseBook::EndLeasesOf(int64_t tournament, Time now) {
  turns_.Remove(tournament);
  workers_.ForgetPaces(tournament);
  table_.EndIf(
      [tournament](const LiveLease& lease) { return lease.lease.tournament == tournament; },
      Kind::kCancelled, now);
}

// ---- Workers.

absl::Status LeaseBook::Register(const WorkerInfo& worker, Time now, const WorkerOwner& owner) {
  ASSIGN_OR_RETURN(const std::optional<WorkerId> replaced, workers_.Register(worker, now, owner));
  if (replaced) EndAllOf(*replaced, Kind::kExpired, now);
  return absl::OkStatus();
}

void LeaseBook::Leave(const WorkerId& worker, Time now) {
  EndAllOf(worker, Kind::kReleased, now);
  workers_.Remove(worker);
}

absl::StatusOr<int64_t> LeaseBook::Evict(const std::string& worker_name,
                                         const std::string& quarantine, Time now) {
  const size_t before = table_.leases().size();
  table_.EndIf([&](const LiveLease& lease) { return lease.worker.name == worker_name; },
               Kind::kCancelled, now);
  const auto leases = static_cast<int64_t>(before - table_.leases().size());
  const Worker* const worker = workers_.FindName(worker_name);
  // A worker that has not registered with this coordinator may hold leases of an earlier one.
  if (worker == nullptr && leases == 0 && !workers_.IsQuarantined(worker_name)) {
    return NoSuchWorker(worker_name);
  }
  if (!quarantine.empty()) {
    workers_.Quarantine(worker_name, quarantine);
  } else if (worker != nullptr) {
    workers_.Remove(WorkerId(worker->info.id));
  }
  return leases;
}

absl::StatusOr<HeartbeatReply> LeaseBook::Heartbeat(const HeartbeatRequest& heartbeat, Time now) {
  ASSIGN_OR_RETURN(Worker* const worker, workers_.Find(heartbeat.worker));
  worker->last_seen = now;
  worker->busy_slots = heartbeat.busy_slots;
  worker->games_held = heartbeat.games_held;
  worker->cpu_seconds = heartbeat.cpu_seconds;
  HeartbeatReply reply;
  reply.next = rules_.heartbeat;
  for (const LeaseProgress& progress : heartbeat.leases) {
    if (table_.Find(heartbeat.worker, progress.token) == nullptr) {
      reply.cancelled.push_back(progress.token);
    } else {
      table_.Renew(progress.token, now);
    }
  }
  return reply;
}

// ---- Leases.

bool LeaseBook::MayServe(const Worker& worker, int64_t tournament, Time now) const {
  return WorkerBook::MayServe(worker, tournament, tournaments_.at(tournament).needs, now);
}

absl::StatusOr<LeaseReply> LeaseBook::RequestLease(const WorkerId& worker, Time now,
                                                   NextAudit next_audit) {
  ASSIGN_OR_RETURN(Worker* const entry, workers_.Find(worker));
  entry->last_seen = now;
  LeaseReply reply;
  reply.retry = rules_.idle_retry;
  const int64_t leases_max = entry->games_recorded == 0 ? rules_.leases_first : rules_.leases_max;
  if (table_.CountOf(worker) >= leases_max || table_.HasStalled(worker)) return reply;
  if (const std::optional<AuditGame> next = next_audit(*entry)) {
    reply.lease = table_.GrantAudit(worker, next->tournament, next->game, next->audit, now);
    return reply;
  }
  reply.lease = Grant(*entry, now);
  if (!reply.lease) reply.lease = Steal(*entry, now);
  return reply;
}

std::vector<int64_t> LeaseBook::WithGames() const {
  std::vector<int64_t> ids;
  for (const auto& [id, tournament] : tournaments_) {
    const bool is_active = tournament.state == TournamentState::kActive;
    if (is_active && table_.ledger(id).available() > 0) ids.push_back(id);
  }
  return ids;
}

std::optional<Lease> LeaseBook::Grant(Worker& worker, Time now) {
  std::vector<int64_t> candidates = WithGames();
  std::erase_if(candidates, [&](int64_t id) { return !MayServe(worker, id, now); });
  if (candidates.empty()) return std::nullopt;
  const int64_t id = turns_.Next(candidates);
  const int64_t size = pacing_.SizeFor(worker, id, tournaments_.at(id).needs, now);
  pacing_.Begin(worker, id, now).size = size;
  turns_.Hold(id, pacing_.SlotSeconds(worker));
  return table_.Grant(worker.info.id, id, size, now);
}

// A worker plays its oldest lease, with all its slots.
void LeaseBook::CountTime(Time now) {
  const std::chrono::duration<double> time = now - counted_.value_or(now);
  counted_ = now;
  turns_.ForgetHeld();
  if (!turns_.has_choice()) return;
  const std::vector<int64_t> with_games = WithGames();
  std::set<WorkerId> seen;
  for (const auto& [token, lease] : table_.leases()) {
    const Worker* const worker = workers_.FindInstance(lease.worker);
    const int64_t id = lease.lease.tournament;
    if (worker == nullptr || lease.is_stalled || !turns_.Has(id)) continue;
    turns_.Hold(id, pacing_.SlotSeconds(*worker));
    if (!seen.insert(lease.worker).second) continue;
    std::vector<int64_t> candidates = {id};
    for (const int64_t other : with_games) {
      if (other != id && MayServe(*worker, other, now)) candidates.push_back(other);
    }
    turns_.Charge(id, candidates, time.count() * static_cast<double>(worker->info.slots));
  }
}

std::optional<Lease> LeaseBook::Steal(Worker& worker, Time now) {
  const auto may_take = [&](const LiveLease& lease) {
    const TournamentEntry& tournament = tournaments_.at(lease.lease.tournament);
    return tournament.state == TournamentState::kActive && !tournament.needs.is_selfplay &&
           lease.worker != worker.info.id && MayServe(worker, lease.lease.tournament, now);
  };
  const LiveLease* const longest = pacing_.LongestToSteal(may_take, now);
  if (longest == nullptr) return std::nullopt;
  pacing_.Begin(worker, longest->lease.tournament, now);
  return table_.Share(longest->lease.token, worker.info.id, now);
}

void LeaseBook::EndAllOf(const WorkerId& worker, Kind how, Time now) {
  const LeaseTable::Tokens tokens = table_.TokensOf(worker);
  for (const uint64_t token : tokens) table_.End(token, how, now);
}

void LeaseBook::Refuse(const WorkerId& worker, uint64_t token, const std::string& why, Time now) {
  const LiveLease* const lease = table_.Find(worker, token);
  if (lease == nullptr) return;
  const int64_t tournament = lease->lease.tournament;
  table_.End(token, Kind::kReleased, now);
  workers_.Refuse(worker, tournament, why, now);
}

void LeaseBook::Restore(const WorkerId& worker, const Lease& lease, Time now) {
  const auto found = tournaments_.find(lease.tournament);
  if (found == tournaments_.end()) return;
  const bool is_over =
      IsOver(found->second.state) || table_.ledger(lease.tournament).done().empty();
  table_.Restore(worker, lease, is_over, now);
}

WorkerInfo LeaseBook::Convict(const std::string& worker_name, const std::string& why, Time now) {
  workers_.Quarantine(worker_name, why);
  WorkerInfo info = workers_.InfoOf(worker_name);
  EndAllOf(info.id, Kind::kRejected, now);
  return info;
}

bool LeaseBook::MayPlay(const std::string& worker_name, int64_t tournament, Time now) const {
  const auto entry = tournaments_.find(tournament);
  const Worker* const worker = workers_.FindName(worker_name);
  return worker != nullptr && entry != tournaments_.end() &&
         entry->second.state == TournamentState::kActive && !workers_.IsQuarantined(worker_name) &&
         MayServe(*worker, tournament, now);
}

// ---- Reports.

absl::StatusOr<LeaseBook::ReportCheck> LeaseBook::CheckReport(const WorkerId& worker,
                                                              uint64_t token,
                                                              std::span<const int64_t> indices,
                                                              Time now) {
  ReportCheck check;
  const LiveLease* const lease = table_.Find(worker, token);
  if (lease == nullptr || workers_.IsQuarantined(worker.name)) return check;
  if (const absl::Status status = CheckIndices(indices, lease->lease.games); !status.ok()) {
    Reject(worker, token, std::string(status.message()), now);
    return status;
  }
  table_.Renew(token, now);
  if (Worker* const entry = workers_.FindInstance(worker)) entry->last_seen = now;
  check.is_live = true;
  check.tournament = lease->lease.tournament;
  check.audit = lease->audit;
  const Ledger& ledger = table_.ledger(check.tournament);
  for (const int64_t index : indices) {
    const bool is_held = ledger.held().contains(index);
    if (is_held) check.has_held = true;
    const bool is_fresh = !is_held && !ledger.done().contains(index);
    if (is_fresh || check.audit != 0) check.fresh.push_back(index);
  }
  std::sort(check.fresh.begin(), check.fresh.end());
  if (!check.fresh.empty()) NoteProgress(*lease, now);
  return check;
}

// A report counts when it arrives: while the store is down, none is recorded.
void LeaseBook::NoteProgress(const LiveLease& lease, Time now) {
  TournamentEntry& tournament = tournaments_.at(lease.lease.tournament);
  tournament.patience.NoteProgress(now - lease.progress);
  table_.NoteProgress(lease.lease.token, now);
  if (Worker* const worker = workers_.FindInstance(lease.worker)) worker->stalls = 0;
}

WorkerBook::Worker* LeaseBook::WorkerOf(uint64_t token) {
  const auto lease = table_.leases().find(token);
  return lease == table_.leases().end() ? nullptr : workers_.FindInstance(lease->second.worker);
}

void LeaseBook::NotePlayed(int64_t tournament, Worker* worker, int64_t games, Time now) {
  tournaments_.at(tournament).rate.Add(games, now);
  if (worker == nullptr) return;
  worker->games_recorded += games;
  Pace& pace = worker->paces[tournament];
  pace.rate.Add(games, now);
  pace.games += games;
  pace.last = now;
}

bool LeaseBook::Recorded(int64_t tournament, uint64_t token, std::span<const int64_t> indices,
                         Time now) {
  Worker* const worker = WorkerOf(token);
  NotePlayed(tournament, worker, table_.MarkDone(tournament, token, indices, now).size(), now);
  return Complete(tournament);
}

void LeaseBook::Held(int64_t tournament, uint64_t token, std::span<const int64_t> indices,
                     Time now) {
  Worker* const worker = WorkerOf(token);
  NotePlayed(tournament, worker, table_.MarkHeld(tournament, token, indices, now).size(), now);
}

bool LeaseBook::Confirm(int64_t tournament, std::span<const int64_t> indices) {
  table_.Confirm(tournament, indices);
  return Complete(tournament);
}

bool LeaseBook::Complete(int64_t tournament) {
  TournamentEntry& entry = tournaments_.at(tournament);
  if (IsOver(entry.state) || !table_.ledger(tournament).is_complete()) return false;
  entry.state = TournamentState::kDone;
  turns_.Remove(tournament);
  workers_.ForgetPaces(tournament);
  return true;
}

void LeaseBook::Reject(const WorkerId& worker, uint64_t token, const std::string& why, Time now) {
  if (table_.Find(worker, token) != nullptr) table_.End(token, Kind::kRejected, now);
  if (workers_.CountRejection(worker.name, why, now)) EndAllOf(worker, Kind::kRejected, now);
}

// A worker plays its leases from the oldest on, so only the oldest can be expected to make
// progress.
void LeaseBook::StallLeases(Time now) {
  std::vector<uint64_t> stalled = table_.OldestOfWorkers();
  std::erase_if(stalled, [&](uint64_t token) {
    const LiveLease& lease = table_.leases().at(token);
    const Patience& patience = tournaments_.at(lease.lease.tournament).patience;
    return !patience.IsOver(now - lease.progress, lease.audit != 0);
  });
  for (const uint64_t token : stalled) {
    const LiveLease& lease = table_.leases().at(token);
    // Whether shards can be written is not up to the worker alone.
    TournamentEntry& tournament = tournaments_.at(lease.lease.tournament);
    if (!tournament.needs.is_selfplay && workers_.CountStall(lease.worker)) {
      EndAllOf(WorkerId(lease.worker), Kind::kRejected, now);  // a copy: its leases end
    } else if (lease.audit == 0) {
      table_.Stall(token, now);
    } else {
      tournament.patience.NoteStalledAudit();
      table_.End(token, Kind::kExpired, now);  // another worker plays it
    }
  }
}

void LeaseBook::Expire(Time now) {
  table_.EndIf([now](const LiveLease& lease) { return lease.deadline <= now; }, Kind::kExpired,
               now);
  StallLeases(now);
  CountTime(now);
  for (auto& [id, tournament] : tournaments_) tournament.rate.Add(0, now);
  workers_.Forget(now, [this](const WorkerId& worker) { return table_.CountOf(worker); });
}

// ---- Views.

std::optional<LeaseBook::TournamentView> LeaseBook::View(int64_t tournament) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return std::nullopt;
  const Ledger& ledger = table_.ledger(tournament);
  return TournamentView{.state = found->second.state,
                        .open = ledger.open().size(),
                        .leased = ledger.leased().size(),
                        .held = ledger.held().size(),
                        .done = ledger.done().size(),
                        .games_per_second = found->second.rate.per_second().value_or(0)};
}

std::vector<std::string> LeaseBook::RefusalsOf(int64_t tournament, Time now) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end() || found->second.state != TournamentState::kActive) return {};
  return workers_.RefusalsOf(tournament, found->second.needs, now);
}

}  // namespace triarch
