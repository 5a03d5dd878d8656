// Exports the series with a worker label.

#ifndef TRIARCH_COORDINATOR_SERVICE_WORKER_SERIES_H_
#define TRIARCH_COORDINATOR_SERVICE_WORKER_SERIES_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "absl/base/thread_annotations.h"
#include "coordinator/leases/lease_book.h"
#include "core/base/mutex.h"
#include "prometheus/registry.h"

namespace triarch {

// The number of workers, and a few series for each worker that is alive, quarantined or was seen
// recently.
class WorkerSeries {
 public:
  WorkerSeries(prometheus::Registry& registry, std::chrono::milliseconds keep);
  ~WorkerSeries();
  WorkerSeries(const WorkerSeries&) = delete;
  WorkerSeries& operator=(const WorkerSeries&) = delete;

  void Set(std::span<const WorkerView> workers) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Families;
  struct Worker;

  bool IsShown(const WorkerView& view) const;

  const std::chrono::milliseconds keep_;
  const std::unique_ptr<Families> families_;
  Mutex mutex_;
  std::map<std::string, Worker, std::less<>> workers_ ABSL_GUARDED_BY(mutex_);  // by name
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_WORKER_SERIES_H_
