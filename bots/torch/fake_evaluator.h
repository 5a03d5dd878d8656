// Evaluates positions without a model, for tests.

#ifndef TRIARCH_BOTS_TORCH_FAKE_EVALUATOR_H_
#define TRIARCH_BOTS_TORCH_FAKE_EVALUATOR_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "bots/torch/evaluator.h"
#include "core/base/mutex.h"
#include "core/base/random.h"
#include "core/game/sample.h"

// A test model that returns noise derived only from the position's bytes.
namespace triarch {

// State shared between the test and the evaluator, which the queue owns.
class FakeModel {
 public:
  // While the gate is closed, batches wait.
  void CloseGate() { Set(&is_closed_, true); }
  void OpenGate() { Set(&is_closed_, false); }
  void WaitForBatchAtGate() {
    MutexLock lock(&mutex_);
    while (!is_at_gate_) changed_.Wait(&mutex_);
  }

  // Makes all later batches fail with this error, or none if it is empty.
  void Fail(const std::string& error) {
    MutexLock lock(&mutex_);
    error_ = error;
  }
  // Makes all later batches that contain a position with this first byte fail. If `error` is empty,
  // these positions get NaN values instead.
  void FailAt(uint8_t first_byte, const std::string& error) {
    MutexLock lock(&mutex_);
    guilty_ = static_cast<char>(first_byte);
    guilty_error_ = error;
  }
  // Makes all later logits and values equal.
  void BeFlat() { Set(&is_flat_, true); }
  // Sets the values of all later positions.
  void SetValues(const std::vector<float>& values) {
    MutexLock lock(&mutex_);
    values_ = values;
  }

  struct Seen {
    size_t count = 0;
    std::vector<std::string> positions;  // bytes of each position
  };
  std::vector<Seen> seen() const {
    MutexLock lock(&mutex_);
    return seen_;
  }

  std::string Evaluate(const EvalShape& shape, EvalBatch& batch) {
    MutexLock lock(&mutex_);
    is_at_gate_ = true;
    changed_.NotifyAll();
    while (is_closed_) changed_.Wait(&mutex_);
    is_at_gate_ = false;
    if (!error_.empty()) return error_;
    Seen seen{.count = batch.count, .positions = {}};
    batch.logits.clear();
    batch.values.clear();
    for (size_t i = 0; i < batch.count; ++i) {
      seen.positions.push_back(BytesOf(batch, shape, i));
      const bool is_guilty = guilty_ && seen.positions.back().front() == *guilty_;
      if (is_guilty && !guilty_error_.empty()) return guilty_error_;
      Answer(shape, HashOf(seen.positions.back()), i, batch);
      if (is_guilty) batch.values.back() = std::numeric_limits<float>::quiet_NaN();
    }
    seen_.push_back(std::move(seen));
    return "";
  }

 private:
  void Set(bool* flag, bool value) {
    MutexLock lock(&mutex_);
    *flag = value;
    changed_.NotifyAll();
  }

  static std::string BytesOf(const EvalBatch& batch, const EvalShape& shape, size_t i) {
    const auto part = [&](const std::vector<uint8_t>& bytes, size_t size) {
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(i * size);
      return std::string(begin, begin + static_cast<std::ptrdiff_t>(size));
    };
    return part(batch.cells, shape.cells) + part(batch.state, kSampleState);
  }

  static uint64_t HashOf(const std::string& bytes) {
    uint64_t hash = 0;
    for (const char byte : bytes) hash = Mix64(hash ^ static_cast<uint8_t>(byte));
    return hash;
  }

  void Answer(const EvalShape& shape, uint64_t hash, size_t i, EvalBatch& batch) const {
    const auto first = static_cast<int64_t>(i * shape.policy_size);
    const int64_t end = first + static_cast<int64_t>(shape.policy_size);
    for (const int64_t pick : batch.picks) {
      if (pick < first || pick >= end) continue;
      Random random(DeriveSeed(hash, static_cast<uint64_t>(pick - first)));
      batch.logits.push_back(is_flat_ ? 0 : static_cast<float>(2 * random.Unit()));
    }
    Random random(hash);
    std::vector<float> values(shape.seats);
    float sum = 0;
    for (float& value : values) {
      sum += value = is_flat_ ? 1 : static_cast<float>(0.5 + random.Unit());
    }
    for (float& value : values) value /= sum;
    if (!values_.empty()) values = values_;
    batch.values.insert(batch.values.end(), values.begin(), values.end());
  }

  mutable Mutex mutex_;
  CondVar changed_;
  bool is_closed_ = false;
  bool is_at_gate_ = false;
  bool is_flat_ = false;
  std::string error_;
  std::optional<char> guilty_;
  std::string guilty_error_;
  std::vector<float> values_;
  std::vector<Seen> seen_;
};

class FakeEvaluator final : public Evaluator {
 public:
  FakeEvaluator(std::shared_ptr<FakeModel> model, const EvalShape& shape)
      : model_(std::move(model)), shape_(shape) {}
  std::string Evaluate(EvalBatch& batch) override { return model_->Evaluate(shape_, batch); }

 private:
  const std::shared_ptr<FakeModel> model_;
  const EvalShape shape_;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_FAKE_EVALUATOR_H_
