// The session that the parts of a coordinator share.

#ifndef TRIARCH_COORDINATOR_SERVICE_SHARED_SESSION_H_
#define TRIARCH_COORDINATOR_SERVICE_SHARED_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "coordinator/session/coordinator_session.h"
#include "core/base/mutex.h"
#include "core/schedule/schedule.h"

namespace triarch {

// Lock order: this mutex, then the mutexes of the parts (recorder, executors, store threads,
// publisher, bundles, ratings), of which at most one is locked at a time. No callback runs under
// this mutex.
struct SharedSession {
  SharedSession(CoordinatorSession::Options options, uint64_t epoch)
      : session(std::move(options), epoch) {}

  mutable Mutex mutex;
  CoordinatorSession session ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<const Schedule>> schedules ABSL_GUARDED_BY(mutex);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_SHARED_SESSION_H_
