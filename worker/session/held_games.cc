#include "worker/session/held_games.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

// A self-play report may exceed the usual number of plies, but not without limit.
constexpr int64_t kBatchesPerShardMax = 5;
constexpr size_t kGamesPerShardMax = 50'000;

}  // namespace

int64_t HeldGames::WeightOf(const GameRecord& game) {
  constexpr int64_t kPliesPerGame = 16;
  size_t bytes = game.samples ? game.samples->rows.size() : 0;
  for (const MoveInfo& info : game.infos) bytes += info.bytes();
  return game.plies + kPliesPerGame + static_cast<int64_t>(bytes) / kBytesPerPly;
}

// ---- Leases.

void HeldGames::Open(uint64_t token, int64_t shard_samples) {
  leases_.try_emplace(token).first->second.shard_samples = shard_samples;
}

int64_t HeldGames::Close(uint64_t token) {
  int64_t games = 0;
  for (const Batch& batch : leases_.at(token).batches) {
    const bool is_moving = &batch == moving_;
    if (is_moving) moving_ = nullptr;
    games += static_cast<int64_t>(batch.indices.size());
    if (batch.spilled && !is_moving) spill_->Drop(*batch.spilled);
    (batch.spilled ? spill_plies_ : memory_plies_) -= batch.plies;
  }
  leases_.erase(token);
  if (wanted_ == token) wanted_.reset();
  return games;
}

// ---- Games.

void HeldGames::Add(uint64_t token, GameRecord record, Time now) {
  Entry& entry = leases_.at(token);
  const auto takes_more = [&](const Batch& batch) {
    return !batch.spilled && &batch != moving_ && !IsWhole(entry, batch);
  };
  if (entry.batches.empty() || !takes_more(entry.batches.back())) {
    entry.batches.emplace_back().since = now;
  }
  Batch& batch = entry.batches.back();
  const int64_t weight = WeightOf(record);
  batch.plies += weight;
  batch.game_plies += record.plies;
  if (record.samples) batch.samples += record.samples->count;
  memory_plies_ += weight;
  batch.indices.push_back(record.index);
  batch.games.push_back(std::move(record));
}

HeldGames::Batch HeldGames::Take(uint64_t token, int64_t plies_max) {
  Entry& entry = leases_.at(token);
  Batch& oldest = entry.batches.front();
  if (wanted_ == token) wanted_.reset();
  Batch taken;
  ptrdiff_t count = 0;
  for (const GameRecord& game : oldest.games) {
    if (taken.plies >= plies_max && entry.shard_samples == 0) break;
    taken.plies += WeightOf(game);
    ++count;
  }
  const auto first = oldest.games.begin();
  taken.games = {std::make_move_iterator(first), std::make_move_iterator(first + count)};
  taken.shard = oldest.shard;
  taken.since = oldest.since;
  oldest.games.erase(first, first + count);
  oldest.indices.erase(oldest.indices.begin(), oldest.indices.begin() + count);
  oldest.plies -= taken.plies;
  if (oldest.games.empty()) entry.batches.pop_front();
  return taken;
}

void HeldGames::PutBack(uint64_t token, Batch batch) {
  for (const GameRecord& game : batch.games) {
    batch.indices.push_back(game.index);
    batch.game_plies += game.plies;
    if (game.samples) batch.samples += game.samples->count;
  }
  leases_.at(token).batches.push_front(std::move(batch));
}

bool HeldGames::IsOldestWhole(uint64_t token) const {
  const Entry& entry = leases_.at(token);
  return IsWhole(entry, entry.batches.front());
}

bool HeldGames::IsWhole(const Entry& entry, const Batch& batch) const {
  if (entry.shard_samples == 0) return batch.plies >= options_.batch_plies;
  return batch.shard || batch.samples >= entry.shard_samples ||
         batch.game_plies >= kBatchesPerShardMax * options_.batch_plies ||
         batch.indices.size() >= kGamesPerShardMax;
}

int64_t HeldGames::count() const {
  int64_t games = 0;
  for (const auto& [token, entry] : leases_) {
    for (const Batch& batch : entry.batches) games += static_cast<int64_t>(batch.indices.size());
  }
  return games;
}

// ---- The spill.

bool HeldGames::is_full() const {
  const bool has_room_there =
      spill_ != nullptr && spill_status_.ok() && spill_plies_ < options_.spill_plies_max;
  return memory_plies_ >= options_.memory_plies_max && !has_room_there;
}

bool HeldGames::must_wait() const {
  if (is_full()) return true;
  const bool is_put = moving_ != nullptr && !moving_->spilled;
  return is_transferring_ &&
         memory_plies_ - (is_put ? moving_->plies : 0) >= options_.memory_plies_max;
}

void HeldGames::Transfer::Run() {
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

// Returns the newest full batch or, if none is full, the largest one, to keep the number of files
// low.
HeldGames::Batch* HeldGames::NextToSpill() {
  if (memory_plies_ <= options_.memory_plies_max || spill_ == nullptr || !spill_status_.ok() ||
      spill_plies_ >= options_.spill_plies_max) {
    return nullptr;
  }
  Batch* most = nullptr;
  const auto size_of = [&](const Batch& batch) {
    return std::min(batch.plies, options_.batch_plies);
  };
  for (auto& [token, entry] : leases_) {
    for (Batch& batch : entry.batches) {
      if (batch.spilled || (wanted_ == token && &batch == &entry.batches.front())) continue;
      if (most == nullptr || size_of(batch) >= size_of(*most)) most = &batch;
    }
  }
  return most;
}

std::optional<HeldGames::Transfer> HeldGames::NextTransfer() {
  if (is_transferring_) return std::nullopt;
  Transfer transfer;
  transfer.spill_ = spill_.get();
  if (wanted_ && Of(*wanted_).front().spilled) {
    moving_ = &leases_.at(*wanted_).batches.front();
    transfer.number_ = moving_->spilled;
  } else {
    moving_ = NextToSpill();
    if (moving_ == nullptr) return std::nullopt;
    transfer.is_put_ = true;
    transfer.games_ = std::exchange(moving_->games, {});
  }
  is_transferring_ = true;
  return transfer;
}

std::optional<HeldGames::Loss> HeldGames::OnTransferEnd(Transfer transfer) {
  CHECK(is_transferring_);
  is_transferring_ = false;
  std::optional<Loss> loss;
  if (transfer.is_put_) {
    OnPut(std::move(transfer));
  } else {
    loss = OnTaken(std::move(transfer));
  }
  moving_ = nullptr;
  return loss;
}

void HeldGames::OnPut(Transfer transfer) {
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

std::optional<HeldGames::Loss> HeldGames::OnTaken(Transfer transfer) {
  ClearSpillStatus();
  if (moving_ == nullptr) return std::nullopt;
  spill_plies_ -= moving_->plies;
  moving_->spilled.reset();
  if (transfer.status_.ok()) {
    moving_->games = std::move(transfer.games_);
    memory_plies_ += moving_->plies;
    return std::nullopt;
  }
  Loss loss{.token = *wanted_, .indices = std::move(moving_->indices)};
  leases_.at(*wanted_).batches.pop_front();
  wanted_.reset();
  return loss;
}

}  // namespace triarch
