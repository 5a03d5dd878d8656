#include "bots/torch/eval_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <list>
#include <thread>
#include <utility>

#include "bots/torch/fake_evaluator.h"

namespace triarch {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr EvalShape kShape = {.game = "toy", .cells = 4, .policy_size = 10, .seats = 2};

class EvalQueueTest : public testing::Test {
 protected:
  // Makes a queue that in effect waits forever for a full batch.
  EvalQueue& Make(size_t batch, microseconds wait = hours(1)) {
    queue_ = std::make_unique<EvalQueue>(std::make_unique<FakeEvaluator>(model_, kShape), kShape,
                                         EvalQueueOptions{.batch = batch, .wait = wait});
    return *queue_;
  }

  // Returns positions identified by `first`, each with two moves.
  static EvalBatch Ask(size_t count, uint8_t first) {
    EvalBatch batch;
    for (size_t i = 0; i < count; ++i) {
      for (size_t c = 0; c < kShape.cells; ++c) {
        batch.cells.push_back(static_cast<uint8_t>(first + i));
      }
      batch.state.resize(batch.state.size() + kSampleState);
      const auto row = static_cast<int64_t>(i * kShape.policy_size);
      batch.picks.push_back(row + 3);
      batch.picks.push_back(row + 7);
    }
    batch.count = count;
    return batch;
  }

  // Returns the evaluator's direct answer.
  static EvalBatch Alone(EvalBatch batch) {
    FakeModel model;
    EXPECT_EQ(model.Evaluate(kShape, batch), "");
    return batch;
  }

  std::vector<size_t> BatchSizes() const {
    std::vector<size_t> sizes;
    for (const FakeModel::Seen& seen : model_->seen()) sizes.push_back(seen.count);
    return sizes;
  }

  const std::shared_ptr<FakeModel> model_ = std::make_shared<FakeModel>();
  std::unique_ptr<EvalQueue> queue_;
};

TEST_F(EvalQueueTest, ALoneSearchDoesNotWait) {
  EvalQueue& queue = Make(64);
  const EvalQueue::Searching searching(queue);
  EvalBatch batch = Ask(3, 1);
  ASSERT_TRUE(queue.Evaluate(batch, std::nullopt).ok());
  EXPECT_EQ(batch.logits, Alone(Ask(3, 1)).logits);
  EXPECT_EQ(batch.values, Alone(Ask(3, 1)).values);
  EXPECT_THAT(BatchSizes(), ElementsAre(3));
}

// Four searches of three positions and batches of eight: the first batch starts with the third
// request and takes the two that fit. The other starts with the last request, when no other search
// is running.
TEST_F(EvalQueueTest, FillsBatchesWithWholeRequestsAndReturnsTheirResults) {
  EvalQueue& queue = Make(8);
  std::list<EvalQueue::Searching> searching;
  for (int i = 0; i < 4; ++i) searching.emplace_back(queue);
  std::vector<EvalBatch> batches;
  for (uint8_t i = 0; i < 4; ++i) batches.push_back(Ask(3, static_cast<uint8_t>(10 * i)));
  std::vector<std::jthread> threads;
  for (EvalBatch& batch : batches) {
    std::list<EvalQueue::Searching> own;
    own.splice(own.begin(), searching, searching.begin());
    threads.emplace_back([&queue, &batch, own = std::move(own)]() mutable {
      EXPECT_TRUE(queue.Evaluate(batch, std::nullopt).ok());
      own.clear();
    });
  }
  threads.clear();
  EXPECT_THAT(BatchSizes(), ElementsAre(6, 6));
  EXPECT_EQ(queue.counts().batches, 2);
  EXPECT_EQ(queue.counts().positions, 12);
  for (uint8_t i = 0; i < 4; ++i) {
    const EvalBatch alone = Alone(Ask(3, static_cast<uint8_t>(10 * i)));
    EXPECT_EQ(batches[i].logits, alone.logits) << int{i};
    EXPECT_EQ(batches[i].values, alone.values) << int{i};
  }
}

TEST_F(EvalQueueTest, LimitsTheWaitForOtherRequests) {
  EvalQueue& queue = Make(64, milliseconds(5));
  const EvalQueue::Searching searching(queue);
  const EvalQueue::Searching idle(queue);
  const auto began = EvalQueue::Clock::now();
  EvalBatch batch = Ask(2, 1);
  ASSERT_TRUE(queue.Evaluate(batch, std::nullopt).ok());
  EXPECT_GE(EvalQueue::Clock::now() - began, milliseconds(5));
  EXPECT_THAT(BatchSizes(), ElementsAre(2));
}

TEST_F(EvalQueueTest, ARequestLargerThanABatchGoesAlone) {
  EvalQueue& queue = Make(2);
  const EvalQueue::Searching searching(queue);
  EvalBatch batch = Ask(5, 1);
  ASSERT_TRUE(queue.Evaluate(batch, std::nullopt).ok());
  EXPECT_EQ(batch.values, Alone(Ask(5, 1)).values);
  EXPECT_THAT(BatchSizes(), ElementsAre(5));
}

TEST_F(EvalQueueTest, WithdrawsOnlyRequestsThatStartTooLate) {
  EvalQueue& queue = Make(1);
  model_->CloseGate();
  EvalBatch begun = Ask(1, 1);
  const auto deadline = EvalQueue::Clock::now() + milliseconds(30);
  std::jthread other([&] { EXPECT_TRUE(queue.Evaluate(begun, deadline).ok()); });
  model_->WaitForBatchAtGate();
  EvalBatch late = Ask(1, 2);
  EXPECT_TRUE(absl::IsDeadlineExceeded(queue.Evaluate(late, deadline)));
  EXPECT_TRUE(absl::IsDeadlineExceeded(queue.Evaluate(late, deadline))) << "at once";
  model_->OpenGate();
  other.join();
  EXPECT_EQ(begun.values, Alone(Ask(1, 1)).values);
  EXPECT_EQ(queue.counts().positions, 1);
}

// Three games in one batch, one of which makes the model fail.
TEST_F(EvalQueueTest, OnlyTheFaultyRequestFails) {
  for (const std::string error : {"", "out of range"}) {
    Make(64);
    model_->FailAt(10, error);
    std::list<EvalQueue::Searching> searching;
    for (int i = 0; i < 3; ++i) searching.emplace_back(*queue_);
    std::vector<EvalBatch> batches;
    for (uint8_t i = 0; i < 3; ++i) batches.push_back(Ask(2, static_cast<uint8_t>(10 * i)));
    std::vector<absl::Status> answers(3);
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] { answers[i] = queue_->Evaluate(batches[i], std::nullopt); });
      }
    }
    EXPECT_THAT(std::string(answers[1].message()),
                HasSubstr(error.empty() ? "infinities or NaN" : error));
    for (const size_t i : {0u, 2u}) {
      EXPECT_TRUE(answers[i].ok()) << answers[i];
      EXPECT_EQ(batches[i].values, Alone(Ask(2, static_cast<uint8_t>(10 * i))).values);
    }
    EXPECT_EQ(queue_->counts().batches, error.empty() ? 1 : 4) << "together, then each alone";
    EXPECT_EQ(queue_->counts().positions, 6);
  }
}

TEST_F(EvalQueueTest, ReturnsTheEvaluatorsErrors) {
  EvalQueue& queue = Make(64);
  const EvalQueue::Searching searching(queue);
  EvalBatch batch = Ask(1, 1);
  model_->Fail("no memory");
  const absl::Status failed = queue.Evaluate(batch, std::nullopt);
  EXPECT_TRUE(absl::IsInternal(failed));
  EXPECT_EQ(failed.message(), "no memory");
  model_->Fail("");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    model_->SetValues({bad, 0});
    EXPECT_THAT(std::string(queue.Evaluate(batch, std::nullopt).message()),
                HasSubstr("infinities or NaN"));
  }
  model_->SetValues({0.25, 0.75});
  ASSERT_TRUE(queue.Evaluate(batch, std::nullopt).ok());
  EXPECT_THAT(batch.values, ElementsAre(0.25, 0.75));
}

}  // namespace
}  // namespace triarch
