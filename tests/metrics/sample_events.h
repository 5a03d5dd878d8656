#ifndef TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_
#define TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_

#include <cstdint>

#include "coordinator/service/coordinator_metrics.h"
#include "worker/worker_metrics.h"

namespace triarch {

// Tells the metrics of a coordinator and of a worker what may happen in the `step`th tenth of a
// second of a made-up tournament, from 0. After a few steps every metric was told of, with every
// label that it may have.
void TellSampleEvents(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker);

}  // namespace triarch

#endif  // TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_
