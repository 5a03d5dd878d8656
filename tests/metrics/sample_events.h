// Feeds the metrics of a simulated coordinator and worker.

#ifndef TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_
#define TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_

#include <cstdint>

#include "coordinator/service/coordinator_metrics.h"
#include "worker/worker_metrics.h"

namespace triarch {

// Reports the events of the `step`th tenth of a second, from 0, of a simulated tournament. After a
// few steps every metric has been set with every label that it may have.
void RecordSampleEvents(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker);

}  // namespace triarch

#endif  // TRIARCH_TESTS_METRICS_SAMPLE_EVENTS_H_
