// Records reported games on the store's thread and retries while the store is unavailable.

#ifndef TRIARCH_COORDINATOR_SERVICE_RECORDER_H_
#define TRIARCH_COORDINATOR_SERVICE_RECORDER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/session/record_queue.h"
#include "core/base/mutex.h"

namespace triarch {

// Drives a RecordQueue. Callers limit how many batches wait.
class Recorder {
 public:
  struct Commit {
    int64_t games = 0;
    std::chrono::duration<double> time{};
    absl::Status status;
  };
  struct Options {
    int64_t games_per_commit = 2'000;
    std::chrono::milliseconds retry{200};  // while the store is unavailable
    std::function<void(const Commit&)> on_commit = [](const Commit&) {};
  };

  // `thread` must outlive the recorder.
  Recorder(const Options& options, StoreThread& thread);
  ~Recorder() { End(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Calls RecordBatch::done on the store's thread; after End, calls it immediately with Cancelled.
  void Add(RecordBatch batch) ABSL_LOCKS_EXCLUDED(mutex_);
  // Records what it can immediately and cancels the rest. Do not call it on the store's thread.
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether the store answered the last transaction.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Flush(Store& store);
  std::vector<RecordBatch> TakeNext() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status RecordTogether(Store& store, std::vector<RecordBatch>& batches);
  // Posts another flush after a delay, unless the recorder ends first.
  void FlushLater() ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  StoreThread& thread_;

  mutable Mutex mutex_;
  CondVar changed_;
  RecordQueue queue_ ABSL_GUARDED_BY(mutex_);
  bool is_flush_posted_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_RECORDER_H_
