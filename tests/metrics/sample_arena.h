// Feeds the metrics of a simulated arena.

#ifndef TRIARCH_TESTS_METRICS_SAMPLE_ARENA_H_
#define TRIARCH_TESTS_METRICS_SAMPLE_ARENA_H_

#include <cstdint>

#include "arena/service/arena_metrics.h"

namespace triarch::arena {

// Reports the events of the `step`th tenth of a second, from 0. After one step every metric has
// been set with every label that it may have.
void RecordSampleArena(int64_t step, ArenaMetrics& metrics);

}  // namespace triarch::arena

#endif  // TRIARCH_TESTS_METRICS_SAMPLE_ARENA_H_
