#include "worker/session/worker_session.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

constexpr size_t kTroublesMax = 20;

LeaseQueue::Options QueueOptions(const WorkerSession::Options& options) {
  LeaseQueue::Options queue = options.queue;
  queue.slots = options.worker.slots;
  return queue;
}

}  // namespace

WorkerSession::WorkerSession(const Options& options, std::unique_ptr<Spill> spill)
    : options_(options),
      connection_(options.addresses, options.queue.retry, DeriveSeed(options.queue.seed, 1)),
      queue_(QueueOptions(options), options.worker.id, std::move(spill)) {}

// ---- Actions.

std::optional<session::Action> WorkerSession::Next(Time now) {
  if (actions_.empty()) {
    LogRoom();
    Decide(now);
  }
  if (actions_.empty()) return std::nullopt;
  session::Action action = std::move(actions_.front());
  actions_.pop_front();
  return action;
}

void WorkerSession::Decide(Time now) {
  if (MaySayGoodbye()) actions_.push_back(session::Leave{connection_.Begin(leaving_)});
  if (!status_.ok() || has_left_) return;
  if (!is_registered()) {
    if (registration_.may_begin(now))
      actions_.push_back(session::Register{connection_.Begin(registration_)});
    return;
  }
  if (heartbeat_.may_begin(now)) BeginHeartbeat(now);
  if (!refusals_.empty() && refusing_.may_begin(now)) {
    Refusal& refusal = refusals_.front();
    actions_.push_back(
        session::RefuseLease{connection_.Begin(refusing_), refusal.token, std::move(refusal.why)});
    refusals_.pop_front();
  }
  if (lease_.may_begin(now) && WantsLease(now)) {
    actions_.push_back(session::RequestLease{connection_.Begin(lease_), known_});
  }
  if (fetch_ && fetching_.may_begin(now) && !is_leaving_) ContinueFetch(now);
  DecideReport(now);
}

void WorkerSession::DecideReport(Time now) {
  if (is_shard_ready_) {
    is_shard_ready_ = false;
    actions_.push_back(session::SendReport{connection_.Begin(report_), &queue_.report()});
    return;
  }
  if (!report_.may_begin(now)) return;
  const Report* const report = queue_.NextReport(now);
  if (report == nullptr) return;
  const size_t address = connection_.Begin(report_);
  if (const std::optional<int64_t> tournament = queue_.WantsShard()) {
    actions_.push_back(session::MakeShard{*tournament, report});
  } else {
    actions_.push_back(session::SendReport{address, report});
  }
}

void WorkerSession::BeginHeartbeat(Time now) {
  HeartbeatRequest heartbeat = queue_.MakeHeartbeat(now);
  if (fetch_ && !fetch_->is_cancelled()) {
    heartbeat.leases.push_back({.token = fetch_->lease().token});
  }
  actions_.push_back(session::SendHeartbeat{connection_.Begin(heartbeat_), std::move(heartbeat)});
}

bool WorkerSession::WantsLease(Time now) const {
  return !is_leaving_ && !fetch_ && queue_.WantsLease(now);
}

WorkerSession::Time WorkerSession::NextTime(Time now) const {
  if (!actions_.empty() || MaySayGoodbye()) return now;
  if (has_left_) return Time::max();
  Time next = leave_by_;
  if (!status_.ok()) return next;
  const auto consider = [&](const Call& call, Time time) {
    if (!call.is_under_way) next = std::min(next, std::max({call.next, time, now}));
  };
  if (!is_registered()) {
    consider(registration_, now);
    return next;
  }
  consider(heartbeat_, now);
  if (!refusals_.empty()) consider(refusing_, now);
  if (WantsLease(now)) consider(lease_, now);
  if (fetch_ && !is_leaving_) consider(fetching_, now);
  if (is_shard_ready_) return now;
  if (const std::optional<Time> due = queue_.ReportDue()) consider(report_, *due);
  return next;
}

bool WorkerSession::End(Call& call, const absl::Status& status, Time now) {
  const std::string before = connection_.trouble();
  if (connection_.End(call, status, now)) return true;
  if (IsFinal(status)) Fail(status);
  // Several addresses take turns with their errors.
  if (connection_.trouble() != before && !is_leaving_ && troubles_.size() < kTroublesMax &&
      troubles_.insert(connection_.trouble()).second) {
    Log(Warning("coordinator", "Calls to a coordinator fail.", connection_.trouble()));
  }
  return false;
}

void WorkerSession::LogConnected() {
  Log({.event = "coordinator", .message = "A coordinator answers."});
  connection_.ClearTrouble();
  troubles_.clear();
}

// ---- Registration, leases, heartbeats.

void WorkerSession::OnRegistered(const absl::Status& status, Time now) {
  if (!End(registration_, status, now)) {
    if (absl::IsFailedPrecondition(status)) Fail(status);
    return;
  }
  connection_.OnRegistered();
  known_.clear();
  heartbeat_.next = lease_.next = report_.next = now;
  LogConnected();
}

void WorkerSession::OnLease(const absl::StatusOr<LeaseArrival>& arrival, Time now) {
  if (!End(lease_, arrival.status(), now)) return;
  lease_.next = now + arrival->reply.retry;
  if (!arrival->reply.lease) return;
  lease_.next = now;
  const Lease& lease = *arrival->reply.lease;
  if (arrival->needs) {
    if (!arrival->needs->ok()) return CannotPlay(lease.token, arrival->needs->status());
    tournaments_[lease.tournament] = **arrival->needs;
    known_.push_back(lease.tournament);
  }
  const auto tournament = tournaments_.find(lease.tournament);
  if (tournament == tournaments_.end()) {
    return CannotPlay(lease.token, absl::InvalidArgumentError("its tournament's spec is missing"));
  }
  const PlayNeeds& needs = tournament->second;
  if (needs.bundles.empty() && needs.data.empty()) return AddLease(lease, now);
  fetch_.emplace(lease, needs.bundles);
  fetching_.next = now;
}

void WorkerSession::AddLease(const Lease& lease, Time now) {
  queue_.Add(lease, now, tournaments_.at(lease.tournament).shard_samples);
}

void WorkerSession::OnHeartbeat(const absl::StatusOr<HeartbeatReply>& reply, Time now) {
  queue_.OnHeartbeatEnd(now);
  if (!End(heartbeat_, reply.status(), now)) return;
  if (!connection_.trouble().empty()) LogConnected();
  heartbeat_.next = now + std::max(reply->next, std::chrono::milliseconds(10));
  if (reply->slow.count() > 0) report_.next = std::max(report_.next, now + reply->slow);
  for (const uint64_t token : reply->cancelled) Cancel(token);
}

// ---- Reports and shards.

ReportOutcome WorkerSession::OnReport(const absl::StatusOr<ReportReply>& reply, Time now) {
  ReportReply answer;
  const bool is_invalid = absl::IsInvalidArgument(reply.status());
  if (reply.ok()) {
    answer = *reply;
  } else if (is_invalid) {
    answer.outcome = ReportOutcome::kRejected;
    answer.why = std::string(reply.status().message());
    answer.is_cancelled = true;
  } else {
    answer.outcome = ReportOutcome::kRetry;
  }
  End(report_, is_invalid ? absl::OkStatus() : reply.status(), now);
  if (answer.outcome == ReportOutcome::kRejected) {
    Log(Warning("report", "A report was rejected.", answer.why));
  }
  const uint64_t token = queue_.report().token;
  queue_.OnReply(answer, now);
  if (answer.is_cancelled) Cancel(token);
  return answer.outcome;
}

void WorkerSession::OnShard(const absl::StatusOr<ShardEntry>& shard, Time now) {
  report_.is_under_way = false;
  if (shard.ok()) {
    if (!data_trouble_.empty()) {
      Log({.event = "data", .message = "Samples can be stored again."});
    }
    data_trouble_.clear();
    queue_.SetShard(*shard, now);
    is_shard_ready_ = true;
    report_.is_under_way = true;
    return;
  }
  const absl::Status& why = shard.status();
  // The samples cannot be packed, or this worker may not write to the location. Another worker may
  // succeed, and the operator sees the reason.
  if (absl::IsDataLoss(why) || absl::IsPermissionDenied(why)) return GiveUpReport(why, now);
  // A worker in a cluster waits until the location works again; a single one reports the error
  // immediately.
  if (!options_.gives_back && !absl::IsUnavailable(why)) Fail(why);
  queue_.OnNoShard(now);
  const std::string trouble(why.message());
  if (trouble != data_trouble_) Log(Warning("data", "Samples cannot be stored.", trouble));
  data_trouble_ = trouble;
}

void WorkerSession::GiveUpReport(const absl::Status& why, Time now) {
  const uint64_t token = queue_.report().token;
  ReportReply lost;
  lost.outcome = ReportOutcome::kStale;
  lost.is_cancelled = true;
  queue_.OnReply(lost, now);
  Cancel(token);
  CannotPlay(token, why);
}

// ---- Bundles.

void WorkerSession::ContinueFetch(Time now) {
  if (!fetch_->is_checked()) {
    connection_.Begin(fetching_);
    const PlayNeeds& needs = tournaments_.at(fetch_->lease().tournament);
    actions_.push_back(session::CheckNeeds{needs.bundles, needs.data});
  } else if (fetch_->is_done()) {
    const Lease lease = fetch_->lease();
    fetch_.reset();
    AddLease(lease, now);
  } else if (fetch_->is_whole()) {
    connection_.Begin(fetching_);
    actions_.push_back(
        session::StoreBundle{fetch_->next().digest, fetch_->TakeTar(), BundlesInUse()});
  } else {
    actions_.push_back(session::FetchBundle{connection_.Begin(fetching_), fetch_->next().digest,
                                            fetch_->offset()});
  }
}

std::set<std::string> WorkerSession::BundlesInUse() const {
  std::set<int64_t> tournaments = queue_.tournaments();
  tournaments.insert(fetch_->lease().tournament);
  std::set<std::string> digests;
  for (const int64_t tournament : tournaments) {
    for (const NeededBundle& one : tournaments_.at(tournament).bundles) digests.insert(one.digest);
  }
  return digests;
}

bool WorkerSession::DropCancelledFetch() {
  if (fetch_->is_cancelled()) fetch_.reset();
  return !fetch_.has_value();
}

void WorkerSession::OnNeedsChecked(const absl::StatusOr<std::vector<NeededBundle>>& missing,
                                   Time now) {
  End(fetching_, absl::OkStatus(), now);
  if (DropCancelledFetch()) return;
  if (!missing.ok()) return RefuseFetch(missing.status());
  fetch_->SetMissing(*missing);
  if (!missing->empty() && !options_.can_fetch_bundles) {
    return RefuseFetch(absl::FailedPreconditionError("bot " + missing->front().bot +
                                                     ": this worker fetches no bundles"));
  }
  if (fetch_->is_done()) ContinueFetch(now);
}

void WorkerSession::OnBundlePart(const absl::StatusOr<BundlePart>& part, Time now) {
  absl::Status fault;  // error of the bundle, not of the connection
  if (part.ok()) {
    fault = fetch_->Add(*part);
  } else if (!IsOfConnection(part.status())) {
    fault = part.status();
  }
  End(fetching_, fault.ok() ? part.status() : absl::OkStatus(), now);
  if (!DropCancelledFetch() && !fault.ok()) RefuseBundle(fault);
}

void WorkerSession::OnBundleStored(const absl::Status& status, Time now) {
  End(fetching_, absl::OkStatus(), now);
  if (DropCancelledFetch()) return;
  if (!status.ok()) return RefuseBundle(status);
  fetch_->OnStored();
}

void WorkerSession::RefuseFetch(const absl::Status& why) {
  const uint64_t token = fetch_->lease().token;
  fetch_.reset();
  CannotPlay(token, why);
}

void WorkerSession::RefuseBundle(const absl::Status& why) {
  const std::string text =
      "bot " + fetch_->next().bot + ": its bundle: " + std::string(why.message());
  RefuseFetch(absl::Status(why.code(), text));
}

// ---- Play.

std::optional<WorkerSession::Game> WorkerSession::NextGame() {
  if (is_leaving_) return std::nullopt;
  const std::optional<Game> game = queue_.Next();
  if (game) ++playing_;
  return game;
}

void WorkerSession::OnGameEnd(const Game& game, std::optional<GameRecord> record, Time now) {
  --playing_;
  if (record) {
    queue_.Finish(game, *std::move(record), now);
  } else {
    queue_.Abandon(game);
  }
}

void WorkerSession::OnGameRefused(const Game& game, const absl::Status& why) {
  --playing_;
  // The first slot that refuses a game refuses the lease for all slots. A worker that leaves
  // returns the lease with the others.
  if (is_leaving_ || queue_.IsOver(game)) return;
  Cancel(game.token);
  if (options_.gives_back) return CannotPlay(game.token, why);
  Fail(absl::Status(why.code(),
                    "game " + std::to_string(game.index + 1) + ": " + std::string(why.message())));
}

void WorkerSession::CannotPlay(uint64_t token, const absl::Status& why) {
  if (!options_.gives_back) return Fail(why);
  Log(Warning("tournament", "A tournament cannot be played here.", std::string(why.message())));
  refusals_.push_back({.token = token, .why = std::string(why.message())});
}

// A lost refusal is not repeated: heartbeats no longer name the lease, so it expires.
void WorkerSession::OnRefused(const absl::Status& status, Time now) { End(refusing_, status, now); }

void WorkerSession::Cancel(uint64_t token) {
  queue_.Cancel(token);
  actions_.push_back(session::AbandonGames{token});
  if (!fetch_ || fetch_->lease().token != token) return;
  fetch_->Cancel();
  if (!fetching_.is_under_way) fetch_.reset();
}

void WorkerSession::LogRoom() {
  const int64_t held = queue_.games_held();
  if (held_when_full_ == 0 && queue_.is_full()) {
    held_when_full_ = held;
    const absl::Status& spill = queue_.spill_status();
    LogEntry entry = Warning("room",
                             "There is no room for more finished games. No game is started until a "
                             "coordinator takes some.",
                             std::string(spill.message()));
    entry.fields.push_back({"held", held});
    Log(std::move(entry));
  } else if (held_when_full_ > 0 && held <= held_when_full_ / 2) {
    held_when_full_ = 0;
    Log({.event = "room", .message = "There is room for finished games again."});
  }
}

// ---- The end.

void WorkerSession::Fail(const absl::Status& status) {
  status_.Update(status);
  is_leaving_ = true;
}

void WorkerSession::Leave(Time deadline) {
  is_leaving_ = true;
  leave_by_ = deadline;
  queue_.Flush();
  actions_.push_back(session::AbandonGames{});
}

bool WorkerSession::MaySayGoodbye() const {
  if (leave_by_ == Time::max() || has_left_ || leaving_.is_under_way || !is_registered()) {
    return false;
  }
  return !status_.ok() || is_played_out();
}

void WorkerSession::OnLeft() {
  leaving_.is_under_way = false;
  has_left_ = true;
}

bool WorkerSession::HasLeft(Time now) const {
  if (has_left_ || now >= leave_by_) return true;
  // There is no coordinator to report to and nothing to report.
  return leave_by_ != Time::max() && !is_registered() && (!status_.ok() || is_played_out());
}

}  // namespace triarch
