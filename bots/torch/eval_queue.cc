#include "bots/torch/eval_queue.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

template <class T>
void Append(const std::vector<T>& from, std::vector<T>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

absl::Status CheckNumbers(const EvalBatch& batch) {
  for (const std::vector<float>* const numbers : {&batch.logits, &batch.values}) {
    if (!std::all_of(numbers->begin(), numbers->end(),
                     [](float number) { return std::isfinite(number); })) {
      return absl::InternalError("the model returned infinities or NaN");
    }
  }
  return absl::OkStatus();
}

}  // namespace

EvalQueue::EvalQueue(std::unique_ptr<Evaluator> evaluator, const EvalShape& shape,
                     const EvalQueueOptions& options)
    : evaluator_(std::move(evaluator)), shape_(shape), options_(options) {
  server_ = std::jthread([this] { Serve(); });
}

EvalQueue::~EvalQueue() {
  MutexLock lock(&mutex_);
  CHECK(searching_ == 0);
  is_ending_ = true;
  changed_.NotifyOne();
}

EvalQueue::Searching::Searching(EvalQueue& queue) : queue_(queue) {
  MutexLock lock(&queue_.mutex_);
  ++queue_.searching_;
}

EvalQueue::Searching::~Searching() {
  MutexLock lock(&queue_.mutex_);
  --queue_.searching_;
  queue_.changed_.NotifyOne();  // all remaining searches may be waiting
}

absl::Status EvalQueue::Evaluate(EvalBatch& batch, std::optional<Clock::time_point> deadline) {
  CHECK(batch.count > 0);
  Request request(batch);
  MutexLock lock(&mutex_);
  waiting_.push_back(&request);
  positions_waiting_ += batch.count;
  if (waiting_.size() == 1 || is_due()) changed_.NotifyOne();
  while (!request.is_done) {
    if (!deadline || request.is_taken) {
      request.done.Wait(&mutex_);
    } else if (!request.done.WaitUntil(&mutex_, *deadline) && !request.is_taken) {
      std::erase(waiting_, &request);
      positions_waiting_ -= batch.count;
      return absl::DeadlineExceededError("the position was not evaluated in time");
    }
  }
  return request.status;
}

EvalQueue::Counts EvalQueue::counts() const {
  MutexLock lock(&mutex_);
  return counts_;
}

// ---- The server.

void EvalQueue::Serve() {
  while (true) {
    const std::vector<Request*> requests = Take();
    if (requests.empty()) return;
    const int64_t batches = EvaluateAll(requests);
    MutexLock lock(&mutex_);
    counts_.batches += batches;
    for (Request* const request : requests) {
      counts_.positions += static_cast<int64_t>(request->batch.count);
      request->is_done = true;
      request->done.NotifyOne();  // under the mutex: afterwards the request may be destroyed
    }
  }
}

bool EvalQueue::is_due() const {
  return positions_waiting_ >= options_.batch || waiting_.size() >= searching_;
}

std::vector<EvalQueue::Request*> EvalQueue::Take() {
  MutexLock lock(&mutex_);
  while (true) {
    if (waiting_.empty()) {
      if (is_ending_) return {};
      changed_.Wait(&mutex_);
    } else if (is_due() || !changed_.WaitUntil(&mutex_, waiting_.front()->came + options_.wait)) {
      // The oldest request may have been withdrawn in the meantime.
      if (!waiting_.empty()) break;
    }
  }
  std::vector<Request*> taken;
  size_t count = 0;
  do {
    Request* const request = waiting_.front();
    count += request->batch.count;
    if (!taken.empty() && count > options_.batch) break;
    waiting_.pop_front();
    positions_waiting_ -= request->batch.count;
    request->is_taken = true;
    taken.push_back(request);
  } while (!waiting_.empty());
  return taken;
}

int64_t EvalQueue::EvaluateAll(const std::vector<Request*>& requests) {
  int64_t batches = 0;
  if (requests.size() > 1) {
    ++batches;
    if (EvaluateTogether(requests)) return batches;
  }
  for (Request* const request : requests) {
    ++batches;
    request->status = Run(request->batch);
    if (request->status.ok()) request->status = CheckNumbers(request->batch);
  }
  return batches;
}

bool EvalQueue::EvaluateTogether(const std::vector<Request*>& requests) {
  together_.Clear();
  for (const Request* const request : requests) {
    const EvalBatch& batch = request->batch;
    const auto shift = static_cast<int64_t>(together_.count * shape_.policy_size);
    for (const int64_t pick : batch.picks) together_.picks.push_back(pick + shift);
    Append(batch.cells, &together_.cells);
    Append(batch.state, &together_.state);
    together_.count += batch.count;
  }
  if (!Run(together_).ok()) return false;
  auto logit = together_.logits.cbegin();
  auto value = together_.values.cbegin();
  for (Request* const request : requests) {
    EvalBatch& batch = request->batch;
    const auto logits_end = logit + static_cast<std::ptrdiff_t>(batch.picks.size());
    const auto values_end = value + static_cast<std::ptrdiff_t>(batch.count * shape_.seats);
    batch.logits.assign(logit, logits_end);
    batch.values.assign(value, values_end);
    request->status = CheckNumbers(batch);
    logit = logits_end;
    value = values_end;
  }
  return true;
}

absl::Status EvalQueue::Run(EvalBatch& batch) {
  const std::string error = evaluator_->Evaluate(batch);
  if (!error.empty()) return absl::InternalError(error);
  CHECK(batch.logits.size() == batch.picks.size());
  CHECK(batch.values.size() == batch.count * shape_.seats);
  return absl::OkStatus();
}

}  // namespace triarch
