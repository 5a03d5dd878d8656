#include "coordinator/service/coordinator.h"

#include <random>
#include <utility>

#include "coordinator/ratings/standings.h"
#include "coordinator/service/held_text.h"
#include "coordinator/service/replay_games.h"
#include "coordinator/service/store_contents.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/record/audit_text.h"

namespace triarch {
namespace {

// How often to expire leases, save notes and set gauges.
constexpr std::chrono::milliseconds kTick{250};
// A store busy with one task for longer than this is considered hung.
constexpr std::chrono::seconds kStoreAnswers{10};
// Time to write manifests when the coordinator stops; the next coordinator writes the rest.
constexpr std::chrono::seconds kLastPublish{5};

// Nobody can predict what is audited.
CoordinatorSession::Options WithSecret(CoordinatorSession::Options options) {
  std::random_device random;
  for (int i = 0; i < 8; ++i) options.audit_secret += std::to_string(random()) + ".";
  return options;
}

}  // namespace

struct Coordinator::Pending : PendingReport {
  ReportDone done;
  std::shared_ptr<const Schedule> schedule = nullptr;
  std::vector<PlannedMatch> matches = {};  // of its games, if they are planned
  std::string label = "";                  // label of the tournament's metrics
  int64_t games = 0;  // reported games, or new games once the report is accepted
};

// ---- Beginning and end.

Coordinator::Coordinator(const Options& options, uint64_t epoch, std::unique_ptr<Store> store,
                         std::unique_ptr<Store> reader, CoordinatorMetrics* metrics)
    : options_(options),
      metrics_(metrics),
      session_(WithSecret(options.session), epoch),
      writer_(std::move(store)),
      activity_(options.log),
      replays_(options.replay_threads),
      changes_(1),
      reads_(1),
      views_(1) {
  if (reader) reader_.emplace(std::move(reader));
  Recorder::Options recorder = options.recorder;
  recorder.on_commit = [metrics](const Recorder::Commit& commit) {
    metrics->Committed(commit.games, commit.time, commit.status.ok());
  };
  recorder_.emplace(recorder, writer_);
  DataPublisher::Options data;
  data.search_again = 10 * options.session.leases.ttl;
  if (!options.session.is_local) data.environment = "the environment of the coordinator";
  data.roots = options.data_roots;
  data.on_publish = [metrics](const absl::Status& status) { metrics->Published(status.ok()); };
  data_.emplace(data, [this](int64_t tournament) {
    return this->reader().Ask([&](Store& own) { return own.Shards(tournament); });
  });
  bundles_.emplace(
      options.bundles, [this](std::string_view digest) { return TournamentsWith(digest); }, writer_,
      this->reader(), reads_);
  ratings_.emplace(options.ratings_every, metrics, writer_, this->reader(), reads_);
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
  RETURN_IF_ERROR(coordinator->writer_.Ask([&](Store& own) { return coordinator->Load(own); }));
  metrics->SetLeading(true);
  coordinator->clock_ = std::jthread([self = coordinator.get()](const std::stop_token& stop) {
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
    session_.End(absl::UnavailableError("the coordinator is stopping"));
  }
  if (clock_.joinable()) {
    clock_.request_stop();
    clock_.join();
  }
  recorder_->End();
  writer_.Run([](Store&) {});  // wait for pending notes, which block others
  SaveNotes();
  data_->Finish(kLastPublish).IgnoreError();
  data_->Stop();
  metrics_->SetLeading(false);
}

absl::Status Coordinator::Load(Store& store) {
  RETURN_IF_ERROR(bundles_->Load(store));
  ASSIGN_OR_RETURN(StoreContents contents, ReadContents(store, options_.tournament));
  for (StoreContents::Tournament& tournament : contents.tournaments) {
    const int64_t id = tournament.stored.id;
    RETURN_IF_ERROR(AddTournament(std::move(tournament.stored), tournament.recorded,
                                  tournament.shards, std::move(tournament.earlier)));
    CountEarlierGames(id, std::move(tournament.recorded));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> deleting, store.Deleting());
  for (const int64_t id : deleting) deletions_.Add(id);
  MutexLock lock(&mutex_);
  session_.RestoreAudits(contents.held_reports, contents.audits);
  session_.Restore(contents.leases, contents.workers, Clock::now());
  return absl::OkStatus();
}

absl::Status Coordinator::AddTournament(StoredTournament stored, const RangeSet& recorded,
                                        const std::vector<ShardEntry>& shards,
                                        EarlierResults earlier) {
  RETURN_IF_ERROR(FindGame(stored.spec.game).status());
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(stored.spec));
  MutexLock lock(&mutex_);
  schedules_[stored.id] = std::make_shared<const Schedule>(std::move(schedule));
  session_.AddTournament(std::move(stored), recorded, shards, std::move(earlier));
  SaveProgress();
  PublishChangedRuns();
  return absl::OkStatus();
}

void Coordinator::CountEarlierGames(int64_t tournament, RangeSet games) {
  if (games.empty()) return;
  reader().Post([this, tournament, games = std::move(games)](Store& store) {
    const auto count = [&](const GameSummary& game) {
      if (!games.contains(game.index)) return absl::OkStatus();
      MutexLock lock(&mutex_);
      session_.CountEarlier(tournament, game);
      return absl::OkStatus();
    };
    // After an error the leaderboard lacks games; standings do not depend on it.
    store.VisitResults(tournament, count).status().IgnoreError();
  });
}

// ---- Reports.

void Coordinator::Report(triarch::Report report, ReportDone done) {
  auto pending = std::make_shared<Pending>();
  pending->report = std::move(report);
  pending->done = std::move(done);
  pending->games = static_cast<int64_t>(pending->report.games.size());
  ReportStep step;
  {
    MutexLock lock(&mutex_);
    step = session_.Accept(*pending, Clock::now());
    if (step.next == ReportStep::Next::kReplay) Prepare(*pending);
    PublishChangedRuns();
  }
  Continue(std::move(pending), step);
}

void Coordinator::Prepare(Pending& pending) {
  pending.games = static_cast<int64_t>(pending.report.games.size());
  pending.schedule = schedules_.at(pending.tournament);
  pending.matches = session_.MatchesOf(pending);
  pending.label = session_.Get(pending.tournament).label();
}

void Coordinator::Continue(std::shared_ptr<Pending> pending, const ReportStep& step) {
  switch (step.next) {
    case ReportStep::Next::kReplay:
      return replays_.Post([this, pending = std::move(pending)] { Replay(pending); });
    case ReportStep::Next::kRecord:
      return Record(std::move(pending));
    case ReportStep::Next::kCompare:
      return Compare(std::move(pending));
    case ReportStep::Next::kAnswer:
      return Answer(*pending, step);
  }
}

// Runs on a replay thread.
void Coordinator::Replay(std::shared_ptr<Pending> pending) {
  const Clock::time_point began = Clock::now();
  // A worker in this process is trusted.
  const absl::Status status = ReplayGames(*pending->schedule, pending->matches,
                                          options_.session.is_local, pending->report.games);
  metrics_->Replayed(pending->games, pending->plies, Clock::now() - began, status.ok());
  ReportStep step;
  {
    MutexLock lock(&mutex_);
    step = session_.OnReplayed(*pending, status, Clock::now());
    PublishChangedRuns();
  }
  Continue(std::move(pending), step);
}

void Coordinator::Record(std::shared_ptr<Pending> pending) {
  RecordBatch batch = TakeBatch(*pending);
  if (batch.held) batch.held->report = HeldText(batch.games, batch.shard);
  batch.done = [this, pending = std::move(pending)](const absl::Status& status,
                                                    const std::vector<GameRecord>& games) {
    ReportStep step;
    {
      MutexLock lock(&mutex_);
      step = session_.OnRecorded(*pending, status, games, Clock::now());
      PublishChangedRuns();
      SaveProgress();
    }
    if (status.ok() && !pending->is_repeated() && !pending->held) {
      metrics_->GamesRecorded(pending->label, games);
      if (pending->report.shard) metrics_->ShardRecorded(*pending->report.shard);
    }
    Answer(*pending, step);
  };
  recorder_->Add(std::move(batch));
}

void Coordinator::Answer(Pending& pending, const ReportStep& step) {
  if (step.is_stray) data_->NoteStray(pending.report.shard->shard);
  if (pending.confirms != 0) return;  // no worker waits for it
  if (step.answer.ok()) {
    metrics_->Reported(step.answer->outcome, pending.games, pending.duplicates);
  }
  pending.done(step.answer);
}

// ---- Audits.

void Coordinator::Compare(std::shared_ptr<Pending> pending) {
  reader().Post([this, pending = std::move(pending)](Store& store) {
    const GameRecord& played = pending->report.games.front();
    const absl::StatusOr<GameRecord> reported =
        ReadHeldGame(store, pending->audited, *pending->schedule, pending->matches, played.index);
    const std::string reported_text = reported.ok() ? AuditText(*reported) : "";
    const std::string played_text = AuditText(played);
    ReportStep step;
    {
      MutexLock lock(&mutex_);
      step = session_.OnCompared(*pending, reported.status(), reported_text, played_text,
                                 Clock::now());
    }
    Answer(*pending, step);
  });
}

void Coordinator::RecordConfirmed(const std::vector<int64_t>& reports) {
  for (const int64_t report : reports) {
    reader().Post([this, report](Store& store) { Confirm(store, report); });
  }
}

void Coordinator::Confirm(Store& store, int64_t report) {
  absl::StatusOr<triarch::Report> held = ReadHeld(store, report);
  auto pending = std::make_shared<Pending>();
  pending->confirms = report;
  ReportStep step;
  {
    MutexLock lock(&mutex_);
    if (!held.ok()) return session_.OnConfirmedLost(report, held.status());
    pending->report = *std::move(held);
    step = session_.AcceptConfirmed(*pending);
    if (step.next == ReportStep::Next::kReplay) Prepare(*pending);
  }
  Continue(std::move(pending), step);
}

void Coordinator::SaveAudits(AuditNotes notes) {
  if (notes.empty()) return;
  writer_.Post([this, notes = std::move(notes)](Store& store) {
    absl::Status status = store.AddAudits(notes.audits);
    // Repeating both would count the audits twice.
    AuditNotes left = notes;
    if (status.ok()) left.audits.clear();
    if (status.ok()) status = store.DropReports(notes.dropped);
    MutexLock lock(&mutex_);
    session_.OnAuditNotesSaved(std::move(left), status);
  });
}

// ---- For operators.

absl::StatusOr<int64_t> Coordinator::Submit(TournamentSpec spec, const std::string& spec_text,
                                            const Precedence& precedence) {
  RETURN_IF_ERROR(Schedule::Make(spec).status());
  if (!spec.test) RETURN_IF_ERROR(CheckBotsToRate(spec));
  RETURN_IF_ERROR(bundles_->CheckBots(spec));
  RETURN_IF_ERROR(data_->ClaimNewRun(&spec));
  absl::StatusOr<StoredTournament> stored =
      writer_.Ask([&](Store& store) { return store.AddTournament(spec, spec_text); });
  if (!stored.ok()) {
    // A commit with an unknown outcome may have added the tournament.
    if (!absl::IsUnavailable(stored.status())) data_->Unclaim(spec);
    return stored.status();
  }
  const int64_t id = stored->id;
  const absl::Status status =
      writer_.Ask([&](Store& store) { return store.SetPrecedence(id, precedence); });
  if (status.ok()) stored->precedence = precedence;
  RETURN_IF_ERROR(AddTournament(*std::move(stored), RangeSet(), {}, {}));
  if (status.ok()) return id;
  return absl::InternalError(
      "submitted as tournament " + std::to_string(id) +
      ", but its priority and share were not set: " + std::string(status.message()));
}

absl::Status Coordinator::SetState(int64_t tournament, TournamentState state) {
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(session_.MaySetState(tournament, state));
  }
  RETURN_IF_ERROR(writer_.Ask([&](Store& store) { return store.SetState(tournament, state); }));
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(session_.SetState(tournament, state, Clock::now()));
  PublishChangedRuns();
  return absl::OkStatus();
}

absl::Status Coordinator::Delete(int64_t tournament) {
  RETURN_IF_ERROR(
      Change([&](CoordinatorSession& session) { return session.MayDelete(tournament); }));
  RETURN_IF_ERROR(writer_.Ask([&](Store& store) { return store.BeginDelete(tournament); }));
  {
    MutexLock lock(&mutex_);
    session_.Delete(tournament, Clock::now());
    schedules_.erase(tournament);
  }
  // Whoever reads its games or shards now still gets all of them.
  data_->Forget(tournament);
  reader().Run([](Store&) {});
  deletions_.Add(tournament);
  return absl::OkStatus();
}

std::vector<TournamentStatus> Coordinator::Tournaments() const {
  MutexLock lock(&mutex_);
  std::vector<TournamentStatus> all = session_.Statuses(Clock::now());
  for (TournamentStatus& status : all) {
    status.data_error = std::string(data_->status(status.id).message());
  }
  return all;
}

absl::StatusOr<TournamentStatus> Coordinator::Tournament(int64_t id) const {
  MutexLock lock(&mutex_);
  ASSIGN_OR_RETURN(TournamentStatus status, session_.Status(id, Clock::now()));
  status.data_error = std::string(data_->status(id).message());
  return status;
}

absl::Status Coordinator::status() const {
  {
    MutexLock lock(&mutex_);
    RETURN_IF_ERROR(session_.status());
  }
  // A hung server keeps its connections open and answers nothing.
  if (writer_.busy_time() > kStoreAnswers) {
    return absl::UnavailableError("the store has not answered for a while");
  }
  return recorder_->status();
}

// ---- By the clock.

void Coordinator::KeepTime() {
  const Clock::time_point now = Clock::now();
  std::vector<TournamentCounts> tournaments;
  std::vector<WorkerView> workers;
  std::vector<int64_t> confirmed;
  int64_t replaying_plies = 0;
  bool is_store_behind = false;
  {
    MutexLock lock(&mutex_);
    session_.Tick(now);
    SaveProgress();
    tournaments = session_.Counts();
    workers = session_.Workers(now);
    replaying_plies = session_.replaying_plies();
    is_store_behind = session_.is_store_behind();
    if (!is_store_behind) confirmed = session_.TakeConfirmed();
  }
  RecordConfirmed(confirmed);
  SaveNotes();
  deletions_.Tick(writer_);
  data_->Tick(now);
  activity_.NoteTournaments(tournaments);
  activity_.NoteWorkers(workers);
  for (const TournamentCounts& counts : tournaments) {
    if (counts.is_selfplay) activity_.NoteData(counts.id, data_->status(counts.id));
  }
  metrics_->SetTournaments(tournaments);
  metrics_->SetWorkers(workers);
  metrics_->SetQueues(replaying_plies, is_store_behind, status().ok());
  ratings_->Tick(std::move(tournaments), now);
}

void Coordinator::SaveNotes() {
  std::vector<LeaseEvent> events;
  AuditNotes audits;
  {
    MutexLock lock(&mutex_);
    const Clock::time_point now = Clock::now();
    events = session_.TakeEvents(now);
    audits = session_.TakeAuditNotes();
    StoreNotes notes = session_.TakeNotes(now);
    // Posted under the lock, so that the next task waits for notes that another thread took.
    if (notes.is_for_store) {
      writer_.Post([this, notes = std::move(notes)](Store& store) {
        absl::Status status;
        if (!notes.workers.empty()) status.Update(store.SaveWorkers(notes.workers));
        status.Update(store.SaveLeases(notes.leases));
        MutexLock inner(&mutex_);
        session_.OnNotesSaved(notes, status);
      });
    }
  }
  SaveAudits(std::move(audits));
  for (const LeaseEvent& event : events) metrics_->LeaseChanged(event);
}

void Coordinator::SaveProgress() {
  for (MatchBatch& batch : session_.TakeBatches()) {
    writer_.Post([this, batch = std::move(batch)](Store& store) {
      const absl::Status status = store.AddMatches(batch.tournament, batch.matches);
      MutexLock lock(&mutex_);
      session_.OnBatchStored(batch, status);
    });
  }
  for (const int64_t id : session_.TakeEnded()) {
    // `triarch run` plays the test that confirms its tuning.
    const std::optional<TournamentSpec> next =
        options_.session.is_local ? std::nullopt : session_.FollowUp(id);
    const Precedence precedence = session_.Get(id).stored().precedence;
    writer_.Post([this, id, next, precedence](Store& store) {
      absl::Status status = next ? AddFollowUp(store, *next, precedence) : absl::OkStatus();
      // Other errors are permanent, such as a following tournament that has more games by now.
      if (!absl::IsUnavailable(status)) status = store.SetState(id, TournamentState::kDone);
      MutexLock lock(&mutex_);
      session_.OnEndStored(id, status);
    });
  }
}

// An earlier attempt may have added it.
absl::Status Coordinator::AddFollowUp(Store& store, const TournamentSpec& spec,
                                      const Precedence& precedence) {
  ASSIGN_OR_RETURN(const int64_t id, store.OpenTournament(spec));
  {
    MutexLock lock(&mutex_);
    if (session_.Has(id)) return absl::OkStatus();
  }
  RETURN_IF_ERROR(store.SetPrecedence(id, precedence));
  ASSIGN_OR_RETURN(StoredTournament stored, store.Tournament(id));
  return AddTournament(std::move(stored), RangeSet(), {}, {});
}

void Coordinator::PublishChangedRuns() {
  for (const int64_t id : session_.TakeChangedRuns()) {
    data_->Note(id, session_.Get(id).stored().spec, session_.RunState(id));
  }
}

}  // namespace triarch
