#include "worker/session/lease_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

// What a record weighs, in plies: one without moves takes memory too.
int64_t WeightOf(const GameRecord& game) {
  constexpr int64_t kPliesPerGame = 16;
  const size_t bytes = game.samples ? game.samples->rows.size() : 0;
  return game.plies + kPliesPerGame + static_cast<int64_t>(bytes) / LeaseQueue::kBytesPerPly;
}

// Of self-play a report has more plies than another, but not any number.
constexpr int64_t kReportsPerShardMax = 5;
constexpr size_t kGamesPerShardMax = 50'000;

}  // namespace

LeaseQueue::LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill)
    : options_(options),
      worker_(std::move(worker)),
      spill_(std::move(spill)),
      random_(options.seed),
      report_plies_max_(std::min(options.report_plies_first, options.report_plies)) {}

// ---- From the coordinator.

void LeaseQueue::Add(const Lease& lease, Time now, int64_t shard_samples) {
  if (lease.games.size() <= 0) return;
  if (leases_.empty()) {
    rate_.Start(now);
  }
  Entry entry;
  entry.lease = lease;
  entry.shard_samples = shard_samples;
  entry.next = lease.games.first;
  ttl_ = lease.ttl;
  leases_.emplace(lease.token, std::move(entry));
}

void LeaseQueue::DropHeld(Entry& entry) {
  for (const Batch& batch : entry.held) {
    const bool is_moving = &batch == moving_;
    if (is_moving) moving_ = nullptr;
    games_lost_ += static_cast<int64_t>(batch.indices.size());
    if (batch.spilled && !is_moving) spill_->Drop(*batch.spilled);
    (batch.spilled ? spill_plies_ : memory_plies_) -= batch.plies;
  }
}

void LeaseQueue::Cancel(uint64_t token) {
  const auto lease = leases_.find(token);
  if (lease == leases_.end()) return;
  DropHeld(lease->second);
  leases_.erase(lease);
  if (wanted_ == token) wanted_.reset();
  if (report_ && report_->token == token) is_report_dropped_ = true;
}

// ---- For the slots.

bool LeaseQueue::is_full() const {
  const bool has_room_there =
      spill_ != nullptr && spill_status_.ok() && spill_plies_ < options_.spill_plies_max;
  return memory_plies_ >= options_.memory_plies_max && !has_room_there;
}

bool LeaseQueue::MustWait() const {
  if (is_full()) return true;
  const bool is_put = moving_ != nullptr && !moving_->spilled;
  return is_transferring_ &&
         memory_plies_ - (is_put ? moving_->plies : 0) >= options_.memory_plies_max;
}

std::optional<LeaseQueue::Order> LeaseQueue::Next() {
  if (MustWait()) return std::nullopt;
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
  Hold(entry, std::move(record), now);
}

void LeaseQueue::Hold(Entry& entry, GameRecord record, Time now) {
  const bool is_new =
      entry.held.empty() || IsAway(entry.held.back()) || IsWhole(entry, entry.held.back());
  if (is_new) entry.held.emplace_back().since = now;
  Batch& batch = entry.held.back();
  const int64_t weight = WeightOf(record);
  batch.plies += weight;
  batch.game_plies += record.plies;
  if (record.samples) batch.samples += record.samples->count;
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

// ---- The spill.

void LeaseQueue::Transfer::Run() {
  if (is_put_) {
    const absl::StatusOr<int64_t> number = spill_->Put(games_);
    status_ = number.status();
    if (!number.ok()) return;
    number_ = *number;
    games_ = {};
  } else {
    absl::StatusOr<std::vector<GameRecord>> games = spill_->Take(*number_);
    status_ = games.status();
    if (games.ok()) games_ = *std::move(games);
  }
}

// The newest batch that is full or, where none is, the largest: few files rather than many.
LeaseQueue::Batch* LeaseQueue::NextToSpill() {
  if (memory_plies_ <= options_.memory_plies_max || spill_ == nullptr || !spill_status_.ok() ||
      spill_plies_ >= options_.spill_plies_max) {
    return nullptr;
  }
  Batch* most = nullptr;
  const auto size_of = [&](const Batch& batch) {
    return std::min(batch.plies, options_.report_plies);
  };
  for (auto& [token, entry] : leases_) {
    for (Batch& batch : entry.held) {
      if (batch.spilled || (wanted_ == token && &batch == &entry.held.front())) continue;
      if (most == nullptr || size_of(batch) >= size_of(*most)) most = &batch;
    }
  }
  return most;
}

std::optional<LeaseQueue::Transfer> LeaseQueue::NextTransfer() {
  if (is_transferring_) return std::nullopt;
  Transfer transfer;
  transfer.spill_ = spill_.get();
  if (wanted_ && leases_.at(*wanted_).held.front().spilled) {
    moving_ = &leases_.at(*wanted_).held.front();
    transfer.number_ = moving_->spilled;
  } else {
    moving_ = NextToSpill();
    if (moving_ == nullptr) return std::nullopt;
    transfer.is_put_ = true;
    transfer.games_ = std::move(moving_->games);
    moving_->games = {};
  }
  is_transferring_ = true;
  return transfer;
}

void LeaseQueue::OnTransferEnd(Transfer transfer) {
  CHECK(is_transferring_);
  is_transferring_ = false;
  transfer.is_put_ ? OnPut(std::move(transfer)) : OnTaken(std::move(transfer));
  moving_ = nullptr;
}

void LeaseQueue::OnPut(Transfer transfer) {
  if (!transfer.status_.ok()) {
    spill_status_ = transfer.status_;
    if (moving_ != nullptr) moving_->games = std::move(transfer.games_);
  } else if (moving_ == nullptr) {
    spill_->Drop(*transfer.number_);
  } else {
    moving_->spilled = transfer.number_;
    memory_plies_ -= moving_->plies;
    spill_plies_ += moving_->plies;
  }
}

void LeaseQueue::OnTaken(Transfer transfer) {
  spill_status_ = absl::OkStatus();
  if (moving_ == nullptr) return;
  spill_plies_ -= moving_->plies;
  moving_->spilled.reset();
  if (transfer.status_.ok()) {
    moving_->games = std::move(transfer.games_);
    memory_plies_ += moving_->plies;
    return;
  }
  // They have to be played again.
  Entry& entry = leases_.at(*wanted_);
  wanted_.reset();
  const std::vector<int64_t>& indices = moving_->indices;
  entry.finished -= static_cast<int64_t>(indices.size());
  entry.given_back.insert(entry.given_back.end(), indices.begin(), indices.end());
  entry.held.pop_front();
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
  const double ahead = rate_.per_second().value_or(0) * Seconds(options_.ahead).count();
  return static_cast<double>(games_open()) < std::max(ahead, static_cast<double>(options_.slots));
}

// Whether nothing more is put to it.
bool LeaseQueue::IsWhole(const Entry& entry, const Batch& batch) const {
  if (entry.shard_samples == 0) return batch.plies >= options_.report_plies;
  return batch.shard || batch.samples >= entry.shard_samples ||
         batch.game_plies >= kReportsPerShardMax * options_.report_plies ||
         batch.indices.size() >= kGamesPerShardMax;
}

bool LeaseQueue::IsDue(const Entry& entry, Time now) const {
  if (entry.held.empty() || &entry.held.front() == moving_) return false;
  // What was taken out of the spill to be reported stays due, though it be less than a shard.
  if (is_flushing_ || wanted_ == entry.lease.token) return true;
  const Batch& oldest = entry.held.front();
  if (entry.shard_samples > 0) {
    return entry.is_played_out() || entry.held.size() > 1 || oldest.spilled.has_value() ||
           IsWhole(entry, oldest);
  }
  return entry.is_played_out() || entry.held.size() > 1 || oldest.spilled.has_value() ||
         oldest.plies >= report_plies_max_ || now - oldest.since >= options_.report_after;
}

void LeaseQueue::FillReport(Entry& entry) {
  Batch& batch = entry.held.front();
  if (wanted_ == entry.lease.token) wanted_.reset();
  report_plies_ = 0;
  ptrdiff_t count = 0;
  for (const GameRecord& game : batch.games) {
    if (report_plies_ >= report_plies_max_ && entry.shard_samples == 0) break;
    report_plies_ += WeightOf(game);
    ++count;
  }
  const auto first = batch.games.begin();
  report_ =
      Report{.worker = worker_,
             .token = entry.lease.token,
             .games = {std::make_move_iterator(first), std::make_move_iterator(first + count)},
             .shard = batch.shard,
             .is_last = false};
  report_since_ = batch.since;
  batch.games.erase(first, first + count);
  batch.indices.erase(batch.indices.begin(), batch.indices.begin() + count);
  batch.plies -= report_plies_;
  if (batch.games.empty()) entry.held.pop_front();
}

void LeaseQueue::HoldReport(Entry& entry) {
  Batch& batch = entry.held.emplace_front();
  for (const GameRecord& game : report_->games) {
    batch.indices.push_back(game.index);
    batch.game_plies += game.plies;
    if (game.samples) batch.samples += game.samples->count;
  }
  batch.shard = report_->shard;
  batch.games = std::move(report_->games);
  batch.plies = report_plies_;
  batch.since = report_since_;
}

const Report* LeaseQueue::NextReport(Time now) {
  if (report_ || now < retry_at_) return nullptr;
  for (auto& [token, entry] : leases_) {
    if (report_ || now < entry.shard_at || !IsDue(entry, now)) continue;
    if (!entry.held.front().spilled) {
      FillReport(entry);
    } else if (!wanted_) {
      wanted_ = token;  // what other leases have in memory need not wait for it
    }
  }
  if (!report_) return nullptr;
  const Entry& entry = leases_.at(report_->token);
  report_->is_last = entry.is_played_out() && entry.held.empty();
  report_began_.reset();
  if (!WantsShard()) report_began_ = now;
  beat_wait_ = {};
  return &*report_;
}

std::optional<int64_t> LeaseQueue::WantsShard() const {
  if (!report_ || report_->shard) return std::nullopt;
  const auto lease = leases_.find(report_->token);
  if (lease == leases_.end() || lease->second.shard_samples == 0) return std::nullopt;
  return lease->second.lease.tournament;
}

void LeaseQueue::SetShard(const ShardEntry& shard, Time now) {
  CHECK(report_.has_value());
  report_began_ = now;
  if (const auto lease = leases_.find(report_->token); lease != leases_.end()) {
    lease->second.shard_backoff.Reset();
  }
  report_->shard = shard;
  for (GameRecord& game : report_->games) {
    const int64_t weight = WeightOf(game);
    game.samples.reset();
    memory_plies_ -= weight - WeightOf(game);
    report_plies_ -= weight - WeightOf(game);
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
  HoldReport(entry);
  report_.reset();
  entry.shard_at = now + entry.shard_backoff.Next(options_.retry, random_);
}

std::optional<LeaseQueue::Time> LeaseQueue::ReportDue() const {
  if (report_) return std::nullopt;
  std::optional<Time> due;
  for (const auto& [token, entry] : leases_) {
    // What is on its way changes that when it comes, and what waits for it not before.
    if (entry.held.empty() || &entry.held.front() == moving_) continue;
    if (entry.held.front().spilled && wanted_) continue;
    Time at = entry.held.front().since;
    if (!IsDue(entry, at)) {
      if (entry.shard_samples > 0) continue;  // only another game changes that
      at += options_.report_after;
    }
    at = std::max(at, entry.shard_at);
    if (!due || at < *due) due = at;
  }
  if (due) due = std::max(*due, retry_at_);
  return due;
}

void LeaseQueue::LearnFrom(ReportOutcome outcome, Time now) {
  if (!report_began_) return;  // it was never sent
  NoteWait(now);
  const milliseconds slow = ttl_.count() > 0 ? std::min(ttl_ / 4, options_.slow) : options_.slow;
  const bool is_late = now - *report_began_ > options_.slow;
  if (beat_wait_ > slow || (is_late && outcome == ReportOutcome::kRetry)) {
    report_plies_max_ = std::max<int64_t>(1, std::min(report_plies_max_, report_plies_ / 2));
  } else if (outcome == ReportOutcome::kRecorded && beat_wait_ <= slow / 2 && !is_late) {
    // One that had nothing more to carry says nothing of what could have been.
    report_plies_max_ =
        std::max(report_plies_max_, std::min(options_.report_plies, 2 * report_plies_));
  }
}

void LeaseQueue::OnReply(const ReportReply& reply, Time now) {
  CHECK(report_.has_value());
  LearnFrom(reply.outcome, now);
  const uint64_t token = report_->token;
  const auto lease = leases_.find(token);
  const bool is_kept = reply.outcome == ReportOutcome::kRetry && !is_report_dropped_;
  if (is_kept && !reply.is_cancelled) {
    HoldReport(lease->second);
    report_.reset();
    retry_at_ = now + std::max(backoff_.Next(options_.retry, random_), reply.retry);
    return;
  }
  backoff_.Reset();
  const auto games = static_cast<int64_t>(report_->games.size());
  const bool is_recorded = reply.outcome == ReportOutcome::kRecorded;
  (is_recorded ? games_recorded_ : games_lost_) += games;
  memory_plies_ -= report_plies_;
  spill_status_ = absl::OkStatus();
  report_.reset();
  is_report_dropped_ = false;
  if (reply.is_cancelled || !is_recorded) return Cancel(token);
  if (lease != leases_.end() && lease->second.is_played_out() && lease->second.held.empty()) {
    leases_.erase(lease);
  }
}

HeartbeatRequest LeaseQueue::MakeHeartbeat(Time now) {
  beat_began_ = now;
  HeartbeatRequest heartbeat;
  heartbeat.worker = worker_;
  heartbeat.games_held = games_held();
  for (const auto& [token, entry] : leases_) {
    heartbeat.leases.push_back(
        {.token = token, .games = entry.finished, .plies = entry.finished_plies});
  }
  return heartbeat;
}

void LeaseQueue::NoteWait(Time now) {
  if (!beat_began_ || !report_ || !report_began_) return;
  // What it waited before the report had another reason.
  beat_wait_ = std::max(beat_wait_, now - std::max(*beat_began_, *report_began_));
}

void LeaseQueue::OnHeartbeatEnd(Time now) {
  NoteWait(now);
  beat_began_.reset();
}

// ---- What there is to see.

int64_t LeaseQueue::games_held() const {
  int64_t games = report_ ? static_cast<int64_t>(report_->games.size()) : 0;
  for (const auto& [token, entry] : leases_) {
    for (const Batch& batch : entry.held) games += static_cast<int64_t>(batch.indices.size());
  }
  return games;
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
