// Defines bucket bounds for latency histograms, and adds many values to one.

#ifndef TRIARCH_HTTP_HISTOGRAMS_H_
#define TRIARCH_HTTP_HISTOGRAMS_H_

#include <cstdint>

#include "prometheus/histogram.h"

namespace triarch {

// Bucket bounds in seconds. CallSecondsBuckets suits gRPC calls and commits (0.5 ms to 10 s);
// MoveSecondsBuckets suits moves (1 µs to 1 minute).
const prometheus::Histogram::BucketBoundaries& CallSecondsBuckets();
const prometheus::Histogram::BucketBoundaries& MoveSecondsBuckets();

// Observes `count` values of which only the sum is known, each as their mean. `buckets` must be the
// histogram's. Does nothing if count <= 0.
void ObserveMean(prometheus::Histogram& histogram,
                 const prometheus::Histogram::BucketBoundaries& buckets, int64_t count, double sum);

}  // namespace triarch

#endif  // TRIARCH_HTTP_HISTOGRAMS_H_
