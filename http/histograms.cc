#include "http/histograms.h"

#include <algorithm>
#include <vector>

namespace triarch {

using Buckets = prometheus::Histogram::BucketBoundaries;

const Buckets& CallSecondsBuckets() {
  static const Buckets kBuckets = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                   0.1,    0.25,  0.5,    1,     2.5,  5,     10};
  return kBuckets;
}

const Buckets& MoveSecondsBuckets() {
  static const Buckets kBuckets = {1e-6, 1e-5, 1e-4, 0.001, 0.003, 0.01, 0.03,
                                   0.1,  0.3,  1,    3,     10,    60};
  return kBuckets;
}

void ObserveMean(prometheus::Histogram& histogram, const Buckets& buckets, int64_t count,
                 double sum) {
  if (count <= 0) return;
  const double mean = sum / static_cast<double>(count);
  std::vector<double> increments(buckets.size() + 1);
  const auto bucket = std::lower_bound(buckets.begin(), buckets.end(), mean) - buckets.begin();
  increments[static_cast<size_t>(bucket)] = static_cast<double>(count);
  histogram.ObserveMultiple(increments, sum);
}

}  // namespace triarch
