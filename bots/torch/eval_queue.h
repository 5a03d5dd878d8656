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
  size_t batch = 64;                    // maximum positions per batch; a larger request goes alone
  std::chrono::microseconds wait{500};  // maximum wait for more positions
};

// Combines the positions of many searches, each in its own thread, into batches for one evaluator,
// which also has its own thread. A batch starts when it is full, when every running search is
// waiting for a result, or when its oldest request has waited for the maximum time. Requests are
// served whole and in order of arrival. A request that the evaluator cannot answer fails alone: if
// a batch of several requests fails, each is retried separately.
class EvalQueue {
 public:
  using Clock = std::chrono::steady_clock;

  EvalQueue(std::unique_ptr<Evaluator> evaluator, const EvalShape& shape,
            const EvalQueueOptions& options);
  // Requires: no search is running.
  ~EvalQueue();
  EvalQueue(const EvalQueue&) = delete;
  EvalQueue& operator=(const EvalQueue&) = delete;

  // Marks a search as running during its lifetime: more requests may come.
  class Searching {
   public:
    explicit Searching(EvalQueue& queue);
    ~Searching();
    Searching(const Searching&) = delete;
    Searching& operator=(const Searching&) = delete;

   private:
    EvalQueue& queue_;
  };

  // Fills in the results of the batch and waits for them. Callable from any thread while it holds a
  // Searching. DeadlineExceeded: evaluation did not start in time and never will; once started, a
  // request is completed. Internal: the evaluator failed on this batch or returned NaN or infinity.
  absl::Status Evaluate(EvalBatch& batch, std::optional<Clock::time_point> deadline)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const EvalShape& shape() const { return shape_; }

  struct Counts {
    int64_t batches = 0;
    int64_t positions = 0;
  };
  Counts counts() const ABSL_LOCKS_EXCLUDED(mutex_);

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
  // Waits until a batch may start. Returns nothing when the queue ends.
  std::vector<Request*> Take() ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_due() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sets the status of each request; a failing one does not affect the others. Returns the number
  // of batches evaluated.
  int64_t EvaluateAll(const std::vector<Request*>& requests);
  // Returns false, and sets no status, if the evaluator failed.
  bool EvaluateTogether(const std::vector<Request*>& requests);
  absl::Status Run(EvalBatch& batch);

  const std::unique_ptr<Evaluator> evaluator_;  // used by the server thread
  const EvalShape shape_;
  const EvalQueueOptions options_;
  EvalBatch together_;  // used by the server thread

  mutable Mutex mutex_;
  CondVar changed_;  // wakes the server thread
  std::deque<Request*> waiting_ ABSL_GUARDED_BY(mutex_);
  size_t positions_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t searching_ ABSL_GUARDED_BY(mutex_) = 0;
  Counts counts_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  std::jthread server_;  // declared last: it uses all other members
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_EVAL_QUEUE_H_
