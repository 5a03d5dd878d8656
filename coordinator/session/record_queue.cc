#include "coordinator/session/record_queue.h"

#include <iterator>
#include <utility>

namespace triarch {
namespace {

// Returns whether the same call might succeed later.
bool IsPassing(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) ||
         absl::IsDeadlineExceeded(status);
}

bool ShareTransaction(const RecordBatch& a, const RecordBatch& b) {
  if (a.tournament != b.tournament || a.held.has_value() != b.held.has_value()) return false;
  return a.held || (!a.shard && !b.shard);
}

}  // namespace

std::vector<RecordBatch> RecordQueue::TakeNext() {
  std::vector<RecordBatch> batches;
  int64_t games = 0;
  while (!waiting_.empty() && games < games_per_commit_ &&
         (batches.empty() || ShareTransaction(batches.front(), waiting_.front()))) {
    games += static_cast<int64_t>(waiting_.front().games.size());
    batches.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return batches;
}

std::vector<RecordBatch> RecordQueue::Finish(std::vector<RecordBatch> batches,
                                             const absl::Status& status) {
  if (!IsPassing(status)) return batches;
  waiting_.insert(waiting_.begin(), std::make_move_iterator(batches.begin()),
                  std::make_move_iterator(batches.end()));
  return {};
}

std::vector<RecordBatch> RecordQueue::TakeAll() {
  std::vector<RecordBatch> batches(std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(waiting_.end()));
  waiting_.clear();
  return batches;
}

}  // namespace triarch
