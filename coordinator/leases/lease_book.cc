#include "coordinator/leases/lease_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kRateWindow{2};
// Without a lease for so long a worker was idle.
constexpr Seconds kPause{1};
// How much of what a rate was made from still counts after one more window.
constexpr double kKept = 0.7;
// A lease is at most so many times as large as the worker's one before.
constexpr double kGrowth = 4;
// A lease that will be done so soon is left alone.
constexpr double kTrifleSeconds = 1;
constexpr std::chrono::hours kForgetAfter{1};

absl::Status NoSuchTournament(int64_t id) {
  return absl::NotFoundError("there is no tournament " + std::to_string(id));
}

absl::Status IsQuarantined(const std::string& name, const std::string& why) {
  return absl::PermissionDeniedError("worker " + Quote(name, 200) + " is quarantined: " + why);
}

absl::Status CheckIndices(std::span<const int64_t> indices, const Range& games) {
  RangeSet seen;
  for (const int64_t index : indices) {
    const std::string game = "game " + std::to_string(index + 1);
    if (!games.contains(index)) return absl::InvalidArgumentError(game + " is none of the lease's");
    if (seen.Add({index, index + 1}) == 0) {
      return absl::InvalidArgumentError(game + " is reported twice at once");
    }
  }
  return absl::OkStatus();
}

}  // namespace

// ---- Rates.

void LeaseBook::RateMeter::Start(Time now) {
  begin_ = now;
  count_ = 0;
}

// A ratio of sums rather than a mean of ratios: a report that happens to come soon after another
// weighs as little as its window is long.
void LeaseBook::RateMeter::Add(int64_t count, Time now) {
  if (!begin_) Start(now);
  count_ += count;
  const Seconds passed = now - *begin_;
  if (passed < kRateWindow) return;
  games_ = kKept * games_ + static_cast<double>(count_);
  seconds_ = kKept * seconds_ + passed.count();
  per_second_ = games_ / seconds_;
  Start(now);
}

LeaseBook::LeaseBook(const LeaseRules& rules, uint64_t epoch) : rules_(rules), epoch_(epoch) {}

// ---- Tournaments.

void LeaseBook::AddTournament(int64_t id, Ledger ledger, TournamentNeeds needs,
                              TournamentState state) {
  const bool is_new = tournaments_
                          .emplace(id, TournamentEntry{std::move(ledger), std::move(needs), state,
                                                       RateMeter(), std::nullopt})
                          .second;
  CHECK(is_new);
}

absl::Status LeaseBook::MaySetState(int64_t id, TournamentState state) const {
  const auto found = tournaments_.find(id);
  if (found == tournaments_.end()) return NoSuchTournament(id);
  const TournamentState now = found->second.state;
  const bool is_over = now == TournamentState::kDone || now == TournamentState::kCancelled;
  if (now == state || !is_over) return absl::OkStatus();
  return absl::FailedPreconditionError("tournament " + std::to_string(id) + " is " +
                                       std::string(ToString(now)) + " and stays so");
}

absl::Status LeaseBook::SetState(int64_t id, TournamentState state) {
  RETURN_IF_ERROR(MaySetState(id, state));
  TournamentEntry& entry = tournaments_.at(id);
  if (entry.state == state) return absl::OkStatus();
  CHECK(state != TournamentState::kDone);
  entry.state = state;
  if (state != TournamentState::kCancelled) return absl::OkStatus();
  ForgetRates(id);
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    lease = lease->second.lease.tournament == id
                ? End(lease, Event::Kind::kCancelled, lease->second.granted)
                : std::next(lease);
  }
  return absl::OkStatus();
}

// ---- Workers.

absl::StatusOr<LeaseBook::WorkerEntry*> LeaseBook::Find(const WorkerId& worker) {
  if (const auto why = quarantine_.find(worker.name); why != quarantine_.end()) {
    return IsQuarantined(worker.name, why->second);
  }
  const auto found = workers_.find(worker.name);
  if (found == workers_.end() || found->second.info.id != worker) {
    return absl::NotFoundError("worker " + Quote(worker.name, 200) + " is not registered here");
  }
  return &found->second;
}

bool LeaseBook::IsAlive(const WorkerEntry& worker, Time now) const {
  return now - worker.last_seen < 2 * rules_.ttl;
}

absl::Status LeaseBook::Register(const WorkerInfo& worker, Time now) {
  if (const auto why = quarantine_.find(worker.id.name); why != quarantine_.end()) {
    return IsQuarantined(worker.id.name, why->second);
  }
  const auto found = workers_.find(worker.id.name);
  if (found != workers_.end() && found->second.info.id != worker.id) {
    if (IsAlive(found->second, now)) {
      return absl::AlreadyExistsError(
          "another worker " + Quote(worker.id.name, 200) +
          " is at work, or was until a moment ago; wait, or give this one another name");
    }
    EndAllOf(found->second.info.id, Event::Kind::kExpired, now);
    workers_.erase(found);
  }
  WorkerEntry& entry = workers_[worker.id.name];
  entry.info = worker;
  entry.last_seen = now;
  return absl::OkStatus();
}

void LeaseBook::Leave(const WorkerId& worker, Time now) {
  EndAllOf(worker, Event::Kind::kReleased, now);
  const auto found = workers_.find(worker.name);
  if (found != workers_.end() && found->second.info.id == worker) workers_.erase(found);
}

void LeaseBook::Quarantine(const std::string& worker_name, const std::string& why) {
  quarantine_[worker_name] = why;
}

absl::StatusOr<HeartbeatReply> LeaseBook::Heartbeat(const HeartbeatRequest& heartbeat, Time now) {
  ASSIGN_OR_RETURN(WorkerEntry* const worker, Find(heartbeat.worker));
  worker->last_seen = now;
  worker->busy_slots = heartbeat.busy_slots;
  worker->games_held = heartbeat.games_held;
  worker->cpu_seconds = heartbeat.cpu_seconds;
  HeartbeatReply reply;
  reply.next = rules_.heartbeat;
  for (const LeaseProgress& progress : heartbeat.leases) {
    const auto lease = leases_.find(progress.token);
    if (lease == leases_.end() || lease->second.worker != heartbeat.worker) {
      reply.cancelled.push_back(progress.token);
    } else {
      lease->second.deadline = now + rules_.ttl;
    }
  }
  return reply;
}

// ---- Leases.

std::string LeaseBook::LackOf(const WorkerEntry& worker, const TournamentNeeds& needs) const {
  const auto& games = worker.info.games;
  if (std::find(games.begin(), games.end(), needs.game) == games.end()) {
    return "it has not the game " + needs.game;
  }
  for (const std::string& type : needs.bots) {
    const auto has = [&](const auto& is_right) {
      return std::any_of(
          worker.info.bots.begin(), worker.info.bots.end(),
          [&](const HostedBot& bot) { return bot.type == type && is_right(bot.digest); });
    };
    const auto digest = needs.digests.find(type);
    if (!has([](const std::string&) { return true; })) return "it has no bot " + type;
    if (digest == needs.digests.end()) continue;
    if (has([&](const std::string& own) { return own == digest->second; })) continue;
    return "its build of the bot " + type + " is another than the one that has played";
  }
  return "";
}

bool LeaseBook::MayServe(const WorkerEntry& worker, int64_t tournament, Time now) const {
  const auto refusal = worker.refusals.find(tournament);
  if (refusal != worker.refusals.end() && now < refusal->second.until) return false;
  return LackOf(worker, tournaments_.at(tournament).needs).empty();
}

int64_t LeaseBook::LeasesOf(const WorkerId& worker) const {
  return std::count_if(leases_.begin(), leases_.end(),
                       [&](const auto& lease) { return lease.second.worker == worker; });
}

double LeaseBook::ShareOf(const WorkerEntry& worker, int64_t tournament, Time now) const {
  // A worker without a rate is taken for an average one.
  double rates = 0;
  int64_t known = 0;
  int64_t workers = 0;
  const auto rate_of = [&](const WorkerEntry& entry) -> std::optional<double> {
    const auto pace = entry.paces.find(tournament);
    return pace == entry.paces.end() ? std::nullopt : pace->second.rate.per_second();
  };
  for (const auto& [name, entry] : workers_) {
    if (!IsAlive(entry, now) || !MayServe(entry, tournament, now)) continue;
    ++workers;
    if (const auto rate = rate_of(entry)) {
      rates += *rate;
      ++known;
    }
  }
  const double mean = known == 0 ? 1 : rates / static_cast<double>(known);
  const double all = rates + mean * static_cast<double>(workers - known);
  const double own = rate_of(worker).value_or(mean);
  return all <= 0 ? 1.0 / static_cast<double>(std::max<int64_t>(workers, 1)) : own / all;
}

int64_t LeaseBook::SizeFor(const WorkerEntry& worker, int64_t tournament, const Ledger& ledger,
                           Time now) const {
  const auto pace = worker.paces.find(tournament);
  double size = static_cast<double>(rules_.games_first * worker.info.slots);
  if (pace != worker.paces.end() && !pace->second.rate.per_second()) {
    const bool is_played = pace->second.games >= pace->second.size;
    // Until it is measured: fast bots play small leases sooner than anything can be measured.
    if (is_played) size = std::max(size, 2 * static_cast<double>(pace->second.size));
  } else if (pace != worker.paces.end()) {
    // The first rates are rough: no leap to what can be far too much.
    const bool is_selfplay = tournaments_.at(tournament).needs.is_selfplay;
    const Seconds target = is_selfplay ? rules_.selfplay_target : rules_.target;
    size = std::min(*pace->second.rate.per_second() * target.count(),
                    kGrowth * std::max(size, static_cast<double>(pace->second.size)));
  }
  // Half of what is the worker's share of the rest: so leases shrink together towards the end.
  const double tail =
      std::ceil(static_cast<double>(ledger.open().size()) * ShareOf(worker, tournament, now) / 2);
  size = std::min(size, tail);
  return std::clamp(static_cast<int64_t>(size), std::min(worker.info.slots, rules_.games_max),
                    rules_.games_max);
}

Lease LeaseBook::Grant(WorkerEntry& worker, int64_t tournament, Range games, RangeSet remaining,
                       uint64_t shared_with, Time now) {
  const WorkerId& id = worker.info.id;
  const bool is_playing = std::any_of(leases_.begin(), leases_.end(), [&](const auto& lease) {
    return lease.second.worker == id && lease.second.lease.tournament == tournament;
  });
  Pace& pace = worker.paces[tournament];
  // Small leases follow each other at once; only a pause begins a new measurement.
  if (!is_playing && now - pace.last > kPause) pace.rate.Start(now);
  pace.last = now;
  Lease lease{.tournament = tournament,
              .games = games,
              .token = epoch_ << 32 | ++counter_,
              .ttl = rules_.ttl};
  leases_[lease.token] = {.worker = id,
                          .lease = lease,
                          .remaining = std::move(remaining),
                          .granted = now,
                          .deadline = now + rules_.ttl,
                          .shared_with = shared_with};
  events_.push_back({.kind = shared_with == 0 ? Event::Kind::kGranted : Event::Kind::kStolen,
                     .worker = id,
                     .lease = lease,
                     .age = {}});
  SettleDigests(tournaments_.at(tournament), worker.info);
  return lease;
}

void LeaseBook::SettleDigests(TournamentEntry& tournament, const WorkerInfo& worker) {
  TournamentNeeds& needs = tournament.needs;
  for (const std::string& type : needs.bots) {
    if (needs.digests.contains(type)) continue;
    tournament.settled_by = worker.id;
    for (const HostedBot& bot : worker.bots) {
      if (bot.type == type) needs.digests[type] = bot.digest;
    }
  }
}

absl::StatusOr<LeaseReply> LeaseBook::RequestLease(const WorkerId& worker, Time now) {
  ASSIGN_OR_RETURN(WorkerEntry* const entry, Find(worker));
  entry->last_seen = now;
  LeaseReply reply;
  reply.retry = rules_.idle_retry;
  if (LeasesOf(worker) >= rules_.leases_max) return reply;
  for (auto& [id, tournament] : tournaments_) {
    if (tournament.state != TournamentState::kActive || tournament.ledger.open().empty() ||
        !MayServe(*entry, id, now)) {
      continue;
    }
    const int64_t size = SizeFor(*entry, id, tournament.ledger, now);
    const std::optional<Range> range = tournament.ledger.Take(size);
    reply.lease = Grant(*entry, id, *range, RangeSet({*range}), 0, now);
    entry->paces[id].size = size;
    return reply;
  }
  reply.lease = Steal(*entry, now);
  return reply;
}

std::optional<double> LeaseBook::SecondsLeft(const LeaseEntry& lease) const {
  const auto worker = workers_.find(lease.worker.name);
  if (worker == workers_.end()) return std::nullopt;
  const auto pace = worker->second.paces.find(lease.lease.tournament);
  if (pace == worker->second.paces.end()) return std::nullopt;
  const std::optional<double> rate = pace->second.rate.per_second();
  if (!rate) return std::nullopt;
  return static_cast<double>(lease.remaining.size()) / std::max(*rate, 1e-9);
}

// While its worker has games that it has not begun, half of them can go elsewhere; games in play
// are played a second time only where they take suspiciously long.
bool LeaseBook::IsWorthStealing(const LeaseEntry& lease, Time now) const {
  if (lease.shared_with != 0) return false;
  if (SecondsLeft(lease).value_or(kTrifleSeconds + 1) <= kTrifleSeconds) return false;
  const auto worker = workers_.find(lease.worker.name);
  const int64_t slots = worker == workers_.end() ? 0 : worker->second.info.slots;
  return lease.remaining.size() > slots || now - lease.granted > 2 * rules_.target;
}

std::optional<Lease> LeaseBook::Steal(WorkerEntry& worker, Time now) {
  LeaseEntry* longest = nullptr;
  double longest_seconds = 0;
  for (auto& [token, lease] : leases_) {
    const TournamentEntry& tournament = tournaments_.at(lease.lease.tournament);
    if (lease.worker == worker.info.id || tournament.needs.is_selfplay ||
        tournament.state != TournamentState::kActive ||
        !MayServe(worker, lease.lease.tournament, now) || !IsWorthStealing(lease, now)) {
      continue;
    }
    const double seconds = SecondsLeft(lease).value_or(1e9);
    if (longest != nullptr && seconds <= longest_seconds) continue;
    longest = &lease;
    longest_seconds = seconds;
  }
  if (longest == nullptr) return std::nullopt;
  // The last of what is left, as leases are played from the first on.
  const Range last = longest->remaining.ranges().back();
  const int64_t half = (longest->remaining.size() + 1) / 2;
  const Range games{std::max(last.first, last.last - half), last.last};
  RangeSet remaining;
  remaining.Add(games);
  const uint64_t victim = longest->lease.token;
  const Lease lease = Grant(worker, longest->lease.tournament, games, remaining, victim, now);
  leases_.at(victim).shared_with = lease.token;
  return lease;
}

// What the lease leaves is open again, but for what the other lease on it will play.
LeaseBook::LeaseIterator LeaseBook::End(LeaseIterator lease, Event::Kind how, Time now) {
  LeaseEntry& entry = lease->second;
  RangeSet left = std::move(entry.remaining);
  if (entry.shared_with != 0) {
    LeaseEntry& other = leases_.at(entry.shared_with);
    other.shared_with = 0;
    for (const Range& range : other.remaining.ranges()) left.Remove(range);
  }
  tournaments_.at(entry.lease.tournament).ledger.Return(left);
  events_.push_back(
      {.kind = how,
       .worker = entry.worker,
       .lease = entry.lease,
       .age = std::chrono::duration_cast<std::chrono::milliseconds>(now - entry.granted)});
  return leases_.erase(lease);
}

void LeaseBook::EndAllOf(const WorkerId& worker, Event::Kind how, Time now) {
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    lease = lease->second.worker == worker ? End(lease, how, now) : std::next(lease);
  }
}

void LeaseBook::Release(const WorkerId& worker, uint64_t token, Time now) {
  const auto lease = leases_.find(token);
  if (lease == leases_.end() || lease->second.worker != worker) return;
  End(lease, Event::Kind::kReleased, now);
}

void LeaseBook::Refuse(const WorkerId& worker, uint64_t token, const std::string& why, Time now) {
  const auto lease = leases_.find(token);
  if (lease == leases_.end() || lease->second.worker != worker) return;
  const int64_t tournament = lease->second.lease.tournament;
  End(lease, Event::Kind::kReleased, now);
  const auto entry = workers_.find(worker.name);
  if (entry != workers_.end() && entry->second.info.id == worker) {
    entry->second.refusals[tournament] = {.why = why, .until = now + rules_.refusal};
  }
  UnsettleDigests(worker);
}

void LeaseBook::UnsettleDigests(const WorkerId& worker) {
  for (auto& [id, tournament] : tournaments_) {
    if (tournament.settled_by != worker || !tournament.ledger.done().empty()) continue;
    tournament.needs.digests.clear();
    tournament.settled_by.reset();
  }
}

void LeaseBook::Restore(const WorkerId& worker, const Lease& lease, Time now) {
  const auto tournament = tournaments_.find(lease.tournament);
  if (tournament == tournaments_.end() || leases_.contains(lease.token)) return;
  const TournamentState state = tournament->second.state;
  RangeSet remaining;
  if (state == TournamentState::kActive || state == TournamentState::kPaused) {
    remaining = tournament->second.ledger.Claim(RangeSet({lease.games}));
  }
  if (remaining.empty()) {
    events_.push_back({.kind = Event::Kind::kCancelled, .worker = worker, .lease = lease});
    return;
  }
  leases_[lease.token] = {.worker = worker,
                          .lease = lease,
                          .remaining = std::move(remaining),
                          .granted = now,
                          .deadline = now + rules_.ttl,
                          .shared_with = 0};
}

// ---- Reports.

absl::StatusOr<LeaseBook::ReportCheck> LeaseBook::CheckReport(const WorkerId& worker,
                                                              uint64_t token,
                                                              std::span<const int64_t> indices,
                                                              Time now) {
  ReportCheck check;
  const auto lease = leases_.find(token);
  if (lease == leases_.end() || lease->second.worker != worker ||
      quarantine_.contains(worker.name)) {
    ++counts_.stale_reports;
    return check;
  }
  if (const absl::Status status = CheckIndices(indices, lease->second.lease.games); !status.ok()) {
    Reject(worker, token, std::string(status.message()), now);
    return status;
  }
  lease->second.deadline = now + rules_.ttl;
  const auto entry = workers_.find(worker.name);
  if (entry != workers_.end() && entry->second.info.id == worker) entry->second.last_seen = now;
  check.is_live = true;
  check.tournament = lease->second.lease.tournament;
  const RangeSet& done = tournaments_.at(check.tournament).ledger.done();
  for (const int64_t index : indices) {
    if (!done.contains(index)) check.fresh.push_back(index);
  }
  std::sort(check.fresh.begin(), check.fresh.end());
  counts_.duplicate_games += static_cast<int64_t>(indices.size() - check.fresh.size());
  return check;
}

void LeaseBook::EndIfDone(uint64_t token, Event::Kind how, Time now) {
  const auto lease = leases_.find(token);
  if (lease != leases_.end() && lease->second.remaining.empty()) End(lease, how, now);
}

void LeaseBook::TakeFromLeases(int64_t tournament, uint64_t token, const RangeSet& games,
                               Time now) {
  RangeSet elsewhere = games;  // not under the lease that they were reported for
  if (const auto own = leases_.find(token); own != leases_.end()) {
    const uint64_t other = own->second.shared_with;
    for (const Range& range : games.ranges()) {
      for (const Range& held : own->second.remaining.Within(range).ranges()) {
        own->second.remaining.Remove(held);
        elsewhere.Remove(held);
        if (other != 0) leases_.at(other).remaining.Remove(held);
      }
    }
    EndIfDone(token, Event::Kind::kFinished, now);
    EndIfDone(other, Event::Kind::kCancelled, now);
  }
  if (elsewhere.empty()) return;
  // The lease ended while its games were on their way, or was restored without them: whoever has
  // them now need not play them.
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    const auto current = lease++;
    if (current->second.lease.tournament != tournament) continue;
    for (const Range& range : elsewhere.ranges()) current->second.remaining.Remove(range);
    EndIfDone(current->first, Event::Kind::kCancelled, now);
  }
}

bool LeaseBook::Recorded(int64_t tournament, uint64_t token, std::span<const int64_t> indices,
                         Time now) {
  TournamentEntry& entry = tournaments_.at(tournament);
  RangeSet fresh;
  for (const int64_t index : indices) {
    if (entry.ledger.MarkDone(index)) fresh.Add({index, index + 1});
  }
  entry.rate.Add(fresh.size(), now);
  if (const auto lease = leases_.find(token); lease != leases_.end()) {
    const auto worker = workers_.find(lease->second.worker.name);
    if (worker != workers_.end() && worker->second.info.id == lease->second.worker) {
      worker->second.games_recorded += fresh.size();
      Pace& pace = worker->second.paces[tournament];
      pace.rate.Add(fresh.size(), now);
      pace.games += fresh.size();
      pace.last = now;
    }
  }
  TakeFromLeases(tournament, token, fresh, now);
  const bool is_over =
      entry.state == TournamentState::kDone || entry.state == TournamentState::kCancelled;
  if (is_over || !entry.ledger.is_complete()) return false;
  entry.state = TournamentState::kDone;
  ForgetRates(tournament);
  return true;
}

void LeaseBook::Reject(const WorkerId& worker, uint64_t token, const std::string& why, Time now) {
  ++counts_.rejected_reports;
  Rejections& rejections = rejections_[worker.name];
  ++rejections.count;
  rejections.last = now;
  const auto lease = leases_.find(token);
  if (lease != leases_.end() && lease->second.worker == worker) {
    End(lease, Event::Kind::kRejected, now);
  }
  UnsettleDigests(worker);
  if (rejections.count < rules_.rejections_max) return;
  quarantine_[worker.name] = why;
  EndAllOf(worker, Event::Kind::kRejected, now);
}

void LeaseBook::Expire(Time now) {
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    lease =
        lease->second.deadline <= now ? End(lease, Event::Kind::kExpired, now) : std::next(lease);
  }
  for (auto& [id, tournament] : tournaments_) tournament.rate.Add(0, now);
  Forget(now);
}

void LeaseBook::Forget(Time now) {
  std::erase_if(workers_, [&](const auto& worker) {
    return now - worker.second.last_seen > kForgetAfter && LeasesOf(worker.second.info.id) == 0;
  });
  for (auto& [name, worker] : workers_) {
    std::erase_if(worker.refusals,
                  [&](const auto& refusal) { return refusal.second.until <= now; });
  }
  std::erase_if(rejections_, [&](const auto& rejections) {
    return now - rejections.second.last > kForgetAfter;
  });
}

void LeaseBook::ForgetRates(int64_t tournament) {
  for (auto& [name, worker] : workers_) worker.paces.erase(tournament);
}

// ---- Views.

std::optional<LeaseBook::TournamentView> LeaseBook::View(int64_t tournament, Time) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end()) return std::nullopt;
  const TournamentEntry& entry = found->second;
  return TournamentView{.state = entry.state,
                        .open = entry.ledger.open().size(),
                        .leased = entry.ledger.leased().size(),
                        .done = entry.ledger.done().size(),
                        .games_per_second = entry.rate.per_second().value_or(0)};
}

std::vector<std::string> LeaseBook::RefusalsOf(int64_t tournament, Time now) const {
  const auto found = tournaments_.find(tournament);
  if (found == tournaments_.end() || found->second.state != TournamentState::kActive) return {};
  std::vector<std::string> refusals;
  for (const auto& [name, worker] : workers_) {
    if (!IsAlive(worker, now) || quarantine_.contains(name)) continue;
    if (MayServe(worker, tournament, now)) return {};
    const auto refusal = worker.refusals.find(tournament);
    const bool has_refused = refusal != worker.refusals.end() && now < refusal->second.until;
    refusals.push_back(name + ": " +
                       (has_refused ? refusal->second.why : LackOf(worker, found->second.needs)));
  }
  return refusals;
}

std::vector<LeaseBook::WorkerView> LeaseBook::Workers(Time now) const {
  std::vector<WorkerView> views;
  for (const auto& [name, entry] : workers_) {
    const auto why = quarantine_.find(name);
    const auto rejections = rejections_.find(name);
    views.push_back(
        {.info = entry.info,
         .is_alive = IsAlive(entry, now),
         .quarantine = why == quarantine_.end() ? "" : why->second,
         .busy_slots = entry.busy_slots,
         .games_held = entry.games_held,
         .leases = LeasesOf(entry.info.id),
         .games_recorded = entry.games_recorded,
         .rejections = rejections == rejections_.end() ? 0 : rejections->second.count,
         .cpu_seconds = entry.cpu_seconds,
         .last_seen = std::chrono::duration_cast<std::chrono::milliseconds>(now - entry.last_seen),
         .refusals = {}});
    for (const auto& [tournament, refusal] : entry.refusals) {
      views.back().refusals[tournament] = refusal.why;
    }
  }
  // Those that are kept out are shown even when they are long gone.
  for (const auto& [name, why] : quarantine_) {
    if (workers_.contains(name)) continue;
    WorkerView view{};
    view.info.id.name = name;
    view.quarantine = why;
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<LeaseBook::LiveLease> LeaseBook::Leases() const {
  std::vector<LiveLease> leases;
  for (const auto& [token, entry] : leases_) {
    leases.push_back({.worker = entry.worker,
                      .lease = entry.lease,
                      .remaining = entry.remaining,
                      .deadline = entry.deadline});
  }
  return leases;
}

std::vector<LeaseBook::Event> LeaseBook::TakeEvents() { return std::exchange(events_, {}); }

const LeaseBook::TournamentNeeds& LeaseBook::NeedsOf(int64_t tournament) const {
  return tournaments_.at(tournament).needs;
}

}  // namespace triarch
