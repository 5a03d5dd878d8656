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

// The workers as the coordinator sees them: how many in all, and a few series for each one that is
// alive, quarantined or was seen of late.
class WorkerSeries {
 public:
  WorkerSeries(prometheus::Registry& registry, std::chrono::milliseconds keep);
  ~WorkerSeries();
  WorkerSeries(const WorkerSeries&) = delete;
  WorkerSeries& operator=(const WorkerSeries&) = delete;

  void Set(std::span<const LeaseBook::WorkerView> workers) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Families;
  struct Worker;

  bool IsShown(const LeaseBook::WorkerView& view) const;

  const std::chrono::milliseconds keep_;
  const std::unique_ptr<Families> families_;
  Mutex mutex_;
  std::map<std::string, Worker, std::less<>> workers_ ABSL_GUARDED_BY(mutex_);  // by name
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_WORKER_SERIES_H_
