#include "worker/session/lease_queue.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kRateWindow{1};

}  // namespace

LeaseQueue::LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill)
    : options_(options),
      worker_(std::move(worker)),
      random_(options.seed),
      held_({.batch_plies = options.report_plies,
             .memory_plies_max = options.memory_plies_max,
             .spill_plies_max = options.spill_plies_max},
            std::move(spill)),
      report_size_({.plies_max = options.report_plies,
                    .plies_first = options.report_plies_first,
                    .slow = options.slow}),
      rate_(kRateWindow) {}

// ---- From the coordinator.

void LeaseQueue::Add(const Lease& lease, Time now, int64_t shard_samples) {
  if (lease.games.size() <= 0 || leases_.contains(lease.token)) return;
  // Time without games does not count toward the rate.
  if (leases_.empty()) rate_.Start(now);
  Entry& entry = leases_[lease.token];
  entry.lease = lease;
  entry.shard_samples = shard_samples;
  entry.next = lease.games.first;
  held_.Open(lease.token, shard_samples);
  report_size_.set_ttl(lease.ttl);
}

void LeaseQueue::Cancel(uint64_t token) {
  if (leases_.erase(token) == 0) return;
  games_lost_ += held_.Close(token);
  if (report_ && report_->token == token) is_report_dropped_ = true;
}

// ---- For the slots.

std::optional<LeaseQueue::Order> LeaseQueue::Next() {
  if (held_.must_wait()) return std::nullopt;
  for (auto& [token, entry] : leases_) {
    Order order{.token = token, .tournament = entry.lease.tournament, .index = 0, .match = {}};
    if (!entry.given_back.empty()) {
      order.index = entry.given_back.front();
      entry.given_back.pop_front();
    } else if (entry.next < entry.lease.games.last) {
      order.index = entry.next++;
    } else {
      continue;
    }
    ++entry.in_flight;
    const PlannedMatch* const match = FindMatch(entry.lease.matches, order.index);
    if (match != nullptr) order.match = *match;
    return order;
  }
  return std::nullopt;
}

void LeaseQueue::Finish(const Order& order, GameRecord record, Time now) {
  const auto lease = leases_.find(order.token);
  if (lease == leases_.end()) {
    ++games_lost_;
    return;
  }
  rate_.Add(1, now);
  Entry& entry = lease->second;
  --entry.in_flight;
  ++entry.finished;
  entry.finished_plies += record.plies;
  held_.Add(order.token, std::move(record), now);
}

void LeaseQueue::Abandon(const Order& order) {
  const auto lease = leases_.find(order.token);
  if (lease == leases_.end()) return;
  --lease->second.in_flight;
  lease->second.given_back.push_back(order.index);
}

// ---- Reports.

bool LeaseQueue::WantsLease(Time) const {
  if (is_full()) return false;
  const double ahead = rate_.per_second().value_or(0) * Seconds(options_.ahead).count();
  return static_cast<double>(games_open()) < std::max(ahead, static_cast<double>(options_.slots));
}

bool LeaseQueue::IsDue(const Entry& entry, Time now) const {
  const uint64_t token = entry.lease.token;
  const std::deque<HeldGames::Batch>& held = held_.Of(token);
  if (held.empty() || held_.IsOldestMoving(token)) return false;
  // Games that were restored from the spill for a report stay due, even if they do not fill a
  // shard.
  if (is_flushing_ || held_.wanted() == token) return true;
  const HeldGames::Batch& oldest = held.front();
  if (entry.is_played_out() || held.size() > 1 || oldest.spilled) return true;
  if (entry.shard_samples > 0) return held_.IsOldestWhole(token);
  return oldest.plies >= report_size_.plies_max() || now - oldest.since >= options_.report_after;
}

const Report* LeaseQueue::NextReport(Time now) {
  if (report_ || now < retry_at_) return nullptr;
  for (const auto& [token, entry] : leases_) {
    if (report_ || now < entry.shard_at || !IsDue(entry, now)) continue;
    if (!held_.Of(token).front().spilled) {
      FillReport(entry, now);
    } else if (!held_.wanted()) {
      held_.Want(token);  // games of other leases in memory need not wait for it
    }
  }
  return report_ ? &*report_ : nullptr;
}

void LeaseQueue::FillReport(const Entry& entry, Time now) {
  HeldGames::Batch batch = held_.Take(entry.lease.token, report_size_.plies_max());
  report_plies_ = batch.plies;
  report_since_ = batch.since;
  report_ = Report{.worker = worker_,
                   .token = entry.lease.token,
                   .games = std::move(batch.games),
                   .shard = std::move(batch.shard),
                   .is_last = entry.is_played_out() && held_.Of(entry.lease.token).empty()};
  report_size_.OnReportDue();
  if (!WantsShard()) report_size_.OnReportSent(now);
}

std::optional<LeaseQueue::Time> LeaseQueue::ReportDue() const {
  if (report_) return std::nullopt;
  std::optional<Time> due;
  for (const auto& [token, entry] : leases_) {
    // A batch that is moving becomes due when it arrives. A batch that waits to be moved cannot be
    // due before that.
    const std::deque<HeldGames::Batch>& held = held_.Of(token);
    if (held.empty() || held_.IsOldestMoving(token)) continue;
    if (held.front().spilled && held_.wanted()) continue;
    Time at = held.front().since;
    if (!IsDue(entry, at)) {
      if (entry.shard_samples > 0) continue;  // only another game can make it due
      at += options_.report_after;
    }
    at = std::max(at, entry.shard_at);
    if (!due || at < *due) due = at;
  }
  if (due) due = std::max(*due, retry_at_);
  return due;
}

std::optional<int64_t> LeaseQueue::WantsShard() const {
  if (!report_ || report_->shard) return std::nullopt;
  const auto lease = leases_.find(report_->token);
  if (lease == leases_.end() || lease->second.shard_samples == 0) return std::nullopt;
  return lease->second.lease.tournament;
}

void LeaseQueue::SetShard(const ShardEntry& shard, Time now) {
  CHECK(report_.has_value());
  report_size_.OnReportSent(now);
  if (const auto lease = leases_.find(report_->token); lease != leases_.end()) {
    lease->second.shard_backoff.Reset();
  }
  report_->shard = shard;
  for (GameRecord& game : report_->games) {
    const int64_t weight = HeldGames::WeightOf(game);
    game.samples.reset();
    const int64_t freed = weight - HeldGames::WeightOf(game);
    held_.Free(freed);
    report_plies_ -= freed;
  }
}

void LeaseQueue::OnNoShard(Time now) {
  CHECK(report_.has_value());
  if (is_report_dropped_) {
    ReportReply stale;
    stale.outcome = ReportOutcome::kStale;
    return OnReply(stale, now);
  }
  Entry& entry = leases_.at(report_->token);
  HoldReport();
  entry.shard_at = now + entry.shard_backoff.Next(options_.retry, random_);
}

void LeaseQueue::HoldReport() {
  HeldGames::Batch batch;
  batch.games = std::move(report_->games);
  batch.shard = std::move(report_->shard);
  batch.plies = report_plies_;
  batch.since = report_since_;
  held_.PutBack(report_->token, std::move(batch));
  report_.reset();
}

void LeaseQueue::OnReply(const ReportReply& reply, Time now) {
  CHECK(report_.has_value());
  report_size_.OnReportEnd(reply.outcome, report_plies_, now);
  const uint64_t token = report_->token;
  const bool is_kept = reply.outcome == ReportOutcome::kRetry && !is_report_dropped_;
  if (is_kept && !reply.is_cancelled) {
    HoldReport();
    retry_at_ = now + std::max(backoff_.Next(options_.retry, random_), reply.retry);
    return;
  }
  backoff_.Reset();
  const auto games = static_cast<int64_t>(report_->games.size());
  const bool is_recorded = reply.outcome == ReportOutcome::kRecorded;
  (is_recorded ? games_recorded_ : games_lost_) += games;
  held_.Free(report_plies_);
  held_.ClearSpillStatus();
  report_.reset();
  is_report_dropped_ = false;
  if (reply.is_cancelled || !is_recorded) return Cancel(token);
  const auto lease = leases_.find(token);
  if (lease != leases_.end() && lease->second.is_played_out() && held_.Of(token).empty()) {
    Cancel(token);  // the lease is finished
  }
}

// ---- Heartbeats and the spill.

HeartbeatRequest LeaseQueue::MakeHeartbeat(Time now) {
  report_size_.OnHeartbeatSent(now);
  HeartbeatRequest heartbeat;
  heartbeat.worker = worker_;
  heartbeat.games_held = games_held();
  for (const auto& [token, entry] : leases_) {
    heartbeat.leases.push_back(
        {.token = token, .games = entry.finished, .plies = entry.finished_plies});
  }
  return heartbeat;
}

void LeaseQueue::OnTransferEnd(Transfer transfer) {
  const std::optional<HeldGames::Loss> loss = held_.OnTransferEnd(std::move(transfer));
  if (!loss) return;
  // The lost games must be played again.
  Entry& entry = leases_.at(loss->token);
  entry.finished -= static_cast<int64_t>(loss->indices.size());
  entry.given_back.insert(entry.given_back.end(), loss->indices.begin(), loss->indices.end());
}

// ---- State.

int64_t LeaseQueue::games_open() const {
  int64_t games = 0;
  for (const auto& [token, entry] : leases_) {
    games += entry.lease.games.last - entry.next + static_cast<int64_t>(entry.given_back.size());
  }
  return games;
}

int64_t LeaseQueue::games_held() const {
  return held_.count() + (report_ ? static_cast<int64_t>(report_->games.size()) : 0);
}

std::set<int64_t> LeaseQueue::tournaments() const {
  std::set<int64_t> tournaments;
  for (const auto& [token, entry] : leases_) tournaments.insert(entry.lease.tournament);
  return tournaments;
}

std::vector<uint64_t> LeaseQueue::tokens() const {
  std::vector<uint64_t> tokens;
  for (const auto& [token, entry] : leases_) tokens.push_back(token);
  return tokens;
}

}  // namespace triarch
