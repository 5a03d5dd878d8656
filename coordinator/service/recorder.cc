#include "coordinator/service/recorder.h"

#include <iterator>
#include <utility>

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kEnds = "the coordinator ends";

int64_t PliesOf(const Recorder::Batch& batch) {
  int64_t plies = 0;
  for (const GameRecord& game : batch.games) plies += game.plies;
  return plies;
}

// Errors that waiting may mend.
bool IsAway(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) ||
         absl::IsDeadlineExceeded(status);
}

}  // namespace

Recorder::Recorder(const Options& options, StoreThread& thread)
    : options_(options), thread_(thread) {}

void Recorder::End() {
  {
    MutexLock lock(&mutex_);
    if (is_ending_) return;
    is_ending_ = true;
    changed_.NotifyAll();
  }
  // A flush that is posted runs before this.
  thread_.Run([this](Store& store) { Flush(store); });
  std::deque<Batch> left;
  {
    MutexLock lock(&mutex_);
    left.swap(waiting_);
  }
  for (const Batch& batch : left) {
    batch.done(absl::CancelledError(kEnds), batch.games);
  }
}

void Recorder::Add(Batch batch) {
  {
    MutexLock lock(&mutex_);
    if (!is_ending_) {
      plies_waiting_ += PliesOf(batch);
      waiting_.push_back(std::move(batch));
      if (!is_flush_posted_) thread_.Post([this](Store& store) { Flush(store); });
      is_flush_posted_ = true;
      return;
    }
  }
  batch.done(absl::CancelledError(kEnds), batch.games);
}

bool Recorder::is_full() const {
  MutexLock lock(&mutex_);
  return plies_waiting_ >= options_.plies_waiting_max;
}

absl::Status Recorder::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

void Recorder::Flush(Store& store) {
  while (true) {
    std::vector<Batch> batches = TakeSome();
    if (batches.empty()) return;
    const absl::Status status = RecordTogether(store, batches);
    bool is_ending;
    {
      MutexLock lock(&mutex_);
      // What is wrong with the games says nothing of the store.
      const bool is_of_the_games = absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status);
      status_ = is_of_the_games ? absl::OkStatus() : status;
      is_ending = is_ending_;
    }
    if (IsAway(status)) {
      PutBack(std::move(batches));
      if (!is_ending) FlushLater();
      return;
    }
    int64_t plies = 0;
    for (const Batch& batch : batches) plies += PliesOf(batch);
    {
      MutexLock lock(&mutex_);
      plies_waiting_ -= plies;
    }
    for (const Batch& batch : batches) batch.done(status, batch.games);
  }
}

// Batches of the first one's tournament, as many as make one transaction; of self-play one.
std::vector<Recorder::Batch> Recorder::TakeSome() {
  std::vector<Batch> batches;
  int64_t games = 0;
  MutexLock lock(&mutex_);
  while (!waiting_.empty() && games < options_.games_per_commit &&
         (batches.empty() || (waiting_.front().tournament == batches.front().tournament &&
                              !waiting_.front().shard && !batches.front().shard))) {
    games += static_cast<int64_t>(waiting_.front().games.size());
    batches.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (batches.empty()) is_flush_posted_ = false;
  return batches;
}

void Recorder::PutBack(std::vector<Batch> batches) {
  MutexLock lock(&mutex_);
  waiting_.insert(waiting_.begin(), std::make_move_iterator(batches.begin()),
                  std::make_move_iterator(batches.end()));
}

absl::Status Recorder::RecordTogether(Store& store, std::vector<Batch>& batches) {
  const auto began = Clock::now();
  std::vector<GameRecord> games;
  for (Batch& batch : batches) {
    games.insert(games.end(), std::make_move_iterator(batch.games.begin()),
                 std::make_move_iterator(batch.games.end()));
  }
  const Batch& first = batches.front();
  absl::Status status = first.shard ? store.RecordShard(first.tournament, games, *first.shard)
                                    : store.Record(first.tournament, games);
  options_.on_commit({.games = static_cast<int64_t>(games.size()),
                      .time = Clock::now() - began,
                      .status = status});
  // Back to whose they are: for another try, and for their plies.
  auto game = games.begin();
  for (Batch& batch : batches) {
    for (GameRecord& own : batch.games) own = std::move(*game++);
  }
  return status;
}

// Others want the store too, so this is another task.
void Recorder::FlushLater() {
  const auto deadline = Clock::now() + options_.retry;
  MutexLock lock(&mutex_);
  while (!is_ending_ && changed_.WaitUntil(&mutex_, deadline)) {
  }
  if (!is_ending_) thread_.Post([this](Store& store) { Flush(store); });
}

}  // namespace triarch
