#include "worker/lease/lease_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

constexpr milliseconds kRetryMin{100};
constexpr milliseconds kRetryMax{5'000};
constexpr Seconds kRateWindow{1};

// What a record weighs, in plies: one without moves takes memory too.
int64_t WeightOf(const GameRecord& game) {
  constexpr int64_t kPliesPerGame = 16;
  return game.plies + kPliesPerGame;
}

}  // namespace

LeaseQueue::LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill)
    : options_(options),
      worker_(std::move(worker)),
      spill_(std::move(spill)),
      random_(options.seed) {}

// ---- From the coordinator.

void LeaseQueue::Add(const Lease& lease, Time now) {
  if (lease.games.size() <= 0) return;
  if (leases_.empty()) {
    // Time without anything to play says nothing of the rate.
    rate_since_ = now;
    rate_games_ = 0;
  }
  Entry entry;
  entry.lease = lease;
  entry.next = lease.games.first;
  leases_.emplace(lease.token, std::move(entry));
}

void LeaseQueue::DropHeld(Entry& entry) {
  for (const Batch& batch : entry.held) {
    games_lost_ += static_cast<int64_t>(batch.indices.size());
    if (batch.spilled) spill_->Drop(*batch.spilled);
    (batch.spilled ? spill_plies_ : memory_plies_) -= batch.plies;
  }
}

void LeaseQueue::Cancel(uint64_t token) {
  const auto lease = leases_.find(token);
  if (lease == leases_.end()) return;
  DropHeld(lease->second);
  leases_.erase(lease);
  if (!report_ || report_->token != token) return;
  if (is_under_way_) {
    is_report_dropped_ = true;
    return;
  }
  games_lost_ += static_cast<int64_t>(report_->games.size());
  memory_plies_ -= report_plies_;
  report_.reset();
}

// ---- For the slots.

bool LeaseQueue::is_full() const {
  const bool has_room_there =
      spill_ != nullptr && !is_spill_full_ && spill_plies_ < options_.spill_plies_max;
  return memory_plies_ >= options_.memory_plies_max && !has_room_there;
}

std::optional<LeaseQueue::Order> LeaseQueue::Next() {
  if (is_full()) return std::nullopt;
  for (auto& [token, entry] : leases_) {
    Order order{.token = token, .tournament = entry.lease.tournament, .index = 0};
    if (!entry.given_back.empty()) {
      order.index = entry.given_back.front();
      entry.given_back.pop_front();
    } else if (entry.next < entry.lease.games.last) {
      order.index = entry.next++;
    } else {
      continue;
    }
    ++entry.in_flight;
    return order;
  }
  return std::nullopt;
}

void LeaseQueue::MeasureRate(Time now) {
  ++rate_games_;
  const Seconds passed = now - rate_since_;
  if (passed < kRateWindow) return;
  games_per_second_ = static_cast<double>(rate_games_) / passed.count();
  rate_games_ = 0;
  rate_since_ = now;
}

void LeaseQueue::Finish(const Order& order, GameRecord record, Time now) {
  const auto lease = leases_.find(order.token);
  if (lease == leases_.end()) {
    ++games_lost_;
    return;
  }
  MeasureRate(now);
  Entry& entry = lease->second;
  --entry.in_flight;
  ++entry.finished;
  entry.finished_plies += record.plies;
  Hold(entry, std::move(record), now);
  if (memory_plies_ > options_.memory_plies_max) SpillSome();
}

void LeaseQueue::Hold(Entry& entry, GameRecord record, Time now) {
  const bool is_new = entry.held.empty() || entry.held.back().spilled.has_value() ||
                      entry.held.back().plies >= options_.report_plies;
  if (is_new) entry.held.emplace_back().since = now;
  Batch& batch = entry.held.back();
  const int64_t weight = WeightOf(record);
  batch.plies += weight;
  memory_plies_ += weight;
  batch.indices.push_back(record.index);
  batch.games.push_back(std::move(record));
}

void LeaseQueue::Abandon(const Order& order) {
  const auto lease = leases_.find(order.token);
  if (lease == leases_.end()) return;
  --lease->second.in_flight;
  lease->second.given_back.push_back(order.index);
}

bool LeaseQueue::IsOver(const Order& order) const { return !leases_.contains(order.token); }

// The newest batch that is full or, where none is, the largest: few files rather than many.
void LeaseQueue::SpillSome() {
  if (spill_ == nullptr || is_spill_full_ || spill_plies_ >= options_.spill_plies_max) return;
  Batch* most = nullptr;
  const auto size_of = [&](const Batch& batch) {
    return std::min(batch.plies, options_.report_plies);
  };
  for (auto& [token, entry] : leases_) {
    for (Batch& batch : entry.held) {
      if (batch.spilled) continue;
      if (most == nullptr || size_of(batch) >= size_of(*most)) most = &batch;
    }
  }
  if (most == nullptr) return;
  const absl::StatusOr<int64_t> number = spill_->Put(most->games);
  if (!number.ok()) {
    is_spill_full_ = true;
    return;
  }
  most->spilled = *number;
  most->games = {};
  memory_plies_ -= most->plies;
  spill_plies_ += most->plies;
}

// ---- What is to be said.

int64_t LeaseQueue::games_open() const {
  int64_t games = 0;
  for (const auto& [token, entry] : leases_) {
    games += entry.lease.games.last - entry.next + static_cast<int64_t>(entry.given_back.size());
  }
  return games;
}

bool LeaseQueue::WantsLease(Time) const {
  if (is_full()) return false;
  const double ahead = games_per_second_ * Seconds(options_.ahead).count();
  return static_cast<double>(games_open()) < std::max(ahead, static_cast<double>(options_.slots));
}

bool LeaseQueue::IsDue(const Entry& entry, Time now) const {
  if (entry.held.empty()) return false;
  const Batch& oldest = entry.held.front();
  return entry.is_played_out() || entry.held.size() > 1 || oldest.spilled.has_value() ||
         oldest.plies >= options_.report_plies || now - oldest.since >= options_.report_after;
}

bool LeaseQueue::FillReport(Entry& entry) {
  Batch batch = std::move(entry.held.front());
  entry.held.pop_front();
  if (batch.spilled) {
    spill_plies_ -= batch.plies;
    is_spill_full_ = false;
    absl::StatusOr<std::vector<GameRecord>> games = spill_->Take(*batch.spilled);
    if (!games.ok()) {
      // They have to be played again.
      entry.finished -= static_cast<int64_t>(batch.indices.size());
      entry.given_back.insert(entry.given_back.end(), batch.indices.begin(), batch.indices.end());
      return false;
    }
    batch.games = *std::move(games);
    memory_plies_ += batch.plies;
  }
  report_plies_ = batch.plies;
  report_ = Report{.worker = worker_,
                   .token = entry.lease.token,
                   .games = std::move(batch.games),
                   .is_last = false};
  return true;
}

const Report* LeaseQueue::NextReport(Time now) {
  if (is_under_way_ || now < retry_at_) return nullptr;
  for (auto& [token, entry] : leases_) {
    while (!report_ && IsDue(entry, now)) FillReport(entry);
  }
  if (!report_) return nullptr;
  const Entry& entry = leases_.at(report_->token);
  report_->is_last = entry.is_played_out() && entry.held.empty();
  is_under_way_ = true;
  return &*report_;
}

std::optional<LeaseQueue::Time> LeaseQueue::ReportDue() const {
  if (is_under_way_) return std::nullopt;
  if (report_) return retry_at_;
  std::optional<Time> due;
  for (const auto& [token, entry] : leases_) {
    if (entry.held.empty()) continue;
    Time at = entry.held.front().since;
    if (!IsDue(entry, at)) at += options_.report_after;
    if (!due || at < *due) due = at;
  }
  if (due) due = std::max(*due, retry_at_);
  return due;
}

void LeaseQueue::OnReply(const ReportReply& reply, Time now) {
  CHECK(report_.has_value() && is_under_way_);
  is_under_way_ = false;
  const uint64_t token = report_->token;
  const bool is_kept = reply.fate == ReportReply::Fate::kRetry && !is_report_dropped_;
  if (is_kept && !reply.is_cancelled) {
    const auto most = std::min(kRetryMax, kRetryMin * (1 << std::min(retries_, 10)));
    ++retries_;
    const auto jitter = milliseconds(random_.Below(static_cast<uint32_t>(most.count() / 2 + 1)));
    retry_at_ = now + std::max(most / 2 + jitter, reply.retry);
    return;
  }
  retries_ = 0;
  const auto games = static_cast<int64_t>(report_->games.size());
  const bool is_recorded = reply.fate == ReportReply::Fate::kRecorded;
  (is_recorded ? games_recorded_ : games_lost_) += games;
  memory_plies_ -= report_plies_;
  is_spill_full_ = false;
  report_.reset();
  is_report_dropped_ = false;
  if (reply.is_cancelled || !is_recorded) return Cancel(token);
  const auto lease = leases_.find(token);
  if (lease != leases_.end() && lease->second.is_played_out() && lease->second.held.empty()) {
    leases_.erase(lease);
  }
}

Heartbeat LeaseQueue::MakeHeartbeat() const {
  Heartbeat heartbeat;
  heartbeat.worker = worker_;
  heartbeat.games_held = games_held();
  for (const auto& [token, entry] : leases_) {
    heartbeat.leases.push_back(
        {.token = token, .games = entry.finished, .plies = entry.finished_plies});
  }
  return heartbeat;
}

// ---- What there is to see.

int64_t LeaseQueue::games_held() const {
  int64_t games = report_ ? static_cast<int64_t>(report_->games.size()) : 0;
  for (const auto& [token, entry] : leases_) {
    for (const Batch& batch : entry.held) games += static_cast<int64_t>(batch.indices.size());
  }
  return games;
}

std::vector<uint64_t> LeaseQueue::tokens() const {
  std::vector<uint64_t> tokens;
  for (const auto& [token, entry] : leases_) tokens.push_back(token);
  return tokens;
}

}  // namespace triarch
