#include "coordinator/service/recorder.h"

#include <iterator>
#include <utility>

#include "core/base/status_macros.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

absl::Status Stops() { return absl::CancelledError("the coordinator is stopping"); }

// The digests come first, so that no game is recorded without them.
absl::Status RecordGames(Store& store, const std::vector<RecordBatch>& batches,
                         const std::vector<GameRecord>& games) {
  const RecordBatch& first = batches.front();
  for (const RecordBatch& batch : batches) {
    if (batch.bot_digests.empty()) continue;
    RETURN_IF_ERROR(store.SetBotDigests(first.tournament, batch.bot_digests));
  }
  if (first.held) {
    std::vector<StoredReport> reports;
    for (const RecordBatch& batch : batches) reports.push_back(*batch.held);
    return store.HoldReports(reports);
  }
  return first.shard ? store.RecordShard(first.tournament, games, *first.shard)
                     : store.Record(first.tournament, games);
}

}  // namespace

Recorder::Recorder(const Options& options, StoreThread& thread)
    : options_(options), thread_(thread), queue_(options.games_per_commit) {}

void Recorder::End() {
  {
    MutexLock lock(&mutex_);
    if (is_ending_) return;
    is_ending_ = true;
    changed_.NotifyAll();
  }
  // A flush that is already posted runs before this one.
  thread_.Run([this](Store& store) { Flush(store); });
  std::vector<RecordBatch> left;
  {
    MutexLock lock(&mutex_);
    left = queue_.TakeAll();
  }
  for (const RecordBatch& batch : left) batch.done(Stops(), batch.games);
}

void Recorder::Add(RecordBatch batch) {
  {
    MutexLock lock(&mutex_);
    if (!is_ending_) {
      queue_.Add(std::move(batch));
      if (!is_flush_posted_) thread_.Post([this](Store& store) { Flush(store); });
      is_flush_posted_ = true;
      return;
    }
  }
  batch.done(Stops(), batch.games);
}

absl::Status Recorder::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

std::vector<RecordBatch> Recorder::TakeNext() {
  MutexLock lock(&mutex_);
  std::vector<RecordBatch> batches = queue_.TakeNext();
  if (batches.empty()) is_flush_posted_ = false;
  return batches;
}

void Recorder::Flush(Store& store) {
  while (true) {
    std::vector<RecordBatch> batches = TakeNext();
    if (batches.empty()) return;
    const absl::Status status = RecordTogether(store, batches);
    bool is_ending = false;
    {
      MutexLock lock(&mutex_);
      // Errors in the games say nothing about the store.
      const bool is_about_games = absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status);
      status_ = is_about_games ? absl::OkStatus() : status;
      is_ending = is_ending_;
      batches = queue_.Finish(std::move(batches), status);
    }
    if (batches.empty()) {
      if (!is_ending) FlushLater();
      return;
    }
    for (const RecordBatch& batch : batches) batch.done(status, batch.games);
  }
}

absl::Status Recorder::RecordTogether(Store& store, std::vector<RecordBatch>& batches) {
  const auto began = Clock::now();
  std::vector<GameRecord> games;
  for (RecordBatch& batch : batches) {
    games.insert(games.end(), std::make_move_iterator(batch.games.begin()),
                 std::make_move_iterator(batch.games.end()));
  }
  absl::Status status = RecordGames(store, batches, games);
  options_.on_commit({.games = static_cast<int64_t>(games.size()),
                      .time = Clock::now() - began,
                      .status = status});
  // Each batch gets its games back, for a retry or for `done`.
  auto game = games.begin();
  for (RecordBatch& batch : batches) {
    for (GameRecord& own : batch.games) own = std::move(*game++);
  }
  return status;
}

// Posts a separate task, so that the store's thread can run other tasks in the meantime.
void Recorder::FlushLater() {
  const auto deadline = Clock::now() + options_.retry;
  MutexLock lock(&mutex_);
  while (!is_ending_ && changed_.WaitUntil(&mutex_, deadline)) {
  }
  if (!is_ending_) thread_.Post([this](Store& store) { Flush(store); });
}

}  // namespace triarch
