#include "worker/work_loop.h"

#include <sys/resource.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/status_macros.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

// The longest and shortest interval between iterations of the loop, which also checks the metrics
// and the slots' health.
constexpr milliseconds kTick{1'000};
constexpr milliseconds kPause{1};
// The time in which players must answer after their game was abandoned.
constexpr milliseconds kObey{2'000};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

WorkerSession::Game GameOf(const Job& job) {
  return {.token = job.token, .tournament = job.tournament, .index = job.spec.index};
}

}  // namespace

WorkLoop::WorkLoop(const Options& options, std::unique_ptr<Spill> spill,
                   std::vector<CoordinatorClient*> clients, PlayerMaker make_player,
                   WorkerMetrics* metrics)
    : options_(options),
      clients_(std::move(clients)),
      metrics_(metrics),
      session_({.worker = options.worker,
                .queue = options.queue,
                .addresses = clients_.size(),
                .can_fetch_bundles = options.bundles != nullptr,
                .gives_back = options.gives_back},
               std::move(spill)),
      shards_(options.worker, options.data_roots) {
  slots_.emplace(
      options.worker.slots, [this] { return NextJob(); },
      [this](const Job& job, std::optional<GameRecord> record) { Finish(job, std::move(record)); },
      std::move(make_player),
      [this](const Job& job, const absl::Status& why) { Refuse(job, why); });
  thread_ = std::jthread([this] { Run(); });
  disk_ = std::jthread([this] { RunDisk(); });
}

WorkLoop::~WorkLoop() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    WakeAll();
  }
  thread_.join();
  disk_.join();
  // Pending answers could otherwise take a long time.
  for (CoordinatorClient* const client : clients_) client->Cancel();
  shards_.Stop();
  {
    MutexLock lock(&mutex_);
    while (under_way_ > 0) changed_.Wait(&mutex_);
  }
  slots_.reset();
}

// ---- The slots.

std::optional<Job> WorkLoop::NextJob() {
  std::shared_ptr<const Schedule> schedule;
  std::optional<WorkerSession::Game> game;
  {
    MutexLock lock(&mutex_);
    while (true) {
      if (is_ending_ || session_.is_leaving()) return std::nullopt;
      game = session_.NextGame();
      if (game) break;
      has_job_.Wait(&mutex_);
    }
    schedule = schedules_.at(game->tournament);
    WakeIfDue();
  }
  // Drawing an opening takes a moment, so it happens without the lock.
  return Job{.spec = game->match ? schedule->PlannedGame(*game->match, game->index)
                                 : schedule->Game(game->index),
             .tournament = game->tournament,
             .token = game->token};
}

void WorkLoop::Finish(const Job& job, std::optional<GameRecord> record) {
  if (record) metrics_->GamePlayed(job.spec, *record);
  MutexLock lock(&mutex_);
  session_.OnGameEnd(GameOf(job), std::move(record), Clock::now());
  has_disk_work_.NotifyOne();
  session_.is_leaving() ? WakeAll() : WakeIfDue();
}

void WorkLoop::Refuse(const Job& job, const absl::Status& why) {
  MutexLock lock(&mutex_);
  session_.OnGameRefused(GameOf(job), why);
  WakeAll();
}

// ---- Threads.

void WorkLoop::WakeIfDue() {
  if (session_.NextTime(Clock::now()) < wake_at_) changed_.NotifyAll();
}

void WorkLoop::WakeAll() {
  changed_.NotifyAll();
  has_job_.NotifyAll();
  has_disk_work_.NotifyAll();
}

void WorkLoop::Run() {
  MutexLock lock(&mutex_);
  while (!is_ending_) {
    if (!slots_->status().ok()) session_.OnPlayFailed(slots_->status());
    const Time now = Clock::now();
    while (std::optional<session::Action> action = session_.Next(now)) {
      std::visit([this](auto& one) ABSL_NO_THREAD_SAFETY_ANALYSIS { Perform(one); }, *action);
    }
    SetGauges();
    // An action may have created work for the slots or the disk, or ended a wait.
    WakeAll();
    wake_at_ = std::clamp(session_.NextTime(now), now + kPause, now + kTick);
    changed_.WaitUntil(&mutex_, wake_at_);
  }
}

void WorkLoop::RunDisk() {
  mutex_.Lock();
  while (!is_ending_) {
    if (!disk_work_.empty()) {
      const std::function<void()> work = std::move(disk_work_.front());
      disk_work_.pop_front();
      mutex_.Unlock();
      work();
      mutex_.Lock();
    } else if (std::optional<LeaseQueue::Transfer> transfer = session_.NextTransfer()) {
      mutex_.Unlock();
      transfer->Run();
      mutex_.Lock();
      session_.OnTransferEnd(*std::move(transfer));
    } else {
      has_disk_work_.Wait(&mutex_);
      continue;
    }
    changed_.NotifyAll();
    has_job_.NotifyAll();
  }
  mutex_.Unlock();
}

void WorkLoop::SetGauges() {
  const LeaseQueue& queue = session_.queue();
  metrics_->Set({.slots = options_.worker.slots,
                 .busy_slots = slots_->busy(),
                 .leases = static_cast<int64_t>(queue.tokens().size()),
                 .games_open = queue.games_open(),
                 .games_held = queue.games_held(),
                 .is_connected = session_.is_connected(),
                 .is_full = queue.is_full()});
}

// ---- Actions.

template <class Answer, class Event>
std::function<void(const Answer&)> WorkLoop::Expect(Event event) {
  ++under_way_;
  return [this, event](const Answer& answer) {
    MutexLock lock(&mutex_);
    --under_way_;
    if (!is_ending_) event(answer, Clock::now());
    WakeAll();
  };
}

void WorkLoop::Perform(session::Register& action) {
  clients_[action.address]->Register(
      options_.worker,
      Expect<absl::StatusOr<milliseconds>>(
          [this](const absl::StatusOr<milliseconds>& reply, Time now)
              ABSL_NO_THREAD_SAFETY_ANALYSIS { session_.OnRegistered(reply.status(), now); }));
}

void WorkLoop::Perform(session::RequestLease& action) {
  clients_[action.address]->RequestLease(
      options_.worker.id, action.known_tournaments,
      Expect<absl::StatusOr<ArrivedLease>>([this](const absl::StatusOr<ArrivedLease>& arrived,
                                                  Time now) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        if (!arrived.ok()) return session_.OnLease(arrived.status(), now);
        session_.OnLease(Read(*arrived), now);
      }));
}

LeaseArrival WorkLoop::Read(const ArrivedLease& arrived) {
  LeaseArrival arrival{.reply = arrived.reply, .needs = {}};
  if (arrived.reply.lease && !arrived.spec_json.empty()) {
    arrival.needs = ReadSpec(arrived.reply.lease->tournament, arrived.spec_json);
  }
  if (arrival.reply.lease && (!arrival.needs || arrival.needs->ok())) {
    const absl::Status status = ReadMatches(arrived.matches_json, &*arrival.reply.lease);
    if (!status.ok()) arrival.needs = status;
  }
  return arrival;
}

absl::Status WorkLoop::ReadMatches(const std::string& json, Lease* lease) const {
  const auto schedule = schedules_.find(lease->tournament);
  if (schedule == schedules_.end() || !IsPlanned(schedule->second->spec())) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(lease->matches, MatchesFromJson(json, schedule->second->spec()));
  for (int64_t index = lease->games.first; index < lease->games.last; ++index) {
    if (FindMatch(lease->matches, index) != nullptr) continue;
    return absl::InvalidArgumentError("matches: no match has game " + std::to_string(index + 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<PlayNeeds> WorkLoop::ReadSpec(int64_t tournament, const std::string& json) {
  ASSIGN_OR_RETURN(const TournamentSpec spec, SpecFromJson(json));
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(spec));
  schedules_[tournament] = std::make_shared<const Schedule>(std::move(schedule));
  return PlayNeeds{.shard_samples = spec.selfplay ? spec.selfplay->shard_samples : 0,
                   .data = spec.selfplay ? spec.data : "",
                   .bundles = NeededBundles(spec)};
}

void WorkLoop::Perform(session::SendHeartbeat& action) {
  action.heartbeat.busy_slots = slots_->busy();
  action.heartbeat.cpu_seconds = CpuSeconds();
  if (is_watched_) action.heartbeat.live = slots_->LiveGames(kLiveGamesMax);
  clients_[action.address]->Heartbeat(
      action.heartbeat,
      Expect<absl::StatusOr<HeartbeatReply>>([this](const absl::StatusOr<HeartbeatReply>& reply,
                                                    Time now) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        is_watched_ = reply.ok() && reply->is_watched;
        slots_->SetWatched(is_watched_);
        session_.OnHeartbeat(reply, now);
      }));
}

void WorkLoop::Perform(session::SendReport& action) {
  const auto games = static_cast<int64_t>(action.report->games.size());
  clients_[action.address]->Send(
      *action.report,
      Expect<absl::StatusOr<ReportReply>>([this, games](const absl::StatusOr<ReportReply>& reply,
                                                        Time now) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        metrics_->Reported(ToString(session_.OnReport(reply, now)), games);
      }));
}

void WorkLoop::Perform(session::FetchBundle& action) {
  clients_[action.address]->Fetch(
      options_.worker.id, action.digest, action.offset,
      Expect<absl::StatusOr<BundlePart>>(
          [this](const absl::StatusOr<BundlePart>& part, Time now)
              ABSL_NO_THREAD_SAFETY_ANALYSIS { session_.OnBundlePart(part, now); }));
}

void WorkLoop::Perform(session::RefuseLease& action) {
  clients_[action.address]->Refuse(options_.worker.id, action.token, action.why,
                                   Expect<absl::Status>([this](const absl::Status& status, Time now)
                                                            ABSL_NO_THREAD_SAFETY_ANALYSIS {
                                                              session_.OnRefused(status, now);
                                                            }));
}

void WorkLoop::Perform(session::Leave& action) {
  clients_[action.address]->Leave(
      options_.worker.id,
      Expect<absl::Status>([this](const absl::Status&, Time)
                               ABSL_NO_THREAD_SAFETY_ANALYSIS { session_.OnLeft(); }));
}

void WorkLoop::Perform(session::CheckNeeds& action) {
  disk_work_.push_back([this, action]() mutable {
    absl::StatusOr<std::vector<NeededBundle>> missing = std::move(action.bundles);
    if (options_.bundles != nullptr) {
      std::erase_if(*missing,
                    [&](const NeededBundle& one) { return options_.bundles->Has(one.digest); });
    }
    if (!action.data.empty()) {
      const absl::Status status = shards_.CheckLocation(action.data);
      if (!status.ok()) missing = status;
    }
    MutexLock lock(&mutex_);
    session_.OnNeedsChecked(missing, Clock::now());
  });
}

void WorkLoop::Perform(session::StoreBundle& action) {
  disk_work_.push_back([this, action = std::move(action)] {
    options_.bundles->KeepOnly(action.keep);
    const absl::Status status = options_.bundles->Put(action.digest, action.tar);
    MutexLock lock(&mutex_);
    session_.OnBundleStored(status, Clock::now());
  });
}

void WorkLoop::Perform(session::MakeShard& action) {
  shards_.Make(action.tournament, schedules_.at(action.tournament), action.report->games,
               Expect<absl::StatusOr<ShardEntry>>([this](const absl::StatusOr<ShardEntry>& shard,
                                                         Time now) ABSL_NO_THREAD_SAFETY_ANALYSIS {
                 metrics_->ShardMade(shard.ok(), shard.ok() ? shard->samples : 0);
                 session_.OnShard(shard, now);
               }));
}

void WorkLoop::Perform(session::AbandonGames& action) {
  slots_->Abandon([&](const Job& job) { return !action.token || job.token == *action.token; });
}

void WorkLoop::Perform(session::Log& action) { options_.log(action.entry); }

// ---- The end.

void WorkLoop::Leave(milliseconds patience) {
  const Time began = Clock::now();
  const Time deadline = began + patience;
  MutexLock lock(&mutex_);
  session_.Leave(deadline);
  WakeAll();
  while (!session_.HasLeft(Clock::now())) {
    const bool should_obey = Clock::now() >= began + kObey;
    if (should_obey && session_.queue().games_held() == 0 && OnlyCallsAreLeft()) return;
    changed_.WaitUntil(&mutex_, std::min(deadline, Clock::now() + kObey / 4));
  }
}

bool WorkLoop::OnlyCallsAreLeft() const {
  const auto calls = static_cast<int64_t>(slots_->CallsUnderWay().size());
  return calls > 0 && slots_->busy() <= calls;
}

absl::Status WorkLoop::status() const {
  MutexLock lock(&mutex_);
  return session_.status();
}

int64_t WorkLoop::games_held() const {
  MutexLock lock(&mutex_);
  return session_.queue().games_held();
}

bool WorkLoop::is_registered() const {
  MutexLock lock(&mutex_);
  return session_.is_registered();
}

}  // namespace triarch
