#include "tests/simulation/sim_coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"

namespace triarch::simulation {
namespace {

using Kind = LeaseBook::Event::Kind;

constexpr double kTick = 0.5;
// So often a coordinator asks the store whether it still leads. One that has nothing to record
// would never learn it otherwise, and keep its workers waiting for ever.
constexpr double kAskEvery = 5;
// Reports wait in a coordinator for the store, up to so many.
constexpr size_t kTasksMax = 200;

std::vector<int64_t> IndicesOf(const std::vector<GameRecord>& games) {
  std::vector<int64_t> indices;
  for (const GameRecord& game : games) indices.push_back(game.index);
  return indices;
}

std::string Text(const Lease& lease) {
  return absl::StrFormat("%d/%d t%d %s", lease.token >> 32, lease.token & 0xffffffff,
                         lease.tournament, RangeSet({lease.games}).ToString());
}

std::chrono::milliseconds Ms(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration);
}

}  // namespace

LeaseRules RulesFor(const World& world) {
  return {.ttl = Ms(world.Units(30)),
          .heartbeat = Ms(world.Units(5)),
          .target = Ms(world.Units(10)),
          .idle_retry = Ms(world.Units(2)),
          .games_first = 2};
}

SimCoordinator::SimCoordinator(World& world, SimStore& store, Tokens& tokens, uint64_t epoch)
    : world_(world),
      store_(store),
      tokens_(tokens),
      epoch_(epoch),
      book_(RulesFor(world), epoch),
      last_tick_(world.now()) {
  ++world_.tally().coordinators;
  Load();
}

void SimCoordinator::Load() {
  for (const auto& [id, stored] : store_.tournaments()) {
    LeaseBook::TournamentNeeds needs{.game = "game", .bots = {"bot"}, .digests = {}};
    if (!stored.digest.empty()) needs.digests["bot"] = stored.digest;
    book_.AddTournament(id, Ledger(stored.games, stored.done), needs, stored.state);
    done_[id] = stored.done;
    points_[id] = stored.points;
  }
  for (const auto& [token, row] : store_.live_leases()) {
    shadow_[token] = {row.worker, row.lease};
    book_.Restore(row.worker, row.lease, world_.now());
  }
  for (const auto& [name, why] : store_.quarantine()) book_.Quarantine(name, why);
  Absorb();
}

void SimCoordinator::Later(double units, std::function<void(SimCoordinator&)> work) {
  world_.In(units, [weak = weak_from_this(), work = std::move(work)] {
    const auto self = weak.lock();
    if (!self) return;
    if (!self->is_frozen()) return work(*self);
    self->world_.At(self->frozen_until_, [weak, work] {
      if (const auto again = weak.lock()) work(*again);
    });
  });
}

void SimCoordinator::Tick() {
  last_tick_ = world_.now();
  book_.Expire(world_.now());
  Absorb();
  SaveEvents();
  Later(kTick, [](SimCoordinator& self) { self.Tick(); });
}

void SimCoordinator::AskWhetherItLeads() {
  Post({.run = [this] { return store_.CheckLeads(epoch_); },
        .done = [](const absl::Status&) {},
        .must = false});
  Later(kAskEvery, [](SimCoordinator& self) { self.AskWhetherItLeads(); });
}

// ---- The store's thread.

void SimCoordinator::Post(Task task) {
  tasks_.push_back(std::move(task));
  if (is_working_) return;
  is_working_ = true;
  Later(world_.Exponential(0.02), [](SimCoordinator& self) { self.Work(); });
}

void SimCoordinator::Work() {
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  const absl::Status status = task.run();
  if (absl::IsUnavailable(status) && task.must) {
    tasks_.push_front(std::move(task));
    return Later(0.2, [](SimCoordinator& self) { self.Work(); });
  }
  if (absl::IsFailedPrecondition(status) && !is_deposed_) {
    is_deposed_ = true;
    ++world_.tally().deposed;
    world_.Log(absl::StrFormat("coordinator %d is deposed", epoch_));
  }
  task.done(status);
  is_working_ = !tasks_.empty();
  if (is_working_) Later(world_.Exponential(0.02), [](SimCoordinator& self) { self.Work(); });
}

// ---- The shadow.

void SimCoordinator::Absorb() {
  for (const LeaseBook::Event& event : book_.TakeEvents()) AbsorbEvent(event);
  Tally& tally = world_.tally();
  const LeaseBook::Counts& counts = book_.counts();
  tally.stale += counts.stale_reports - counts_.stale_reports;
  tally.rejected += counts.rejected_reports - counts_.rejected_reports;
  tally.duplicate_games += counts.duplicate_games - counts_.duplicate_games;
  counts_ = counts;
}

void SimCoordinator::AbsorbEvent(const LeaseBook::Event& event) {
  static constexpr std::array<const char*, 7> kWords = {
      "granted", "stolen", "finished", "expired", "released", "cancelled", "rejected"};
  if (world_.logs()) {
    world_.Log(absl::StrFormat("coordinator %d: lease %s %s, %s", epoch_, Text(event.lease),
                               kWords[static_cast<size_t>(event.kind)], event.worker.name));
  }
  Tally& tally = world_.tally();
  if (event.kind == Kind::kGranted || event.kind == Kind::kStolen) {
    ++(event.kind == Kind::kGranted ? tally.leases : tally.steals);
    world_.Expect(tokens_.insert(event.lease.token).second, "a token is given twice");
    const Range all{0, store_.tournaments().at(event.lease.tournament).games};
    world_.Expect(event.lease.games.size() > 0 && event.lease.games.first >= all.first &&
                      event.lease.games.last <= all.last,
                  "a lease of games that there are not");
    shadow_[event.lease.token] = {event.worker, event.lease};
    granted_.push_back({event.worker, event.lease, DigestOf(event.lease.tournament)});
    return;
  }
  if (event.kind == Kind::kExpired) ++tally.expiries;
  if (event.kind == Kind::kCancelled) ++tally.cancelled_leases;
  if (event.kind == Kind::kRejected) rejected_.push_back(event.worker.name);
  world_.Expect(shadow_.erase(event.lease.token) == 1, "a lease ends twice");
  std::erase_if(granted_, [&](const SimStore::LeaseRow& row) {
    return row.lease.token == event.lease.token;
  });
  ended_.push_back(event.lease.token);
}

std::string SimCoordinator::DigestOf(int64_t tournament) const {
  const auto& digests = book_.NeedsOf(tournament).digests;
  const auto digest = digests.find("bot");
  return digest == digests.end() ? "" : digest->second;
}

void SimCoordinator::SaveEvents() {
  for (const LeaseBook::WorkerView& view : book_.Workers(world_.now())) {
    const std::string& name = view.info.id.name;
    if (rejected_.empty() || view.quarantine.empty()) continue;
    if (std::find(rejected_.begin(), rejected_.end(), name) == rejected_.end()) continue;
    if (!store_.quarantine().contains(name)) ++world_.tally().quarantined;
    Post({.run = [this, name,
                  why = view.quarantine] { return store_.Quarantine(epoch_, name, why); },
          .done = [](const absl::Status&) {},
          .must = false});
  }
  rejected_.clear();
  if (granted_.empty() && ended_.empty()) return;
  const bool is_lost = !world_.settings().keeps_lease_rows && world_.Chance(0.5);
  if (!is_lost) {
    Post({.run = [this, live = granted_,
                  ended = ended_] { return store_.SaveLeases(epoch_, live, ended); },
          .done = [](const absl::Status&) {},
          .must = false});
  }
  granted_.clear();
  ended_.clear();
}

// ---- For workers.

absl::Status SimCoordinator::Register(const WorkerInfo& worker) {
  if (is_deposed_) return absl::UnavailableError("deposed");
  const absl::Status status = book_.Register(worker, world_.now());
  Absorb();
  const bool is_out = epoch_ == store_.epoch() && store_.quarantine().contains(worker.id.name);
  world_.Expect(!is_out || absl::IsPermissionDenied(status), "a quarantine is forgotten");
  return status;
}

absl::StatusOr<LeaseReply> SimCoordinator::RequestLease(const WorkerId& worker) {
  if (is_deposed_) return absl::UnavailableError("deposed");
  if (tasks_.size() >= kTasksMax) {
    return LeaseReply{.lease = std::nullopt, .retry = Ms(world_.Units(2))};
  }
  absl::StatusOr<LeaseReply> reply = book_.RequestLease(worker, world_.now());
  Absorb();
  return reply;
}

absl::StatusOr<HeartbeatReply> SimCoordinator::Heartbeat(const HeartbeatRequest& heartbeat) {
  if (is_deposed_) return absl::UnavailableError("deposed");
  absl::StatusOr<HeartbeatReply> reply = book_.Heartbeat(heartbeat, world_.now());
  if (!reply.ok()) return reply;
  for (const LeaseProgress& progress : heartbeat.leases) {
    const bool is_live = IsLive(heartbeat.worker, progress.token);
    const bool is_cancelled = std::find(reply->cancelled.begin(), reply->cancelled.end(),
                                        progress.token) != reply->cancelled.end();
    world_.Expect(is_live != is_cancelled, "a worker is not told what became of its lease");
  }
  return reply;
}

void SimCoordinator::Leave(const WorkerId& worker) {
  book_.Leave(worker, world_.now());
  Absorb();
}

bool SimCoordinator::IsLive(const WorkerId& worker, uint64_t token) const {
  const auto shadow = shadow_.find(token);
  return shadow != shadow_.end() && shadow->second.worker == worker;
}

// A report is accepted exactly if its lease lives, by what the events told.
void SimCoordinator::CheckLive(const triarch::Report& report, const LeaseBook::ReportCheck& check) {
  const auto shadow = shadow_.find(report.token);
  const bool is_live = shadow != shadow_.end() && shadow->second.worker == report.worker;
  world_.Expect(!check.is_live || is_live, "a stale token is accepted");
  if (!check.is_live) return;
  world_.Expect(check.tournament == shadow->second.lease.tournament, "another tournament");
  const TournamentState state = book_.View(check.tournament, world_.now())->state;
  world_.Expect(state == TournamentState::kActive || state == TournamentState::kPaused,
                "a report is accepted though its tournament is over");
  for (const int64_t index : check.fresh) {
    world_.Expect(!done_.at(check.tournament).contains(index), "a game is fresh again");
    world_.Expect(shadow->second.lease.games.contains(index), "a game of another lease");
  }
}

// What there is to say at once.
bool SimCoordinator::IsRefused(const Pending& pending, const LeaseBook::ReportCheck& check,
                               ReportReply* answer) const {
  answer->outcome = ReportOutcome::kRetry;
  answer->retry = Ms(world_.Units(1));
  if (!check.is_live) {
    answer->outcome = ReportOutcome::kStale;
    answer->is_cancelled = true;
    return true;
  }
  const auto recording = recording_.find(check.tournament);
  return tasks_.size() >= kTasksMax ||
         (recording != recording_.end() &&
          std::any_of(pending.indices.begin(), pending.indices.end(),
                      [&](int64_t index) { return recording->second.contains(index); }));
}

void SimCoordinator::Report(const triarch::Report& report, const ReportDone& done) {
  if (is_deposed_) return done(absl::UnavailableError("deposed"));
  const bool is_own = IsLive(report.worker, report.token);
  const auto check =
      book_.CheckReport(report.worker, report.token, IndicesOf(report.games), world_.now());
  Absorb();
  if (!check.ok()) {
    world_.Expect(is_own, "a lease is rejected for what another worker said");
    world_.Expect(!shadow_.contains(report.token), "a rejected lease lives on");
    return done(check.status());
  }
  CheckLive(report, *check);
  auto pending = std::make_shared<Pending>();
  pending->report = report;
  pending->done = done;
  pending->tournament = check->tournament;
  std::erase_if(pending->report.games, [&](const GameRecord& game) {
    return !std::binary_search(check->fresh.begin(), check->fresh.end(), game.index);
  });
  pending->indices = check->fresh;
  ReportReply answer;
  if (IsRefused(*pending, *check, &answer)) return done(answer);
  for (const int64_t index : pending->indices) {
    recording_[pending->tournament].Add({index, index + 1});
  }
  Later(world_.Exponential(0.1), [pending](SimCoordinator& self) { self.Replay(pending); });
}

void SimCoordinator::Replay(const std::shared_ptr<Pending>& pending) {
  const triarch::Report& report = pending->report;
  const bool is_true =
      std::all_of(report.games.begin(), report.games.end(),
                  [&](const GameRecord& game) { return IsTrue(pending->tournament, game); });
  if (!is_true) {
    for (const int64_t index : pending->indices) {
      recording_[pending->tournament].Remove({index, index + 1});
    }
    book_.Reject(report.worker, report.token, "a false game", world_.now());
    Absorb();
    world_.Expect(!shadow_.contains(report.token), "a rejected lease lives on");
    ReportReply rejected;
    rejected.outcome = ReportOutcome::kRejected;
    rejected.is_cancelled = true;
    return pending->done(rejected);
  }
  if (report.games.empty()) return AfterRecord(*pending, absl::OkStatus());
  SaveEvents();
  Post({.run =
            [this, pending] {
              return store_.Record(epoch_, pending->tournament, DigestOf(pending->tournament),
                                   pending->report.games);
            },
        .done = [this, pending](const absl::Status& status) { AfterRecord(*pending, status); }});
}

void SimCoordinator::AfterRecord(const Pending& pending, const absl::Status& status) {
  for (const int64_t index : pending.indices) {
    recording_[pending.tournament].Remove({index, index + 1});
  }
  if (!status.ok()) {
    ReportReply retry;
    retry.outcome = ReportOutcome::kRetry;
    return pending.done(retry);
  }
  RangeSet& done = done_.at(pending.tournament);
  for (const GameRecord& game : pending.report.games) {
    world_.Expect(done.Add({game.index, game.index + 1}) == 1, "a game is counted twice");
    AddPoints(game, points_.at(pending.tournament));
  }
  const bool was_complete =
      book_.View(pending.tournament, world_.now())->state == TournamentState::kDone;
  const bool is_complete =
      book_.Recorded(pending.tournament, pending.report.token, pending.indices, world_.now());
  world_.Expect(!(was_complete && is_complete), "a tournament is completed twice");
  Absorb();
  pending.done(ReportReply{});
}

void SimCoordinator::SetState(int64_t tournament, TournamentState state) {
  Post({.run = [=, this] { return store_.SetState(epoch_, tournament, state); },
        .done =
            [=, this](const absl::Status& status) {
              if (!status.ok()) return;
              world_.Log(
                  absl::StrFormat("tournament %d is %s", tournament, std::string(ToString(state))));
              world_.Expect(book_.SetState(tournament, state).ok(),
                            "the book and the store do not agree on what is over");
              Absorb();
            }});
}

// ---- Invariants.

void SimCoordinator::CheckInvariants() {
  const std::vector<LeaseBook::LiveLease> leases = book_.Leases();
  world_.Expect(leases.size() == shadow_.size(), "the events do not tell of all leases");
  for (const LeaseBook::LiveLease& live : leases) {
    const auto shadow = shadow_.find(live.lease.token);
    world_.Expect(shadow != shadow_.end() && shadow->second.worker == live.worker,
                  "a lease that no event told of");
    world_.Expect(!live.remaining.empty(), "a lease of which nothing is left");
    world_.Expect(live.remaining.Within(live.lease.games) == live.remaining,
                  "a lease is left with games that it never had");
    world_.Expect(live.deadline > last_tick_, "a lease lives beyond its deadline");
  }
  for (const auto& [id, stored] : store_.tournaments()) CheckTournament(id, leases);
}

void SimCoordinator::CheckTournament(int64_t id, const std::vector<LeaseBook::LiveLease>& leases) {
  const auto view = *book_.View(id, world_.now());
  const SimStore::Tournament& stored = store_.tournaments().at(id);
  const RangeSet& done = done_.at(id);
  world_.Expect(view.open + view.leased + view.done == stored.games,
                "open, leased and done are not all games");
  world_.Expect(view.done == done.size(), "the ledger counts other games than were recorded");
  RangeSet once;
  RangeSet twice;
  for (const LeaseBook::LiveLease& live : leases) {
    if (live.lease.tournament != id) continue;
    for (const Range& range : live.remaining.ranges()) {
      world_.Expect(done.Within(range).empty(), "a recorded game is still leased");
      world_.Expect(twice.Within(range).empty(), "a game is leased three times");
      for (const Range& again : once.Within(range).ranges()) twice.Add(again);
      once.Add(range);
    }
  }
  world_.Expect(view.leased == once.size(), "a game is leased by nobody, or twice in the ledger");
  const bool is_over =
      view.state == TournamentState::kDone || view.state == TournamentState::kCancelled;
  world_.Expect(!is_over || view.state == stored.state, "what is over may begin again");
  // What another coordinator records is not ours to know.
  if (is_deposed_ || is_working_ || epoch_ != store_.epoch()) return;
  world_.Expect(stored.done == done, "the store and the ledger do not agree");
  world_.Expect(stored.points == points_.at(id), "the leaderboard is not that of the games");
  world_.Expect(stored.state == view.state, "the store and the book do not agree on the state");
}

}  // namespace triarch::simulation
