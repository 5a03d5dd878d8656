#include "tests/simulation/sim_coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"

namespace triarch::simulation {
namespace {

constexpr double kTick = 0.5;
constexpr double kStoreTask = 0.02;  // mean duration of a store task
constexpr double kStoreRetry = 0.2;
constexpr double kReplay = 0.1;
constexpr int64_t kGamesPerCommit = 50;

std::string Text(const Lease& lease) {
  return absl::StrFormat("%d/%d t%d %s", lease.token >> 32, lease.token & 0xffffffff,
                         lease.tournament, RangeSet({lease.games}).ToString());
}

CoordinatorSession::Options OptionsFor(const World& world) {
  const auto units = [&world](double count) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(world.Units(count));
  };
  CoordinatorSession::Options options;
  options.leases = {.ttl = units(30),
                    .heartbeat = units(5),
                    .target = units(10),
                    .selfplay_target = units(30),
                    .idle_retry = units(2),
                    .games_first = 2,
                    .patience = units(kPatience),
                    .patience_max = units(kPatienceMax),
                    .stalls_max = kStallsMax,
                    .refusal = units(60)};
  options.build = kBuild;
  options.audits.take_within = units(20);
  options.audit_secret = "secret";
  options.replay_bytes_max = 2'000'000;
  options.record_bytes_max = 2'000'000;
  options.retry = units(1);
  options.ask_every = units(5);
  return options;
}

GameSummary SummaryOf(const GameRecord& record) {
  GameSummary summary;
  summary.index = record.index;
  for (size_t seat = 0; seat < kSeats; ++seat) {
    summary.bots[SeatAt(seat)] = static_cast<int>(BotOf(record, seat));
  }
  summary.outcome = record.outcome;
  return summary;
}

}  // namespace

SimCoordinator::SimCoordinator(World& world, SimStore& store, Tokens& tokens, uint64_t epoch)
    : world_(world),
      store_(store),
      tokens_(tokens),
      epoch_(epoch),
      session_(OptionsFor(world), epoch),
      records_(kGamesPerCommit),
      last_tick_(world.now()) {
  ++world_.tally().coordinators;
  Load();
}

void SimCoordinator::Load() {
  for (const auto& [id, stored] : store_.tournaments()) {
    std::vector<GameSummary> games;
    for (const Range& range : stored.done.ranges()) {
      for (int64_t index = range.first; index < range.last; ++index) {
        games.push_back(SummaryOf(PlayedGame(id, index, "", FindMatch(stored.matches, index))));
      }
    }
    EarlierResults earlier;
    if (stored.rounds > 0) {
      earlier.plan = std::make_unique<experiments::Plan>(store_.Stored(id).spec);
      earlier.plan->Add(stored.matches);
      for (const GameSummary& game : games) earlier.plan->Add(game);
    }
    session_.AddTournament(store_.Stored(id), stored.done, store_.Shards(id), std::move(earlier));
    done_[id] = stored.done;
    for (const GameSummary& game : games) session_.CountEarlier(id, game);
  }
  for (const StoredLease& lease : store_.LiveLeases()) {
    shadow_[lease.lease.token] = {lease.worker, lease.lease};
  }
  session_.RestoreAudits(store_.HeldReports(), store_.AuditCounts());
  session_.Restore(store_.LiveLeases(), store_.Workers(), world_.now());
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
  session_.Tick(world_.now());
  Absorb();
  for (const int64_t report : session_.TakeConfirmed()) {
    Post([this, report] { Confirm(report); });
  }
  Later(kTick, [](SimCoordinator& self) { self.Tick(); });
}

// ---- The store's thread.

void SimCoordinator::Post(Task task) {
  tasks_.push_back(std::move(task));
  if (std::exchange(is_working_, true)) return;
  Later(world_.Exponential(kStoreTask), [](SimCoordinator& self) { self.Work(); });
}

void SimCoordinator::Work() {
  const Task task = std::move(tasks_.front());
  tasks_.pop_front();
  task();
  if (absl::IsFailedPrecondition(session_.status()) && !std::exchange(is_deposed_, true)) {
    ++world_.tally().deposed;
    world_.Log(absl::StrFormat("coordinator %d is deposed", epoch_));
  }
  Absorb();
  is_working_ = !tasks_.empty();
  if (!is_working_) return;
  Later(world_.Exponential(kStoreTask), [](SimCoordinator& self) { self.Work(); });
}

void SimCoordinator::Flush() {
  std::vector<RecordBatch> batches = records_.TakeNext();
  is_flush_posted_ = !batches.empty();
  if (batches.empty()) return;
  const absl::Status status = store_.Record(epoch_, batches);
  batches = records_.Finish(std::move(batches), status);
  if (batches.empty()) {
    return Later(kStoreRetry, [](SimCoordinator& self) { self.Post([&self] { self.Flush(); }); });
  }
  for (const RecordBatch& batch : batches) batch.done(status, batch.games);
  Post([this] { Flush(); });
}

// ---- The shadow.

void SimCoordinator::Absorb() {
  for (const LeaseEvent& event : session_.TakeEvents(world_.now())) AbsorbEvent(event);
  for (const MatchBatch& batch : session_.TakeBatches()) {
    Post([this, batch] {
      session_.OnBatchStored(batch, store_.AddMatches(epoch_, batch.tournament, batch.matches));
    });
  }
  for (const int64_t id : session_.TakeEnded()) {
    Post([this, id] {
      session_.OnEndStored(id, store_.SetState(epoch_, id, TournamentState::kDone));
    });
  }
  SaveAudits();
  StoreNotes notes = session_.TakeNotes(world_.now());
  if (!notes.is_for_store) return;
  Post([this, notes = std::move(notes)] {
    absl::Status status = store_.SaveWorkers(epoch_, notes.workers);
    status.Update(store_.SaveLeases(epoch_, notes.leases));
    session_.OnNotesSaved(notes, status);
  });
}

void SimCoordinator::SaveAudits() {
  AuditNotes audits = session_.TakeAuditNotes();
  if (audits.empty()) return;
  Post([this, audits = std::move(audits)] {
    AuditNotes left = audits;
    absl::Status status = store_.AddAudits(epoch_, left.audits);
    if (status.ok()) left.audits.clear();
    if (status.ok()) status = store_.DropReports(epoch_, left.dropped);
    session_.OnAuditNotesSaved(std::move(left), status);
  });
}

void SimCoordinator::AbsorbEvent(const LeaseEvent& event) {
  using Kind = LeaseEvent::Kind;
  if (world_.logs()) {
    world_.Log(absl::StrFormat("coordinator %d: lease %s %s, %s", epoch_, Text(event.lease),
                               std::string(ToString(event.kind)), event.worker.name));
  }
  Tally& tally = world_.tally();
  if (IsBeginning(event.kind)) {
    ++(event.kind == Kind::kGranted ? tally.leases : tally.steals);
    world_.Expect(tokens_.insert(event.lease.token).second, "a token is issued twice");
    const Range all{0, store_.tournaments().at(event.lease.tournament).games};
    world_.Expect(event.lease.games.size() > 0 && event.lease.games.first >= all.first &&
                      event.lease.games.last <= all.last,
                  "a lease has games that its tournament lacks");
    shadow_[event.lease.token] = {event.worker, event.lease};
    return;
  }
  if (!IsEnd(event.kind)) {
    world_.Expect(shadow_.contains(event.lease.token), "an ended lease stalls");
    ++tally.stalled_leases;
    return;
  }
  if (event.kind == Kind::kExpired) ++tally.expiries;
  if (event.kind == Kind::kCancelled) ++tally.cancelled_leases;
  world_.Expect(shadow_.erase(event.lease.token) == 1, "a lease ends twice");
}

bool SimCoordinator::IsLive(const WorkerId& worker, uint64_t token) const {
  const auto shadow = shadow_.find(token);
  return shadow != shadow_.end() && shadow->second.worker == worker;
}

// ---- For workers.

absl::Status SimCoordinator::Register(const WorkerInfo& worker) {
  // The first worker is the operator's own.
  const bool is_own = worker.id.name == "w0";
  const WorkerOwner owner = {.name = is_own ? "operator" : worker.id.name,
                             .audits = is_own ? 0 : world_.settings().audits};
  const absl::Status status = session_.Register(worker, world_.now(), owner);
  Absorb();
  const bool is_out = epoch_ == store_.epoch() && store_.IsQuarantined(worker.id.name);
  world_.Expect(!is_out || absl::IsPermissionDenied(status), "a quarantine is forgotten");
  return status;
}

absl::StatusOr<LeaseReply> SimCoordinator::RequestLease(const WorkerId& worker) {
  absl::StatusOr<LeaseReply> reply = session_.RequestLease(worker, world_.now());
  Absorb();
  if (reply.ok() && reply->lease) {
    CheckMatches(*reply->lease);
    if (session_.book().Leases().at(reply->lease->token).audit == 0) {
      CheckPriority(worker, *reply->lease);
    }
  }
  return reply;
}

// Checks that games are leased only once their matches are stored.
void SimCoordinator::CheckMatches(const Lease& lease) {
  const SimStore::Tournament& stored = store_.tournaments().at(lease.tournament);
  if (stored.rounds == 0) return;
  world_.Expect(lease.matches == MatchesOf(stored.matches, lease.games) &&
                    lease.games.last <= EndOf(stored.matches.back()),
                "a lease has games of matches that are not stored");
}

// Checks that no tournament of a higher priority has open games for the worker. Only the results
// say which games of a Swiss event are open.
void SimCoordinator::CheckPriority(const WorkerId& worker, const Lease& lease) {
  const bool is_stolen = session_.book().Leases().at(lease.token).shared_with != 0;
  const int64_t priority = session_.Get(lease.tournament).stored().precedence.priority;
  for (const auto& [id, stored] : store_.tournaments()) {
    const LeaseBook::TournamentView view = *session_.book().View(id);
    const bool is_open = view.state == TournamentState::kActive && view.open > 0;
    const bool is_first = session_.Get(id).stored().precedence.priority > priority || is_stolen;
    if (!is_open || !is_first || stored.rounds > 0) continue;
    for (const WorkerView& one : session_.Workers(world_.now())) {
      world_.Expect(one.info.id != worker || one.refusals.contains(id),
                    "a lease of a lower priority is granted, or games are stolen in vain");
    }
  }
}

absl::StatusOr<HeartbeatReply> SimCoordinator::Heartbeat(const HeartbeatRequest& heartbeat) {
  absl::StatusOr<HeartbeatReply> reply = session_.Heartbeat(heartbeat, world_.now());
  if (!reply.ok()) return reply;
  for (const LeaseProgress& progress : heartbeat.leases) {
    const bool is_live = IsLive(heartbeat.worker, progress.token);
    const bool is_cancelled = std::find(reply->cancelled.begin(), reply->cancelled.end(),
                                        progress.token) != reply->cancelled.end();
    world_.Expect(is_live != is_cancelled, "a worker is not told what happened to its lease");
  }
  return reply;
}

void SimCoordinator::Release(const WorkerId& worker, const std::vector<uint64_t>& tokens,
                             const std::string& why, bool leaves) {
  session_.Release(worker, tokens, why, leaves, world_.now());
  Absorb();
  for (const uint64_t token : tokens) {
    world_.Expect(!IsLive(worker, token), "a released lease is still live");
  }
}

absl::StatusOr<std::string> SimCoordinator::FetchBundle(const std::string& digest) const {
  return store_.BundleTar(digest);
}

// ---- Reports.

void SimCoordinator::Report(const triarch::Report& report, const ReportDone& done) {
  const auto pending = std::make_shared<Pending>();
  pending->report = report;
  pending->done = done;
  const bool is_own = IsLive(report.worker, report.token);
  const ReportStep step = session_.Accept(*pending, world_.now());
  Absorb();
  if (step.next != ReportStep::Next::kAnswer) CheckAccepted(*pending);
  if (absl::IsInvalidArgument(step.answer.status())) {
    world_.Expect(is_own, "a lease is rejected for another worker's report");
    world_.Expect(!shadow_.contains(report.token), "a rejected lease is still live");
  }
  Continue(pending, step);
}

// Checks that a report is accepted only if its lease is live according to the events.
void SimCoordinator::CheckAccepted(const Pending& pending) {
  world_.Expect(IsLive(pending.report.worker, pending.report.token), "a stale token is accepted");
  const auto shadow = shadow_.find(pending.report.token);
  if (shadow == shadow_.end()) return;
  const int64_t id = pending.tournament;
  world_.Expect(id == shadow->second.lease.tournament, "a report counts for another tournament");
  const TournamentState state = session_.book().View(id)->state;
  world_.Expect(state == TournamentState::kActive || state == TournamentState::kPaused,
                "a report is accepted though its tournament is over");
  for (const int64_t index : pending.indices) {
    world_.Expect(pending.is_repeated() || pending.audit != 0 || !done_.at(id).contains(index),
                  "a game is fresh again");
    world_.Expect(shadow->second.lease.games.contains(index), "a game belongs to another lease");
  }
}

void SimCoordinator::Continue(const std::shared_ptr<Pending>& pending, const ReportStep& step) {
  switch (step.next) {
    case ReportStep::Next::kReplay:
      return Later(world_.Exponential(kReplay),
                   [pending](SimCoordinator& self) { self.Replay(pending); });
    case ReportStep::Next::kRecord:
      return Record(pending);
    case ReportStep::Next::kCompare:
      return Post([this, pending] { Compare(pending); });
    case ReportStep::Next::kAnswer:
      return Answer(*pending, step);
  }
}

void SimCoordinator::Compare(const std::shared_ptr<Pending>& pending) {
  const GameRecord& played = pending->report.games.front();
  const auto text = [](const GameRecord& game) {
    return std::to_string(game.costs[Seat::kFirst].nodes);
  };
  std::string reported;
  const absl::StatusOr<SimStore::HeldGames> held = store_.HeldReport(pending->audited);
  if (held.ok()) {
    const auto game =
        std::find_if(held->games.begin(), held->games.end(),
                     [&](const GameRecord& one) { return one.index == played.index; });
    world_.Expect(game != held->games.end(), "an audit's report lacks its game");
    if (game != held->games.end()) reported = text(*game);
  }
  const ReportStep step =
      session_.OnCompared(*pending, held.status(), reported, text(played), world_.now());
  Absorb();
  Answer(*pending, step);
}

void SimCoordinator::Confirm(int64_t report) {
  if (session_.Postpone(report)) return;
  const absl::StatusOr<SimStore::HeldGames> held = store_.HeldReport(report);
  if (!held.ok()) return session_.OnConfirmedLost(report, held.status());
  const auto pending = std::make_shared<Pending>();
  pending->confirms = report;
  pending->report.games = held->games;
  pending->report.shard = held->shard;
  pending->done = [](const absl::StatusOr<ReportReply>&) {};
  Continue(pending, session_.AcceptConfirmed(*pending));
}

void SimCoordinator::Replay(const std::shared_ptr<Pending>& pending) {
  const std::vector<GameRecord>& games = pending->report.games;
  const std::vector<PlannedMatch> matches = session_.MatchesOf(*pending);
  const bool are_true = std::all_of(games.begin(), games.end(), [&](const GameRecord& game) {
    return IsTrue(pending->tournament, game, FindMatch(matches, game.index));
  });
  const ReportStep step = session_.OnReplayed(
      *pending, are_true ? absl::OkStatus() : absl::InvalidArgumentError("a false game"),
      world_.now());
  Absorb();
  const bool lives_on = shadow_.contains(pending->report.token);
  world_.Expect(are_true || !lives_on, "a rejected lease is still live");
  Continue(pending, step);
}

void SimCoordinator::Record(const std::shared_ptr<Pending>& pending) {
  RecordBatch batch = TakeBatch(*pending);
  batch.done = [this, pending](const absl::Status& status, const std::vector<GameRecord>& games) {
    const ReportStep step = session_.OnRecorded(*pending, status, games, world_.now());
    Absorb();
    if (status.ok() && !pending->is_repeated() && !pending->held) {
      RangeSet& done = done_.at(pending->tournament);
      for (const GameRecord& game : games) {
        world_.Expect(done.Add({game.index, game.index + 1}) == 1, "a game is counted twice");
      }
    }
    Answer(*pending, step);
  };
  records_.Add(std::move(batch));
  if (!std::exchange(is_flush_posted_, true)) Post([this] { Flush(); });
}

void SimCoordinator::Answer(const Pending& pending, const ReportStep& step) {
  if (pending.confirms != 0) return;
  Tally& tally = world_.tally();
  tally.duplicate_games += pending.duplicates;
  const bool is_error = absl::IsInvalidArgument(step.answer.status());
  if (is_error || (step.answer.ok() && step.answer->outcome == ReportOutcome::kRejected)) {
    ++tally.rejected;
  }
  if (step.answer.ok() && step.answer->outcome == ReportOutcome::kStale) ++tally.stale;
  pending.done(step.answer);
}

// ---- For operators.

void SimCoordinator::SetState(int64_t tournament, TournamentState state) {
  Post([this, tournament, state] {
    if (!session_.MaySetState(tournament, state).ok()) return;
    const absl::Status status = store_.SetState(epoch_, tournament, state);
    if (!status.ok()) return;
    world_.Log(absl::StrFormat("tournament %d is %s", tournament, std::string(ToString(state))));
    world_.Expect(session_.SetState(tournament, state, world_.now()).ok(),
                  "the session and the store disagree on whether it is over");
  });
}

void SimCoordinator::SetPrecedence(int64_t tournament, const Precedence& precedence) {
  Post([this, tournament, precedence] {
    if (!store_.SetPrecedence(epoch_, tournament, precedence).ok()) return;
    session_.SetPrecedence(tournament, precedence);
    world_.Log(absl::StrFormat("tournament %d has priority %d and share %d", tournament,
                               precedence.priority, precedence.share));
  });
}

void SimCoordinator::Evict(const std::string& worker) {
  if (!session_.Evict(worker, "", world_.now()).ok()) return;
  world_.Log(worker + " is evicted");
  ++world_.tally().evictions;
  Absorb();
  for (const auto& [token, shadow] : shadow_) {
    world_.Expect(shadow.worker.name != worker, "an evicted worker has a lease");
  }
}

void SimCoordinator::Unquarantine(const std::string& worker) {
  if (!session_.Unquarantine(worker, world_.now()).ok()) return;
  world_.Log(worker + " is no longer quarantined");
  store_.Pardon(worker);
  Absorb();
}

// ---- Invariants.

void SimCoordinator::CheckInvariants() {
  const auto& leases = session_.book().Leases();
  world_.Expect(leases.size() == shadow_.size(), "the events do not report all leases");
  for (const auto& [token, live] : leases) {
    world_.Expect(IsLive(live.worker, token), "no event reported a lease");
    world_.Expect(!live.remaining.empty(), "a lease has no games left");
    world_.Expect(live.remaining.Within(live.lease.games) == live.remaining,
                  "a lease is left with games that it never had");
    world_.Expect(live.deadline > last_tick_, "a lease lives beyond its deadline");
  }
  for (const auto& [id, stored] : store_.tournaments()) CheckTournament(id);
}

void SimCoordinator::CheckTournament(int64_t id) {
  const TournamentStatus status = *session_.Status(id, world_.now());
  const SimStore::Tournament& stored = store_.tournaments().at(id);
  const RangeSet& done = done_.at(id);
  world_.Expect(status.open + status.leased + status.held + status.done == stored.games,
                "open, leased, held and done games do not add up");
  world_.Expect(status.done == done.size(), "the ledger and the recorded games differ");
  RangeSet once;
  RangeSet twice;
  for (const auto& [token, live] : session_.book().Leases()) {
    if (live.lease.tournament != id || live.audit != 0) continue;
    for (const Range& range : live.remaining.ranges()) {
      world_.Expect(done.Within(range).empty(), "a recorded game is still leased");
      if (live.is_stalled) continue;
      world_.Expect(twice.Within(range).empty(), "a game is leased three times");
      for (const Range& again : once.Within(range).ranges()) twice.Add(again);
      once.Add(range);
    }
  }
  world_.Expect(!stored.is_selfplay || twice.empty(), "a self-play game is leased twice");
  world_.Expect(status.leased == once.size(), "the ledger and the leases disagree");
  const bool is_over =
      status.state == TournamentState::kDone || status.state == TournamentState::kCancelled;
  world_.Expect(!is_over || status.state == stored.state || stored.rounds > 0,
                "a finished tournament can begin again");
  // While the store has tasks, or another coordinator leads, the store may be ahead.
  if (is_deposed_ || is_working_ || is_flush_posted_ || epoch_ != store_.epoch()) return;
  world_.Expect(stored.done == done, "the store and the ledger disagree");
  // The store learns a little later that the results ended a tournament.
  const bool has_ended = stored.rounds > 0 && status.state == TournamentState::kDone;
  world_.Expect(stored.state == status.state || has_ended,
                "the store and the session disagree on the state");
  world_.Expect(static_cast<int64_t>(stored.shards.size()) == status.shards,
                "the store and the session count different shards");
  for (const Leaderboard::Row& row : status.leaderboard) {
    const auto bot = static_cast<size_t>(std::find(kBotNames.begin(), kBotNames.end(), row.bot) -
                                         kBotNames.begin());
    // First place is worth 2 points there and 1 here.
    world_.Expect(2 * row.points == static_cast<double>(stored.points[bot]),
                  "the leaderboard does not match the games");
  }
}

}  // namespace triarch::simulation
