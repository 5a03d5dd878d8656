#include "coordinator/service/coordinator.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/record/replay.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

// The coordinator looks at the clock this often: leases expire, rates are measured.
constexpr std::chrono::milliseconds kTick{250};
// It asks the store this often whether it leads.
constexpr std::chrono::seconds kAskEvery{2};
// Rates are means over about this long.
constexpr std::chrono::seconds kRateWindow{5};
constexpr std::chrono::seconds kStoreAnswers{10};  // to what it is asked, unless it stands still

std::set<std::string> TypesOf(const TournamentSpec& spec) {
  std::set<std::string> types;
  for (const BotSpec& bot : spec.bots) types.insert(bot.bot);
  return types;
}

LeaseBook::TournamentNeeds NeedsOf(const StoredTournament& stored) {
  const std::set<std::string> types = TypesOf(stored.spec);
  LeaseBook::TournamentNeeds needs{
      .game = stored.spec.game, .bots = {types.begin(), types.end()}, .digests = {}};
  needs.is_selfplay = stored.spec.selfplay != nullptr;
  for (size_t i = 0; i < stored.bot_digests.size(); ++i) {
    if (!stored.bot_digests[i].empty()) {
      needs.digests[stored.spec.bots[i].bot] = stored.bot_digests[i];
    }
  }
  return needs;
}

std::string_view WordFor(LeaseBook::Event::Kind kind) {
  using Kind = LeaseBook::Event::Kind;
  switch (kind) {
    case Kind::kFinished:
      return "finished";
    case Kind::kExpired:
      return "expired";
    case Kind::kReleased:
      return "released";
    case Kind::kCancelled:
      return "cancelled";
    case Kind::kRejected:
      return "rejected";
    case Kind::kGranted:
    case Kind::kStolen:
      return "";
  }
  return "";
}

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

ReportReply Retry(const std::string& why, std::chrono::milliseconds after) {
  ReportReply reply;
  reply.outcome = ReportOutcome::kRetry;
  reply.why = why;
  reply.retry = after;
  return reply;
}

}  // namespace

// A report on its way through replay and store.
struct Coordinator::Pending {
  triarch::Report report;
  ReportDone done;
  int64_t tournament = 0;
  std::string event;  // the tournament's name
  std::vector<int64_t> indices;
  std::shared_ptr<const Schedule> schedule;
  std::string label;
  int64_t plies = 0;
  int64_t duplicates = 0;
  bool is_repeated = false;  // self-play of which some was recorded before
};

// ---- Beginning and end.

Coordinator::Coordinator(const Options& options, uint64_t epoch, std::unique_ptr<Store> store,
                         std::unique_ptr<Store> reader, CoordinatorMetrics* metrics)
    : options_(options),
      metrics_(metrics),
      book_(options.leases, epoch),
      writer_(std::move(store)),
      replays_(options.replay_threads),
      changes_(1),
      reads_(1) {
  if (reader) reader_.emplace(std::move(reader));
  Recorder::Options recorder = options.recorder;
  recorder.on_commit = [metrics](const Recorder::Commit& commit) {
    metrics->Committed(commit.games, commit.time, commit.status.ok());
  };
  recorder_.emplace(recorder, writer_);
  StartPublishing();
}

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(const Options& options,
                                                                uint64_t epoch,
                                                                std::unique_ptr<Store> store,
                                                                const OpenStore& open_reader,
                                                                CoordinatorMetrics* metrics) {
  std::unique_ptr<Store> reader;
  if (open_reader) {
    ASSIGN_OR_RETURN(reader, open_reader());
  }
  std::unique_ptr<Coordinator> coordinator(
      new Coordinator(options, epoch, std::move(store), std::move(reader), metrics));
  absl::Status status;
  coordinator->writer_.Run([&](Store& own) { status = coordinator->Load(own); });
  RETURN_IF_ERROR(status);
  metrics->SetLeading(true);
  Coordinator* const self = coordinator.get();
  self->clock_ = std::jthread([self](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      self->KeepTime();
      std::this_thread::sleep_for(kTick);
    }
  });
  return coordinator;
}

Coordinator::~Coordinator() { Stop(); }

void Coordinator::Stop() {
  {
    MutexLock lock(&mutex_);
    fatal_.Update(absl::UnavailableError("the coordinator ends"));
  }
  if (clock_.joinable()) {
    clock_.request_stop();
    clock_.join();
  }
  recorder_->End();
  SaveEvents();
  EndPublishing();
  metrics_->SetLeading(false);
}

absl::Status Coordinator::Load(Store& store) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  ASSIGN_OR_RETURN(const std::vector<StoredLease> leases, store.LiveLeases());
  ASSIGN_OR_RETURN(const std::vector<StoredWorker> workers, store.Workers());
  std::vector<StoredBundle> bundles;
  RETURN_IF_ERROR(ReadBundles(store, &bundles));
  {
    MutexLock lock(&mutex_);
    bundles_ = std::move(bundles);
  }
  for (StoredTournament& stored : tournaments) {
    const int64_t id = stored.id;
    ASSIGN_OR_RETURN(const std::vector<Range> recorded, store.Recorded(id));
    {
      MutexLock lock(&mutex_);
      RETURN_IF_ERROR(AddEntry(std::move(stored), RangeSet(recorded)));
    }
    CountEarlierGames(id, RangeSet(recorded));
    bool is_selfplay = false;
    {
      MutexLock lock(&mutex_);
      is_selfplay = entries_.at(id).stored.spec.selfplay != nullptr;
    }
    if (is_selfplay) {
      ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, store.Shards(id));
      AddShards(id, shards);
    }
  }
  MutexLock lock(&mutex_);
  const Clock::time_point now = Clock::now();
  // A worker in this process has ended with the coordinator before.
  if (!options_.trusts_workers) {
    for (const StoredLease& lease : leases) book_.Restore(lease.worker, lease.lease, now);
  }
  for (const StoredWorker& worker : workers) {
    if (!worker.quarantine.empty()) book_.Quarantine(worker.name, worker.quarantine);
  }
  return absl::OkStatus();
}

absl::Status Coordinator::AddEntry(StoredTournament stored, const RangeSet& recorded) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(stored.spec.game));
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(stored.spec));
  Entry entry;
  entry.info = info;
  entry.schedule = std::make_shared<const Schedule>(std::move(schedule));
  for (const BotSpec& bot : stored.spec.bots) entry.points.push_back({.bot = bot.name});
  entry.plies_measured = Clock::now();
  Ledger ledger(stored.spec.games, recorded);
  // More games may have been asked for since it was done.
  TournamentState state = stored.state;
  if (state == TournamentState::kDone && !ledger.is_complete()) state = TournamentState::kActive;
  if (state == TournamentState::kActive && ledger.is_complete()) state = TournamentState::kDone;
  stored.state = state;
  book_.AddTournament(stored.id, std::move(ledger), NeedsOf(stored), state);
  const int64_t id = stored.id;
  entry.stored = std::move(stored);
  entries_.emplace(id, std::move(entry));
  return absl::OkStatus();
}

// ---- For workers.

absl::Status Coordinator::CheckLeads() const {
  return fatal_.ok() ? absl::OkStatus() : absl::UnavailableError(fatal_.message());
}

absl::Status Coordinator::Register(const WorkerInfo& worker) {
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(CheckLeads());
    RETURN_IF_ERROR(book_.Register(worker, Clock::now()));
  }
  const StoredWorker stored{
      .name = worker.id.name, .slots = worker.slots, .build = worker.build, .quarantine = ""};
  writer_.Post([stored](Store& store) { (void)store.SaveWorkers({&stored, 1}); });
  return absl::OkStatus();
}

bool Coordinator::IsBusy() const {
  return recorder_->is_full() || replay_plies_waiting_ >= options_.replay_plies_max;
}

absl::StatusOr<LeaseReply> Coordinator::RequestLease(const WorkerId& worker) {
  // What cannot be recorded need not be played yet.
  const bool is_full = recorder_->is_full();
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(CheckLeads());
  if (is_full) return LeaseReply{.lease = std::nullopt, .retry = std::chrono::seconds(2)};
  return book_.RequestLease(worker, Clock::now());
}

// Who plays first settles how the tournament's bots play. The store is told before the first game
// is recorded, as it does one thing after the other.
void Coordinator::SettleDigests(int64_t tournament) {
  Entry& entry = entries_.at(tournament);
  const std::map<std::string, std::string>& known = book_.NeedsOf(tournament).digests;
  std::vector<std::string> settled;
  for (const BotSpec& bot : entry.stored.spec.bots) {
    const auto digest = known.find(bot.bot);
    settled.push_back(digest == known.end() ? "" : digest->second);
  }
  if (settled == entry.stored.bot_digests) return;
  entry.stored.bot_digests = std::move(settled);
  SaveDigests(tournament);
}

void Coordinator::SaveDigests(int64_t tournament) {
  Entry& entry = entries_.at(tournament);
  entry.are_digests_saved = false;
  entry.are_digests_being_saved = true;
  writer_.Post([this, tournament, digests = entry.stored.bot_digests](Store& store) {
    const absl::Status status = store.SetBotDigests(tournament, digests);
    MutexLock lock(&mutex_);
    Entry& saved = entries_.at(tournament);
    saved.are_digests_being_saved = false;
    // Else, or if others were settled meanwhile, it is tried again by the clock.
    saved.are_digests_saved = status.ok() && digests == saved.stored.bot_digests;
  });
}

absl::StatusOr<std::string> Coordinator::SpecJson(int64_t tournament) const {
  MutexLock lock(&mutex_);
  const auto entry = entries_.find(tournament);
  if (entry == entries_.end()) {
    return absl::NotFoundError("there is no tournament " + std::to_string(tournament));
  }
  return SpecToJson(entry->second.stored.spec);
}

absl::StatusOr<HeartbeatReply> Coordinator::Heartbeat(const HeartbeatRequest& heartbeat) {
  const bool is_busy = IsBusy();
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(CheckLeads());
  ASSIGN_OR_RETURN(HeartbeatReply reply, book_.Heartbeat(heartbeat, Clock::now()));
  if (is_busy) reply.slow = std::chrono::seconds(5);
  return reply;
}

void Coordinator::Release(const WorkerId& worker, const std::vector<uint64_t>& tokens,
                          const std::string& why, bool leaves) {
  MutexLock lock(&mutex_);
  const Clock::time_point now = Clock::now();
  for (const uint64_t token : tokens) {
    if (why.empty()) {
      book_.Release(worker, token, now);
    } else {
      book_.Refuse(worker, token, why, now);
    }
  }
  if (leaves) book_.Leave(worker, now);
}

void Coordinator::Report(triarch::Report report, ReportDone done) {
  auto pending = std::make_shared<Pending>();
  pending->report = std::move(report);
  pending->done = std::move(done);
  const auto reported = static_cast<int64_t>(pending->report.games.size());
  const bool is_busy = IsBusy();
  absl::StatusOr<std::optional<ReportReply>> answer = std::nullopt;
  {
    MutexLock lock(&mutex_);
    answer = Accept(*pending, is_busy);
  }
  if (!answer.ok()) return pending->done(answer.status());
  if (*answer) {
    metrics_->Reported((*answer)->outcome, reported, 0);
    return pending->done(**answer);
  }
  std::vector<GameRecord>& games = pending->report.games;
  for (GameRecord& game : games) game.event = pending->event;
  if (games.empty()) return Record(std::move(pending));
  pending->plies = PliesOf(games);
  replay_plies_waiting_ += pending->plies;
  replays_.Post([this, pending] { Replay(pending); });
}

// What there is to say at once; nothing if the report goes on its way, with the games that are not
// recorded yet.
absl::StatusOr<std::optional<ReportReply>> Coordinator::Accept(Pending& pending, bool is_busy) {
  RETURN_IF_ERROR(CheckLeads());
  triarch::Report& report = pending.report;
  ASSIGN_OR_RETURN(
      const LeaseBook::ReportCheck check,
      book_.CheckReport(report.worker, report.token, IndicesOf(report.games), Clock::now()));
  if (!check.is_live) {
    ReportReply stale;
    stale.outcome = ReportOutcome::kStale;
    stale.is_cancelled = true;
    if (report.shard) data_->NoteStray();
    return stale;
  }
  if (is_busy) return Retry("the store is behind", std::chrono::seconds(1));
  Entry& entry = entries_.at(check.tournament);
  if (const absl::Status status = CheckShard(report, entry); !status.ok()) {
    ReportReply rejected;
    rejected.outcome = ReportOutcome::kRejected;
    rejected.why = std::string(status.message());
    rejected.is_cancelled = true;
    book_.Reject(report.worker, report.token, rejected.why, Clock::now());
    return rejected;
  }
  pending.duplicates = static_cast<int64_t>(report.games.size() - check.fresh.size());
  if (report.shard) {
    // All of it or nothing: the store knows which.
    CompleteShard(entry, &*report.shard);
    pending.is_repeated = pending.duplicates > 0;
  } else {
    std::erase_if(report.games, [&](const GameRecord& game) {
      return !std::binary_search(check.fresh.begin(), check.fresh.end(), game.index);
    });
  }
  for (const GameRecord& game : report.games) {
    if (!entry.recording.contains(game.index)) continue;
    return Retry("games of this report are being recorded", std::chrono::seconds(1));
  }
  pending.indices = IndicesOf(report.games);
  for (const int64_t index : pending.indices) entry.recording.Add({index, index + 1});
  pending.tournament = check.tournament;
  pending.event = entry.stored.spec.name;
  pending.schedule = entry.schedule;
  pending.label = entry.label();
  return std::nullopt;
}

void Coordinator::End(const Pending& pending) {
  Entry& entry = entries_.at(pending.tournament);
  for (const int64_t index : pending.indices) entry.recording.Remove({index, index + 1});
  if (entry.stored.state == TournamentState::kCancelled) NoteData(pending.tournament, entry);
}

// On a replay thread.
void Coordinator::Replay(std::shared_ptr<Pending> pending) {
  const Clock::time_point began = Clock::now();
  std::vector<GameRecord>& games = pending->report.games;
  absl::Status status;
  for (GameRecord& game : games) {
    const GameSpec spec = pending->schedule->Game(game.index);
    absl::StatusOr<GameRecord> replayed =
        options_.trusts_workers ? CompleteRecord(spec, std::move(game)) : ReplayRecord(spec, game);
    if (!replayed.ok()) {
      status = absl::InvalidArgumentError("game " + std::to_string(game.index + 1) + ": " +
                                          std::string(replayed.status().message()));
      break;
    }
    game = *std::move(replayed);
  }
  replay_plies_waiting_ -= pending->plies;
  metrics_->Replayed(static_cast<int64_t>(games.size()), pending->plies, Clock::now() - began,
                     status.ok());
  if (status.ok()) return Record(std::move(pending));

  ReportReply reply;
  reply.outcome = ReportOutcome::kRejected;
  reply.why = std::string(status.message());
  reply.is_cancelled = true;
  {
    MutexLock lock(&mutex_);
    End(*pending);
    book_.Reject(pending->report.worker, pending->report.token, reply.why, Clock::now());
  }
  metrics_->Reported(reply.outcome, static_cast<int64_t>(games.size()), pending->duplicates);
  pending->done(reply);
}

void Coordinator::Record(std::shared_ptr<Pending> pending) {
  if (pending->report.games.empty()) {
    // The lease may still learn that it is over.
    return AfterRecord(*pending, {}, absl::OkStatus());
  }
  {
    MutexLock lock(&mutex_);
    SettleDigests(pending->tournament);
  }
  Recorder::Batch batch{
      .tournament = pending->tournament,
      .games = std::move(pending->report.games),
      .shard = pending->report.shard,
      .done = [this, pending](const absl::Status& status, const std::vector<GameRecord>& games) {
        AfterRecord(*pending, games, status);
      }};
  recorder_->Add(std::move(batch));
}

// On the store's thread, or where there was nothing to record.
void Coordinator::AfterRecord(Pending& pending, const std::vector<GameRecord>& games,
                              const absl::Status& status) {
  ReportReply reply;
  if (absl::IsInvalidArgument(status)) {
    reply.outcome = ReportOutcome::kRejected;
    reply.why = std::string(status.message());
  } else if (absl::IsAlreadyExists(status)) {
    reply.outcome = ReportOutcome::kStale;
    reply.is_cancelled = true;
  } else if (!status.ok()) {
    reply = Retry(std::string(status.message()), std::chrono::seconds(1));
  }
  {
    MutexLock lock(&mutex_);
    if (absl::IsFailedPrecondition(status)) fatal_ = status;
    End(pending);
    if (status.ok() && !pending.is_repeated) {
      Entry& entry = entries_.at(pending.tournament);
      Count(entry, games);
      if (book_.Recorded(pending.tournament, pending.report.token, pending.indices, Clock::now())) {
        entry.stored.state = TournamentState::kDone;
      }
      if (pending.report.shard) NoteShard(pending.tournament, entry, *pending.report.shard);
    }
  }
  if (status.ok() && !games.empty() && !pending.is_repeated) {
    metrics_->GamesRecorded(pending.label, games);
  }
  metrics_->Reported(reply.outcome, static_cast<int64_t>(games.size()), pending.duplicates);
  pending.done(reply);
}

void Coordinator::Count(Entry& entry, const std::vector<GameRecord>& games) {
  std::map<std::string, size_t, std::less<>> numbers;
  for (size_t i = 0; i < entry.points.size(); ++i) numbers[entry.points[i].bot] = i;
  for (const GameRecord& game : games) {
    const PerSeat<double> points = Points(game.outcome.place, entry.info->seats);
    for (size_t i = 0; i < entry.info->seats; ++i) {
      auto& bot = entry.points[numbers.at(game.bots[SeatAt(i)])];
      ++bot.games;
      bot.points += points[SeatAt(i)];
    }
    entry.plies += game.plies;
  }
}

// ---- For operators.

absl::StatusOr<int64_t> Coordinator::Submit(TournamentSpec spec, const std::string& spec_text) {
  RETURN_IF_ERROR(Schedule::Make(spec).status());
  RETURN_IF_ERROR(CheckBots(spec));
  RETURN_IF_ERROR(ClaimData(&spec));
  absl::StatusOr<StoredTournament> stored = absl::UnknownError("");
  writer_.Run([&](Store& store) { stored = store.AddTournament(spec, spec_text); });
  if (!stored.ok()) UnclaimData(spec, stored.status());
  RETURN_IF_ERROR(stored.status());
  const int64_t id = stored->id;
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(AddEntry(*std::move(stored), RangeSet()));
  }
  if (spec.selfplay) AddShards(id, {});
  return id;
}

// The store first: what it has not heard of would not be so for the next coordinator.
absl::Status Coordinator::SetState(int64_t tournament, TournamentState state) {
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(book_.MaySetState(tournament, state));
  }
  absl::Status status;
  writer_.Run([&](Store& store) { status = store.SetState(tournament, state); });
  RETURN_IF_ERROR(status);
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(book_.SetState(tournament, state));
  entries_.at(tournament).stored.state = state;
  NoteData(tournament, entries_.at(tournament));
  return absl::OkStatus();
}

TournamentStatus Coordinator::StatusOf(const Entry& entry) const {
  TournamentStatus status{.id = entry.stored.id,
                          .spec = entry.stored.spec,
                          .state = entry.stored.state,
                          .created = entry.stored.created,
                          .plies = entry.plies,
                          .plies_per_second = entry.plies_per_second,
                          .shards = entry.shards,
                          .samples = entry.samples,
                          .sample_bytes = entry.sample_bytes,
                          .leaderboard = entry.points,
                          .refusals = book_.RefusalsOf(entry.stored.id, Clock::now())};
  if (const auto view = book_.View(entry.stored.id, Clock::now())) {
    status.state = view->state;
    status.open = view->open;
    status.leased = view->leased;
    status.done = view->done;
    status.games_per_second = view->games_per_second;
  }
  if (const absl::Status data = data_->status(entry.stored.id); !data.ok()) {
    status.data_error = std::string(data.message());
  }
  const auto share = [](const TournamentStatus::BotPoints& bot) {
    return bot.games == 0 ? 0.0 : bot.points / static_cast<double>(bot.games);
  };
  std::stable_sort(status.leaderboard.begin(), status.leaderboard.end(),
                   [&](const auto& a, const auto& b) { return share(a) > share(b); });
  return status;
}

std::vector<TournamentStatus> Coordinator::Tournaments() const {
  MutexLock lock(&mutex_);
  std::vector<TournamentStatus> all;
  for (const auto& [id, entry] : entries_) all.push_back(StatusOf(entry));
  return all;
}

absl::StatusOr<TournamentStatus> Coordinator::Tournament(int64_t id) const {
  MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) {
    return absl::NotFoundError("there is no tournament " + std::to_string(id));
  }
  return StatusOf(entry->second);
}

std::vector<LeaseBook::WorkerView> Coordinator::Workers() const {
  MutexLock lock(&mutex_);
  return book_.Workers(Clock::now());
}

void Coordinator::Read(absl::FunctionRef<void(Store&)> task) { reader().Run(task); }

absl::Status Coordinator::status() const {
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(fatal_);
    RETURN_IF_ERROR(store_status_);
  }
  // A server that stands still keeps its connections and answers nothing.
  if (writer_.busy_time() > kStoreAnswers) {
    return absl::UnavailableError("the store has not answered for some time");
  }
  return recorder_->status();
}

// ---- By the clock.

void Coordinator::KeepTime() {
  const Clock::time_point now = Clock::now();
  {
    MutexLock lock(&mutex_);
    book_.Expire(now);
    MeasureRates(now);
  }
  SaveEvents();
  data_->Tick(now);
  SetGauges(now);
  if (now >= ask_at_) {
    ask_at_ = now + kAskEvery;
    AskWhetherItLeads();
  }
  const bool is_due = options_.ratings_every.count() > 0 && now >= next_rating_.load();
  if (is_due && !is_rating_.exchange(true)) reads_.Post([this] { RateTournaments(); });
}

void Coordinator::MeasureRates(Clock::time_point now) {
  for (auto& [id, entry] : entries_) {
    const std::chrono::duration<double> time = now - entry.plies_measured;
    if (time < kRateWindow) continue;
    entry.plies_per_second = static_cast<double>(entry.plies - entry.plies_then) / time.count();
    entry.plies_then = entry.plies;
    entry.plies_measured = now;
  }
}

// Leases are saved behind play: a coordinator that takes over knows most of them, and those that it
// does not are stale.
void Coordinator::SaveEvents() {
  std::vector<StoredLease> leases;
  std::vector<StoredWorker> workers;
  {
    MutexLock lock(&mutex_);
    workers.swap(quarantined_);
    for (const LeaseBook::Event& event : book_.TakeEvents()) {
      metrics_->LeaseEvent(event);
      leases.push_back({.worker = event.worker,
                        .lease = event.lease,
                        .ended = std::string(WordFor(event.kind))});
      if (event.kind == LeaseBook::Event::Kind::kRejected) AddQuarantined(event.worker, &workers);
    }
    for (const auto& [id, entry] : entries_) {
      if (!entry.are_digests_saved && !entry.are_digests_being_saved) SaveDigests(id);
    }
  }
  if ((leases.empty() && workers.empty()) || options_.trusts_workers) return;
  writer_.Post([this, leases = std::move(leases), workers = std::move(workers)](Store& store) {
    // Nothing depends on leases: what is lost is played again.
    (void)store.SaveLeases(leases);
    if (workers.empty() || store.SaveWorkers(workers).ok()) return;
    MutexLock lock(&mutex_);
    quarantined_.insert(quarantined_.end(), workers.begin(), workers.end());
  });
}

void Coordinator::AddQuarantined(const WorkerId& worker, std::vector<StoredWorker>* workers) {
  for (const LeaseBook::WorkerView& view : book_.Workers(Clock::now())) {
    if (view.info.id.name != worker.name || view.quarantine.empty()) continue;
    workers->push_back({.name = worker.name,
                        .slots = view.info.slots,
                        .build = view.info.build,
                        .quarantine = view.quarantine});
  }
}

// Without games to record nobody else would notice that another coordinator has taken over.
void Coordinator::AskWhetherItLeads() {
  if (options_.trusts_workers || is_asking_.exchange(true)) return;
  writer_.Post([this](Store& store) {
    const absl::Status status = store.SaveLeases({});  // writes nothing, if it may
    is_asking_ = false;
    MutexLock lock(&mutex_);
    store_status_ = status;
    if (absl::IsFailedPrecondition(status)) fatal_.Update(status);
  });
}

void Coordinator::SetGauges(Clock::time_point now) {
  std::vector<CoordinatorMetrics::TournamentGauges> gauges;
  std::vector<LeaseBook::WorkerView> workers;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, entry] : entries_) {
      const auto view = book_.View(id, now);
      gauges.push_back({.tournament = entry.label(),
                        .game = entry.stored.spec.game,
                        .state = std::string(ToString(view->state)),
                        .games = entry.stored.spec.games,
                        .open = view->open,
                        .leased = view->leased,
                        .done = view->done});
    }
    workers = book_.Workers(now);
  }
  metrics_->SetTournaments(gauges);
  metrics_->SetWorkers(workers);
  metrics_->SetQueues(replay_plies_waiting_, recorder_->is_full(), status().ok());
}

}  // namespace triarch
