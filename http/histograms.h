#ifndef TRIARCH_HTTP_HISTOGRAMS_H_
#define TRIARCH_HTTP_HISTOGRAMS_H_

#include <cstdint>

#include "prometheus/histogram.h"

namespace triarch {

// Upper bounds in seconds: of a gRPC call or a commit, from the loopback's to a timeout's; of a
// move, from a random bot's to a minute's thought.
const prometheus::Histogram::BucketBoundaries& CallSecondsBuckets();
const prometheus::Histogram::BucketBoundaries& MoveSecondsBuckets();

// Observes `count` values of which only the sum is known, each as their mean. `buckets` are the
// histogram's. Nothing if count <= 0.
void ObserveMean(prometheus::Histogram& histogram,
                 const prometheus::Histogram::BucketBoundaries& buckets, int64_t count, double sum);

}  // namespace triarch

#endif  // TRIARCH_HTTP_HISTOGRAMS_H_
