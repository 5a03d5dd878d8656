#include "worker/work_loop.h"

#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/status_macros.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kHeartbeatAtFirst{5'000};
constexpr milliseconds kBackOffMin{100};
constexpr milliseconds kBackOffMax{5'000};
// The loop looks around at least this often.
constexpr milliseconds kTick{1'000};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Errors that no waiting mends.
bool IsFinal(const absl::Status& status) {
  return absl::IsUnauthenticated(status) || absl::IsPermissionDenied(status);
}

// Errors of the way to the coordinator, or of the worker: not of what was asked for.
bool IsOfTheWay(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status) || absl::IsCancelled(status) || IsFinal(status);
}

std::string_view WordFor(ReportOutcome outcome) {
  switch (outcome) {
    case ReportOutcome::kRecorded:
      return "recorded";
    case ReportOutcome::kStale:
      return "stale";
    case ReportOutcome::kRejected:
      return "rejected";
    case ReportOutcome::kRetry:
      return "retry";
  }
  return "";
}

}  // namespace

WorkLoop::WorkLoop(const Options& options, std::unique_ptr<Spill> spill, CoordinatorClient* client,
                   PlayerMaker make_player, WorkerMetrics* metrics)
    : options_(options),
      client_(client),
      metrics_(metrics),
      queue_(options.queue, options.worker.id, std::move(spill)),
      random_(options.seed),
      shards_(options.worker) {
  slots_.emplace(
      options.worker.slots, [this] { return NextJob(); },
      [this](const Job& job, std::optional<GameRecord> record) { Finish(job, std::move(record)); },
      std::move(make_player),
      options_.gives_back
          ? Slots::Refuse([this](const Job& job, const absl::Status& why) { Refuse(job, why); })
          : nullptr);
  thread_ = std::jthread([this] { Run(); });
  transfers_ = std::jthread([this] { RunTransfers(); });
}

WorkLoop::~WorkLoop() {
  {
    MutexLock lock(&mutex_);
    is_leaving_ = true;
    is_ending_ = true;
    changed_.NotifyAll();
    has_job_.NotifyAll();
    has_transfer_.NotifyAll();
  }
  thread_.join();
  transfers_.join();
  // Answers that are still to come would find nobody, and may be long in coming.
  client_->Cancel();
  shards_.Stop();
  {
    MutexLock lock(&mutex_);
    while (calls_ > 0) changed_.Wait(&mutex_);
  }
  slots_.reset();
}

// ---- The slots.

std::optional<Job> WorkLoop::NextJob() {
  std::shared_ptr<const Schedule> schedule;
  LeaseQueue::Order order;
  {
    MutexLock lock(&mutex_);
    std::optional<LeaseQueue::Order> next;
    while (!is_leaving_ && !(next = queue_.Next())) has_job_.Wait(&mutex_);
    if (!next) return std::nullopt;
    order = *next;
    schedule = schedules_.at(order.tournament);
    if (queue_.WantsLease(Clock::now())) changed_.NotifyAll();
  }
  // An opening that is drawn takes a moment: not under the lock.
  return Job{
      .spec = schedule->Game(order.index), .tournament = order.tournament, .token = order.token};
}

void WorkLoop::Finish(const Job& job, std::optional<GameRecord> record) {
  if (record) metrics_->GamePlayed(job.spec, *record);
  const LeaseQueue::Order order{
      .token = job.token, .tournament = job.tournament, .index = job.spec.index};
  MutexLock lock(&mutex_);
  if (record) {
    queue_.Finish(order, *std::move(record), Clock::now());
    has_transfer_.NotifyOne();
  } else {
    queue_.Abandon(order);
  }
  const auto due = queue_.ReportDue();
  if (!report_.is_under_way && due && std::max(*due, report_.next) < wake_at_) {
    changed_.NotifyAll();
  }
}

// ---- The loop.

void WorkLoop::Run() {
  MutexLock lock(&mutex_);
  while (!is_ending_) {
    const Time now = Clock::now();
    if (slots_ && !slots_->status().ok()) Fail(slots_->status());
    Speak(now);
    NoteRoom();
    SetGauges();
    wake_at_ = NextTime(now);
    changed_.WaitUntil(&mutex_, wake_at_);
  }
}

void WorkLoop::RunTransfers() {
  mutex_.Lock();
  while (!is_ending_) {
    std::optional<LeaseQueue::Transfer> transfer = queue_.NextTransfer();
    if (!transfer) {
      has_transfer_.Wait(&mutex_);
      continue;
    }
    mutex_.Unlock();
    transfer->Run();
    mutex_.Lock();
    queue_.OnTransferEnd(*std::move(transfer));
    changed_.NotifyAll();
    // There is room; or games that cannot be read back are to be played again.
    has_job_.NotifyAll();
  }
  mutex_.Unlock();
}

void WorkLoop::Speak(Time now) {
  if (!status_.ok()) return;
  const auto may = [&](const CallState& call) { return !call.is_under_way && call.next <= now; };
  if (!is_registered_) {
    if (may(registration_)) Register();
    return;
  }
  if (may(heartbeat_)) SendHeartbeat();
  if (!is_leaving_ && !fetch_ && may(lease_) && queue_.WantsLease(now)) AskForLease();
  if (!is_leaving_ && fetch_ && may(fetching_)) FetchBundle();
  if (may(report_)) {
    if (const Report* const report = queue_.NextReport(now)) {
      const std::optional<int64_t> tournament = queue_.WantsShard();
      tournament ? MakeShard(*report, *tournament) : SendReport(*report);
    }
    has_transfer_.NotifyOne();  // it may be in the spill
  }
}

WorkLoop::Time WorkLoop::NextTime(Time now) const {
  Time next = now + kTick;
  const auto consider = [&](const CallState& call) {
    if (!call.is_under_way && call.next > now) next = std::min(next, call.next);
  };
  if (!is_registered_) {
    consider(registration_);
    return next;
  }
  consider(heartbeat_);
  consider(lease_);
  consider(fetching_);
  consider(report_);
  const auto due = queue_.ReportDue();
  if (due && !report_.is_under_way) {
    next = std::min(next, std::max({*due, report_.next, now + milliseconds(1)}));
  }
  return next;
}

void WorkLoop::Register() {
  registration_.is_under_way = true;
  ++calls_;
  client_->Register(options_.worker, [this](const absl::StatusOr<milliseconds>& reply) {
    MutexLock lock(&mutex_);
    if (Note(registration_, reply.status())) {
      is_registered_ = true;
      known_.clear();
      heartbeat_.next = lease_.next = report_.next = Clock::now();
      if (!trouble_.empty() || registration_.failures == 0) options_.log("connected");
      trouble_.clear();
    } else if (absl::IsFailedPrecondition(reply.status())) {
      Fail(reply.status());
    }
  });
}

void WorkLoop::AskForLease() {
  lease_.is_under_way = true;
  ++calls_;
  client_->RequestLease(options_.worker.id, known_,
                        [this](const absl::StatusOr<ArrivedLease>& arrived) {
                          MutexLock lock(&mutex_);
                          if (Note(lease_, arrived.status())) TakeLease(*arrived);
                        });
}

void WorkLoop::TakeLease(const ArrivedLease& arrived) {
  const Time now = Clock::now();
  lease_.next = now + arrived.reply.retry;
  if (!arrived.reply.lease) return;
  lease_.next = now;
  const Lease& lease = *arrived.reply.lease;
  if (!arrived.spec_json.empty()) {
    const absl::Status status = TakeSpec(lease.tournament, arrived.spec_json);
    if (!status.ok() && !options_.gives_back) return Fail(status);
    if (!status.ok()) return GiveBack(lease.token, std::string(status.message()));
  }
  if (!schedules_.contains(lease.tournament)) return;  // it will expire
  std::vector<NeededBundle> missing = MissingBundles(lease.tournament);
  if (missing.empty()) {
    AddLease(lease);
  } else if (options_.bundles == nullptr) {
    GiveBack(lease.token, "bot " + missing[0].bot + ": this worker fetches no bundles");
  } else {
    fetch_.emplace(lease, std::move(missing));
    fetching_.next = now;
  }
}

void WorkLoop::AddLease(const Lease& lease) {
  const auto& selfplay = schedules_.at(lease.tournament)->spec().selfplay;
  queue_.Add(lease, Clock::now(), selfplay ? selfplay->shard_samples : 0);
  has_job_.NotifyAll();
}

absl::Status WorkLoop::TakeSpec(int64_t tournament, const std::string& json) {
  ASSIGN_OR_RETURN(const TournamentSpec spec, SpecFromJson(json));
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(spec));
  schedules_[tournament] = std::make_shared<const Schedule>(std::move(schedule));
  needed_[tournament] = NeededBundles(spec);
  known_.push_back(tournament);
  return absl::OkStatus();
}

// ---- Bundles.

std::vector<NeededBundle> WorkLoop::MissingBundles(int64_t tournament) {
  std::vector<NeededBundle> missing = needed_[tournament];
  if (options_.bundles != nullptr) {
    std::erase_if(missing,
                  [&](const NeededBundle& one) { return options_.bundles->Has(one.digest); });
  }
  return missing;
}

void WorkLoop::KeepNeededBundles() {
  std::set<int64_t> tournaments = queue_.tournaments();
  tournaments.insert(fetch_->lease().tournament);
  std::set<std::string> digests;
  for (const int64_t tournament : tournaments) {
    for (const NeededBundle& one : needed_[tournament]) digests.insert(one.digest);
  }
  options_.bundles->KeepOnly(digests);
}

void WorkLoop::FetchBundle() {
  fetching_.is_under_way = true;
  ++calls_;
  client_->Fetch(options_.worker.id, fetch_->next().digest, fetch_->offset(),
                 [this](const absl::StatusOr<BundlePart>& part) { TakeBundlePart(part); });
}

// While the call is under way nobody else touches the fetch but to cancel its lease; then nothing
// more is asked for.
void WorkLoop::TakeBundlePart(const absl::StatusOr<BundlePart>& part) {
  absl::Status fault;  // of the bundle, not of the way to the coordinator
  NeededBundle whole;
  std::string tar;
  {
    MutexLock lock(&mutex_);
    if (fetch_->is_cancelled()) {
      fetch_.reset();
      Note(fetching_, absl::OkStatus());
      return;
    }
    if (part.ok()) fault = fetch_->Add(*part);
    if (!part.ok() && !IsOfTheWay(part.status())) fault = part.status();
    if (fault.ok() && fetch_->is_whole()) {
      whole = fetch_->next();
      tar = fetch_->tar();
      KeepNeededBundles();
    }
  }
  if (!tar.empty()) fault = options_.bundles->Put(whole.digest, tar);
  MutexLock lock(&mutex_);
  const bool is_answered = Note(fetching_, fault.ok() ? part.status() : absl::OkStatus());
  if (fetch_->is_cancelled()) {
    fetch_.reset();
  } else if (!is_answered) {
    return;
  } else if (!fault.ok()) {
    const std::string why =
        "bot " + fetch_->next().bot + ": its bundle: " + std::string(fault.message());
    GiveBack(fetch_->lease().token, why);
    fetch_.reset();
  } else if (!tar.empty() && fetch_->Finish()) {
    AddLease(fetch_->lease());
    fetch_.reset();
  }
}

void WorkLoop::Refuse(const Job& job, const absl::Status& status) {
  MutexLock lock(&mutex_);
  if (is_leaving_) return;  // the lease goes back with all others, or expires
  const std::vector<uint64_t> tokens = queue_.tokens();
  // Of a lease that several slots refuse, one gives it back.
  if (std::find(tokens.begin(), tokens.end(), job.token) == tokens.end()) return;
  Cancel(job.token);
  GiveBack(job.token, std::string(status.message()));
}

void WorkLoop::GiveBack(uint64_t token, const std::string& why) {
  options_.log("cannot play: " + why);
  ++calls_;
  client_->Refuse(options_.worker.id, token, why, [this](const absl::Status&) {
    MutexLock lock(&mutex_);
    --calls_;
    changed_.NotifyAll();
  });
}

void WorkLoop::SendHeartbeat() {
  heartbeat_.is_under_way = true;
  const Time now = Clock::now();
  heartbeat_.next = now + kHeartbeatAtFirst;
  ++calls_;
  HeartbeatRequest heartbeat = queue_.MakeHeartbeat(now);
  heartbeat.busy_slots = slots_ ? slots_->busy() : 0;
  heartbeat.cpu_seconds = CpuSeconds();
  if (fetch_ && !fetch_->is_cancelled()) {
    heartbeat.leases.push_back({.token = fetch_->lease().token});
  }
  client_->Heartbeat(heartbeat, [this](const absl::StatusOr<HeartbeatReply>& reply) {
    MutexLock lock(&mutex_);
    queue_.OnHeartbeatEnd(Clock::now());
    if (Note(heartbeat_, reply.status())) TakeHeartbeatReply(*reply);
  });
}

void WorkLoop::TakeHeartbeatReply(const HeartbeatReply& reply) {
  const Time now = Clock::now();
  heartbeat_.next = now + std::max(reply.next, milliseconds(10));
  if (reply.slow.count() > 0) report_.next = std::max(report_.next, now + reply.slow);
  for (const uint64_t token : reply.cancelled) Cancel(token);
}

void WorkLoop::MakeShard(const Report& report, int64_t tournament) {
  report_.is_under_way = true;
  ++calls_;
  shards_.Make(tournament, schedules_.at(tournament), report.games,
               [this](const absl::StatusOr<ShardEntry>& shard) { TakeShard(shard); });
}

void WorkLoop::TakeShard(const absl::StatusOr<ShardEntry>& shard) {
  MutexLock lock(&mutex_);
  if (is_ending_) {
    --calls_;
    return changed_.NotifyAll();
  }
  metrics_->ShardMade(shard.ok(), shard.ok() ? shard->samples : 0);
  if (shard.ok()) {
    if (!data_trouble_.empty()) options_.log("data can be stored again");
    data_trouble_.clear();
    queue_.SetShard(*shard, Clock::now());
    --calls_;
    return SendReport(queue_.report());
  }
  // What cannot be packed, and a place where this worker may not write: others may do better. The
  // operator sees why.
  if (absl::IsDataLoss(shard.status()) || absl::IsPermissionDenied(shard.status())) {
    return GiveUpReport(shard.status());
  }
  // Whoever plays for himself wants to know at once; a worker of many waits for it to be mended.
  if (!options_.gives_back && !absl::IsUnavailable(shard.status())) Fail(shard.status());
  queue_.OnNoShard(Clock::now());
  has_job_.NotifyAll();  // its lease may have ended meanwhile: then there is room
  report_.is_under_way = false;
  --calls_;
  changed_.NotifyAll();
  const std::string trouble(shard.status().message());
  if (trouble != data_trouble_) options_.log("data: " + trouble);
  data_trouble_ = trouble;
}

void WorkLoop::GiveUpReport(const absl::Status& status) {
  const uint64_t token = queue_.report().token;
  if (!options_.gives_back) Fail(status);
  ReportReply lost;
  lost.outcome = ReportOutcome::kStale;
  lost.is_cancelled = true;
  queue_.OnReply(lost, Clock::now());
  Cancel(token);
  Note(report_, absl::OkStatus());
  GiveBack(token, std::string(status.message()));
}

void WorkLoop::SendReport(const Report& report) {
  report_.is_under_way = true;
  ++calls_;
  const auto games = static_cast<int64_t>(report.games.size());
  const uint64_t token = report.token;
  client_->Send(report, [this, games, token](const absl::StatusOr<ReportReply>& reply) {
    MutexLock lock(&mutex_);
    ReportReply answer;
    answer.outcome = ReportOutcome::kRetry;
    if (reply.ok()) {
      answer = *reply;
    } else if (absl::IsInvalidArgument(reply.status())) {
      answer.outcome = ReportOutcome::kRejected;
      answer.why = std::string(reply.status().message());
      answer.is_cancelled = true;
    }
    Note(report_, absl::IsInvalidArgument(reply.status()) ? absl::OkStatus() : reply.status());
    TakeReportReply(answer, games);
    if (answer.is_cancelled) Cancel(token);
  });
}

void WorkLoop::TakeReportReply(const ReportReply& reply, int64_t games) {
  metrics_->Reported(WordFor(reply.outcome), games);
  if (reply.outcome == ReportOutcome::kRejected)
    options_.log("a report was rejected: " + reply.why);
  queue_.OnReply(reply, Clock::now());
  // There may be room again.
  has_job_.NotifyAll();
}

bool WorkLoop::Note(CallState& call, const absl::Status& status) {
  call.is_under_way = false;
  --calls_;
  changed_.NotifyAll();
  if (status.ok()) {
    call.failures = 0;
    return true;
  }
  if (IsFinal(status)) Fail(status);
  if (absl::IsNotFound(status)) is_registered_ = false;
  const std::string trouble(status.message());
  if (trouble != trouble_ && !is_leaving_) options_.log("coordinator: " + trouble);
  trouble_ = trouble;
  // Doubling, and somewhere between half of it and all of it.
  const auto most = std::min(kBackOffMax, kBackOffMin * (1 << std::min(call.failures, 10)));
  ++call.failures;
  const auto jitter =
      static_cast<int64_t>(random_.Below(static_cast<uint32_t>(most.count() / 2 + 1)));
  call.next = Clock::now() + most / 2 + milliseconds(jitter);
  return false;
}

void WorkLoop::Cancel(uint64_t token) {
  queue_.Cancel(token);
  has_job_.NotifyAll();  // there may be room again
  if (fetch_ && fetch_->lease().token == token) {
    if (fetching_.is_under_way) {
      fetch_->Cancel();
    } else {
      fetch_.reset();
    }
  }
  if (slots_) slots_->Abandon([token](const Job& job) { return job.token == token; });
}

void WorkLoop::Fail(const absl::Status& status) {
  status_.Update(status);
  is_leaving_ = true;
  has_job_.NotifyAll();
  changed_.NotifyAll();
}

void WorkLoop::NoteRoom() {
  const int64_t held = queue_.games_held();
  if (held_when_full_ == 0 && queue_.is_full()) {
    held_when_full_ = held;
    const absl::Status& spill = queue_.spill_status();
    options_.log("no room for more finished games than " + std::to_string(held) +
                 ": none is begun until a coordinator takes some" +
                 (spill.ok() ? "" : "; spill: " + std::string(spill.message())));
  } else if (held_when_full_ > 0 && held <= held_when_full_ / 2) {
    held_when_full_ = 0;
    options_.log("there is room for finished games again");
  }
}

void WorkLoop::SetGauges() {
  metrics_->Set({.slots = options_.worker.slots,
                 .busy_slots = slots_ ? slots_->busy() : 0,
                 .leases = static_cast<int64_t>(queue_.tokens().size()),
                 .games_open = queue_.games_open(),
                 .games_held = queue_.games_held(),
                 .is_connected = is_registered_ && trouble_.empty(),
                 .is_full = queue_.is_full()});
}

// ---- The end.

void WorkLoop::Leave(milliseconds patience) {
  const Time deadline = Clock::now() + patience;
  MutexLock lock(&mutex_);
  is_leaving_ = true;
  queue_.Flush();
  has_job_.NotifyAll();
  slots_->Abandon([](const Job&) { return true; });
  while (is_registered_ && status_.ok() && (queue_.games_held() > 0 || slots_->busy() > 0)) {
    if (!changed_.WaitUntil(&mutex_, std::min(deadline, Clock::now() + milliseconds(50))) &&
        Clock::now() >= deadline) {
      return;
    }
  }
  if (!is_registered_) return;
  bool is_answered = false;
  ++calls_;
  client_->Leave(options_.worker.id, [this, &is_answered](const absl::Status&) {
    MutexLock own(&mutex_);
    --calls_;
    is_answered = true;
    changed_.NotifyAll();
  });
  while (!is_answered && Clock::now() < deadline) changed_.WaitUntil(&mutex_, deadline);
  if (!is_answered) client_->Cancel();
  while (!is_answered) changed_.Wait(&mutex_);
}

absl::Status WorkLoop::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

int64_t WorkLoop::games_held() const {
  MutexLock lock(&mutex_);
  return queue_.games_held();
}

bool WorkLoop::is_registered() const {
  MutexLock lock(&mutex_);
  return is_registered_;
}

}  // namespace triarch
