#include "coordinator/leases/lease_table.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace triarch {

void LeaseTable::AddTournament(int64_t id, Ledger ledger) {
  const bool is_new = ledgers_.emplace(id, std::move(ledger)).second;
  CHECK(is_new);
}

const LiveLease* LeaseTable::Find(const WorkerId& worker, uint64_t token) const {
  const auto lease = leases_.find(token);
  return lease != leases_.end() && lease->second.worker == worker ? &lease->second : nullptr;
}

const LeaseTable::Tokens& LeaseTable::TokensOf(const WorkerId& worker) const {
  static const Tokens kNone;
  const auto tokens = by_worker_.find(worker);
  return tokens == by_worker_.end() ? kNone : tokens->second;
}

std::vector<uint64_t> LeaseTable::OldestOfWorkers() const {
  std::vector<uint64_t> oldest;
  for (const auto& [worker, tokens] : by_worker_) {
    const auto token = std::find_if(tokens.begin(), tokens.end(),
                                    [&](uint64_t one) { return !leases_.at(one).is_stalled; });
    if (token != tokens.end()) oldest.push_back(*token);
  }
  std::sort(oldest.begin(), oldest.end());
  return oldest;
}

// ---- How leases begin.

void LeaseTable::Insert(LiveLease lease) {
  const uint64_t token = lease.lease.token;
  by_worker_[lease.worker].insert(token);
  leases_[token] = std::move(lease);
}

Lease LeaseTable::Add(const WorkerId& worker, int64_t tournament, Range games, uint64_t shared_with,
                      int64_t audit, Time now) {
  const Lease lease{
      .tournament = tournament, .games = games, .token = epoch_ << 32 | ++counter_, .ttl = ttl_};
  Insert({.worker = worker,
          .lease = lease,
          .remaining = RangeSet({games}),
          .granted = now,
          .progress = now,
          .deadline = now + ttl_,
          .shared_with = shared_with,
          .audit = audit});
  events_.push_back({.kind = shared_with == 0 ? Kind::kGranted : Kind::kStolen,
                     .worker = worker,
                     .lease = lease,
                     .audit = audit});
  return lease;
}

Lease LeaseTable::Grant(const WorkerId& worker, int64_t tournament, int64_t games_max, Time now) {
  const std::optional<Range> games = ledgers_.at(tournament).Take(games_max);
  CHECK(games.has_value());
  return Add(worker, tournament, *games, 0, 0, now);
}

Lease LeaseTable::GrantAudit(const WorkerId& worker, int64_t tournament, int64_t game,
                             int64_t audit, Time now) {
  return Add(worker, tournament, {game, game + 1}, 0, audit, now);
}

Lease LeaseTable::Share(uint64_t token, const WorkerId& worker, Time now) {
  LiveLease& victim = leases_.at(token);
  CHECK(victim.shared_with == 0);
  // Workers play leases from the first game on.
  const Range last = victim.remaining.ranges().back();
  const int64_t half = (victim.remaining.size() + 1) / 2;
  const Range games{std::max(last.first, last.last - half), last.last};
  const Lease lease = Add(worker, victim.lease.tournament, games, token, 0, now);
  victim.shared_with = lease.token;
  return lease;
}

void LeaseTable::Restore(const WorkerId& worker, const Lease& lease, bool is_over, Time now) {
  const auto ledger = ledgers_.find(lease.tournament);
  if (ledger == ledgers_.end() || leases_.contains(lease.token)) return;
  RangeSet remaining;
  if (!is_over) remaining = ledger->second.Claim(RangeSet({lease.games}));
  if (remaining.empty()) {
    events_.push_back({.kind = Kind::kCancelled, .worker = worker, .lease = lease});
    return;
  }
  Insert({.worker = worker,
          .lease = lease,
          .remaining = std::move(remaining),
          .granted = now,
          .progress = now,
          .deadline = now + ttl_});
}

// ---- How leases end.

void LeaseTable::Return(LiveLease& lease) {
  if (lease.is_stalled || lease.audit != 0) return;
  RangeSet left = lease.remaining;
  if (lease.shared_with != 0) {
    LiveLease& other = leases_.at(lease.shared_with);
    other.shared_with = 0;
    for (const Range& range : other.remaining.ranges()) left.Remove(range);
  }
  lease.shared_with = 0;
  ledgers_.at(lease.lease.tournament).Return(left);
}

void LeaseTable::AddEvent(const LiveLease& lease, Kind how, Time now) {
  events_.push_back(
      {.kind = how,
       .worker = lease.worker,
       .lease = lease.lease,
       .age = std::chrono::duration_cast<std::chrono::milliseconds>(now - lease.granted),
       .audit = lease.audit});
}

void LeaseTable::End(uint64_t token, Kind how, Time now) {
  const auto lease = leases_.find(token);
  Return(lease->second);
  AddEvent(lease->second, how, now);
  stalled_.erase(token);
  const auto tokens = by_worker_.find(lease->second.worker);
  tokens->second.erase(token);
  if (tokens->second.empty()) by_worker_.erase(tokens);
  leases_.erase(lease);
}

void LeaseTable::Stall(uint64_t token, Time now) {
  LiveLease& lease = leases_.at(token);
  CHECK(!lease.is_stalled);
  Return(lease);
  lease.is_stalled = true;
  stalled_.insert(token);
  AddEvent(lease, Kind::kStalled, now);
  NoteProgress(token, now);
}

bool LeaseTable::HasStalled(const WorkerId& worker) const {
  return std::any_of(stalled_.begin(), stalled_.end(),
                     [&](uint64_t token) { return leases_.at(token).worker == worker; });
}

void LeaseTable::EndIf(absl::FunctionRef<bool(const LiveLease&)> is_one, Kind how, Time now) {
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    const auto current = lease++;
    if (is_one(current->second)) End(current->first, how, now);
  }
}

void LeaseTable::EndIfEmpty(uint64_t token, Kind how, Time now) {
  const auto lease = leases_.find(token);
  if (lease != leases_.end() && lease->second.remaining.empty()) End(token, how, now);
}

void LeaseTable::NoteProgress(uint64_t token, Time now) {
  const Tokens& tokens = TokensOf(leases_.at(token).worker);
  for (auto next = tokens.find(token); next != tokens.end(); ++next) {
    leases_.at(*next).progress = now;
  }
}

RangeSet LeaseTable::MarkDone(int64_t tournament, uint64_t token, std::span<const int64_t> indices,
                              Time now) {
  return Mark(&Ledger::MarkDone, tournament, token, indices, now);
}

RangeSet LeaseTable::MarkHeld(int64_t tournament, uint64_t token, std::span<const int64_t> indices,
                              Time now) {
  return Mark(&Ledger::MarkHeld, tournament, token, indices, now);
}

RangeSet LeaseTable::Mark(bool (Ledger::*mark)(int64_t), int64_t tournament, uint64_t token,
                          std::span<const int64_t> indices, Time now) {
  RangeSet fresh;
  Ledger& ledger = ledgers_.at(tournament);
  for (const int64_t index : indices) {
    if ((ledger.*mark)(index)) fresh.Add({index, index + 1});
  }
  TakeFromLeases(tournament, token, fresh, now);
  return fresh;
}

void LeaseTable::Confirm(int64_t tournament, std::span<const int64_t> indices) {
  for (const int64_t index : indices) ledgers_.at(tournament).MarkDone(index);
}

void LeaseTable::OpenHeld(int64_t tournament, std::span<const int64_t> indices) {
  RangeSet games;
  for (const int64_t index : indices) games.Add({index, index + 1});
  ledgers_.at(tournament).OpenHeld(games);
}

void LeaseTable::TakeFromLeases(int64_t tournament, uint64_t token, const RangeSet& games,
                                Time now) {
  if (games.empty()) return;
  // A game that is recorded need not be played under a stalled lease any more.
  for (const uint64_t stalled : std::vector<uint64_t>(stalled_.begin(), stalled_.end())) {
    TakeFrom(stalled, tournament, games, stalled == token ? Kind::kFinished : Kind::kCancelled,
             now);
  }
  const RangeSet elsewhere = TakeFromOwnLease(token, games, now);
  if (elsewhere.empty()) return;
  // The lease ended or stalled before its games were recorded, or was restored without them: the
  // leases that hold them now need not play them.
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    const auto current = lease++;
    TakeFrom(current->first, tournament, elsewhere, Kind::kCancelled, now);
  }
}

void LeaseTable::TakeFrom(uint64_t token, int64_t tournament, const RangeSet& games, Kind how,
                          Time now) {
  LiveLease& lease = leases_.at(token);
  if (lease.lease.tournament != tournament || lease.audit != 0) return;
  for (const Range& range : games.ranges()) lease.remaining.Remove(range);
  EndIfEmpty(token, how, now);
}

RangeSet LeaseTable::TakeFromOwnLease(uint64_t token, const RangeSet& games, Time now) {
  RangeSet elsewhere = games;
  const auto own = leases_.find(token);
  if (own == leases_.end() || own->second.is_stalled) return elsewhere;
  const uint64_t other = own->second.shared_with;
  for (const Range& range : games.ranges()) {
    for (const Range& held : own->second.remaining.Within(range).ranges()) {
      own->second.remaining.Remove(held);
      elsewhere.Remove(held);
      if (other != 0) leases_.at(other).remaining.Remove(held);
    }
  }
  EndIfEmpty(token, Kind::kFinished, now);
  EndIfEmpty(other, Kind::kCancelled, now);
  return elsewhere;
}

std::vector<LeaseEvent> LeaseTable::TakeEvents() { return std::exchange(events_, {}); }

}  // namespace triarch
