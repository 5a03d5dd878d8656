#include "coordinator/service/coordinator.h"

#include <algorithm>
#include <random>
#include <utility>

#include "coordinator/ratings/standings.h"
#include "coordinator/service/store_contents.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

// How often to expire leases, save notes and set gauges.
constexpr std::chrono::milliseconds kTick{250};
// A store busy with one task for longer than this is considered hung.
constexpr std::chrono::seconds kStoreAnswers{10};
// Time to write manifests when the coordinator stops; the next coordinator writes the rest.
constexpr std::chrono::seconds kLastPublish{5};

// Heartbeats whose games in progress wait to be replayed; those of others are dropped. So operators
// do not wait long for the same thread, whatever workers send.
constexpr int kLiveWaitingMax = 8;

// Nobody can predict what is audited.
CoordinatorSession::Options WithSecret(CoordinatorSession::Options options) {
  std::random_device random;
  for (int i = 0; i < 8; ++i) options.audit_secret += std::to_string(random()) + ".";
  return options;
}

}  // namespace

// ---- Beginning and end.

Coordinator::Coordinator(const Options& options, uint64_t epoch, std::unique_ptr<Store> store,
                         std::unique_ptr<Store> reader, CoordinatorMetrics* metrics)
    : options_(options),
      metrics_(metrics),
      shared_(WithSecret(options.session), epoch),
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
  session_writer_.emplace(!options.session.is_local, shared_, writer_, *data_, *metrics);
  reports_.emplace(options.session.is_local,
                   ReportPipeline::Parts{.session = shared_,
                                         .session_writer = *session_writer_,
                                         .reader = this->reader(),
                                         .replays = replays_,
                                         .recorder = *recorder_,
                                         .data = *data_,
                                         .metrics = *metrics});
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
    MutexLock lock(&shared_.mutex);
    shared_.session.End(absl::UnavailableError("the coordinator is stopping"));
  }
  if (clock_.joinable()) {
    clock_.request_stop();
    clock_.join();
  }
  recorder_->End();
  writer_.Run([](Store&) {});  // wait for pending notes, which block others
  session_writer_->SaveNotes();
  data_->Finish(kLastPublish).IgnoreError();
  data_->Stop();
  if (options_.live != nullptr) options_.live->Clear();
  metrics_->SetLeading(false);
}

absl::Status Coordinator::Load(Store& store) {
  RETURN_IF_ERROR(bundles_->Load(store));
  ASSIGN_OR_RETURN(StoreContents contents, ReadContents(store, options_.tournament));
  for (StoreContents::Tournament& tournament : contents.tournaments) {
    const int64_t id = tournament.stored.id;
    RETURN_IF_ERROR(session_writer_->AddTournament(std::move(tournament.stored),
                                                   tournament.recorded, tournament.shards,
                                                   std::move(tournament.earlier)));
    CountEarlierGames(id, std::move(tournament.recorded));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> deleting, store.Deleting());
  for (const int64_t id : deleting) deletions_.Add(id);
  MutexLock lock(&shared_.mutex);
  shared_.session.RestoreAudits(contents.held_reports, contents.audits);
  shared_.session.Restore(contents.leases, contents.workers, Clock::now());
  return absl::OkStatus();
}

void Coordinator::CountEarlierGames(int64_t tournament, RangeSet games) {
  if (games.empty()) return;
  reader().Post([this, tournament, games = std::move(games)](Store& store) {
    const auto count = [&](const GameSummary& game) {
      if (!games.contains(game.index)) return absl::OkStatus();
      MutexLock lock(&shared_.mutex);
      shared_.session.CountEarlier(tournament, game);
      return absl::OkStatus();
    };
    // After an error the leaderboard lacks games; standings do not depend on it.
    store.VisitResults(tournament, count).status().IgnoreError();
  });
}

// ---- For workers.

absl::StatusOr<HeartbeatReply> Coordinator::Heartbeat(const HeartbeatRequest& heartbeat) {
  const Clock::time_point now = Clock::now();
  absl::StatusOr<HeartbeatReply> reply;
  {
    MutexLock lock(&shared_.mutex);
    reply = shared_.session.Heartbeat(heartbeat, now);
  }
  LiveGames* const live = options_.live;
  if (!reply.ok() || live == nullptr || !live->IsWatched(now)) return reply;
  if (!heartbeat.live.empty()) ShowLive(heartbeat.worker, heartbeat.live);
  reply->is_watched = live->Wants(heartbeat.worker, now);
  if (reply->is_watched) reply->next = std::min(reply->next, LiveGames::kInterval);
  return reply;
}

void Coordinator::ShowLive(const WorkerId& worker, const std::vector<LiveReport>& reports) {
  struct Known {
    LiveGames::Origin origin;
    std::shared_ptr<const Schedule> schedule;
    std::vector<PlannedMatch> matches;
    GameRecord game;
  };
  if (live_waiting_.load() >= kLiveWaitingMax) return;
  std::vector<Known> known;
  {
    MutexLock lock(&shared_.mutex);
    for (const LiveReport& report : reports) {
      const int64_t index = report.game.index;
      const auto tournament = shared_.session.TournamentPlayed(worker, report.token, index);
      if (!tournament) continue;
      known.push_back({.origin = {.worker = worker,
                                  .token = report.token,
                                  .tournament = *tournament,
                                  .index = index},
                       .schedule = shared_.schedules.at(*tournament),
                       .matches = shared_.session.Get(*tournament).MatchesOf({index, index + 1}),
                       .game = report.game});
    }
  }
  ++live_waiting_;
  views_.Post([this, known = std::move(known)] {
    for (const auto& [origin, schedule, matches, game] : known) {
      const PlannedMatch* const match = FindMatch(matches, origin.index);
      const GameSpec spec = match == nullptr ? schedule->Game(origin.index)
                                             : schedule->PlannedGame(*match, origin.index);
      const absl::Status status =
          options_.live->Take(origin, schedule->spec().name, spec, game, Clock::now());
      metrics_->LiveReplayed(status.ok());
    }
    --live_waiting_;
  });
}

void Coordinator::DropLive(Clock::time_point now) {
  MutexLock lock(&shared_.mutex);
  options_.live->Drop(now, [&](const LiveGames::Origin& game) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return !shared_.session.TournamentPlayed(game.worker, game.token, game.index);
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
  RETURN_IF_ERROR(session_writer_->AddTournament(*std::move(stored), RangeSet(), {}, {}));
  if (status.ok()) return id;
  return absl::InternalError(
      "submitted as tournament " + std::to_string(id) +
      ", but its priority and share were not set: " + std::string(status.message()));
}

absl::Status Coordinator::SetState(int64_t tournament, TournamentState state) {
  {
    MutexLock lock(&shared_.mutex);
    RETURN_IF_ERROR(shared_.session.MaySetState(tournament, state));
  }
  RETURN_IF_ERROR(writer_.Ask([&](Store& store) { return store.SetState(tournament, state); }));
  MutexLock lock(&shared_.mutex);
  RETURN_IF_ERROR(shared_.session.SetState(tournament, state, Clock::now()));
  session_writer_->PublishChangedRuns();
  return absl::OkStatus();
}

absl::Status Coordinator::Delete(int64_t tournament) {
  RETURN_IF_ERROR(
      Change([&](CoordinatorSession& session) { return session.MayDelete(tournament); }));
  RETURN_IF_ERROR(writer_.Ask([&](Store& store) { return store.BeginDelete(tournament); }));
  {
    MutexLock lock(&shared_.mutex);
    shared_.session.Delete(tournament, Clock::now());
    shared_.schedules.erase(tournament);
  }
  // Whoever reads its games or shards now still gets all of them.
  data_->Forget(tournament);
  reader().Run([](Store&) {});
  deletions_.Add(tournament);
  return absl::OkStatus();
}

std::vector<TournamentStatus> Coordinator::Tournaments() const {
  MutexLock lock(&shared_.mutex);
  std::vector<TournamentStatus> all = shared_.session.Statuses(Clock::now());
  for (TournamentStatus& status : all) {
    status.data_error = std::string(data_->status(status.id).message());
  }
  return all;
}

absl::StatusOr<TournamentStatus> Coordinator::Tournament(int64_t id) const {
  MutexLock lock(&shared_.mutex);
  ASSIGN_OR_RETURN(TournamentStatus status, shared_.session.Status(id, Clock::now()));
  status.data_error = std::string(data_->status(id).message());
  return status;
}

absl::Status Coordinator::status() const {
  {
    MutexLock lock(&shared_.mutex);
    RETURN_IF_ERROR(shared_.session.status());
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
    MutexLock lock(&shared_.mutex);
    shared_.session.Tick(now);
    session_writer_->SaveProgress();
    tournaments = shared_.session.Counts();
    workers = shared_.session.Workers(now);
    replaying_plies = shared_.session.replaying_plies();
    is_store_behind = shared_.session.is_store_behind();
    if (!is_store_behind) confirmed = shared_.session.TakeConfirmed();
  }
  if (options_.live != nullptr) DropLive(now);
  reports_->RecordConfirmed(confirmed);
  session_writer_->SaveNotes();
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

}  // namespace triarch
