// Batches the positions of many searches for one evaluator.

#ifndef TRIARCH_BOTS_TORCH_EVAL_QUEUE_H_
#define TRIARCH_BOTS_TORCH_EVAL_QUEUE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "bots/torch/evaluator.h"
#include "core/base/mutex.h"

namespace triarch {

struct EvalQueueOptions {
  size_t batch = 64;                    // positions at a time, at most; a larger request goes alone
  std::chrono::microseconds wait{500};  // for more of them
};

// Puts the positions of many searches, each in a thread of its own, together into batches for one
// evaluator, which has a thread of its own too. A batch begins when it is full, when every search
// that is under way waits for one, or when its oldest request has waited for so long. Requests are
// taken in the order in which they came, each as a whole. A request that the evaluator cannot
// answer fails alone: where a batch of several fails, each of them is tried by itself.
class EvalQueue {
 public:
  using Clock = std::chrono::steady_clock;

  EvalQueue(std::unique_ptr<Evaluator> evaluator, const EvalShape& shape,
            const EvalQueueOptions& options);
  // Requires: nobody searches.
  ~EvalQueue();
  EvalQueue(const EvalQueue&) = delete;
  EvalQueue& operator=(const EvalQueue&) = delete;

  // A search is under way for as long as this lives: more requests may come of it.
  class Searching {
   public:
    explicit Searching(EvalQueue& queue);
    ~Searching();
    Searching(const Searching&) = delete;
    Searching& operator=(const Searching&) = delete;

   private:
    EvalQueue& queue_;
  };

  // Fills in what the evaluator makes of the batch, and waits for it. Any thread, while it is
  // Searching. DeadlineExceeded: the request was not begun by then, and never will be; one that was
  // begun ends. Internal: of this very batch the evaluator failed, or answered with something that
  // is no number.
  absl::Status Evaluate(EvalBatch& batch, std::optional<Clock::time_point> deadline)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const EvalShape& shape() const { return shape_; }

  struct Counts {
    int64_t batches = 0;
    int64_t positions = 0;
  };
  Counts counts() const ABSL_LOCKS_EXCLUDED(mutex_);  // so far

 private:
  struct Request {
    explicit Request(EvalBatch& given) : batch(given) {}

    EvalBatch& batch;
    Clock::time_point came = Clock::now();
    bool is_taken = false;
    bool is_done = false;
    absl::Status status;
    CondVar done;
  };

  void Serve() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits until a batch may begin; empty: the queue ends.
  std::vector<Request*> Take() ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_due() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sets the status of each: one of them fails by itself and takes no other with it. Returns the
  // batches that it took.
  int64_t EvaluateAll(const std::vector<Request*>& requests);
  // False: the evaluator failed, and nothing is said of any.
  bool EvaluateTogether(const std::vector<Request*>& requests);
  absl::Status Run(EvalBatch& batch);

  const std::unique_ptr<Evaluator> evaluator_;  // the server's
  const EvalShape shape_;
  const EvalQueueOptions options_;
  EvalBatch together_;  // the server's

  mutable Mutex mutex_;
  CondVar changed_;  // what the server looks at
  std::deque<Request*> waiting_ ABSL_GUARDED_BY(mutex_);
  size_t positions_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t searching_ ABSL_GUARDED_BY(mutex_) = 0;
  Counts counts_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  std::jthread server_;  // last: it uses all of the others
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_EVAL_QUEUE_H_
