#include "http/histograms.h"

#include <gtest/gtest.h>

namespace triarch {
namespace {

TEST(Histograms, ObservesManyValuesAsTheirMean) {
  prometheus::Histogram histogram(MoveSecondsBuckets());
  ObserveMean(histogram, MoveSecondsBuckets(), 40, 0.08);      // 2 ms each
  ObserveMean(histogram, MoveSecondsBuckets(), 2, 2 * 0.003);  // an upper bound is inclusive
  ObserveMean(histogram, MoveSecondsBuckets(), 1, 100);
  ObserveMean(histogram, MoveSecondsBuckets(), 0, 0);
  const prometheus::ClientMetric::Histogram seen = histogram.Collect().histogram;
  EXPECT_EQ(seen.sample_count, 43u);
  EXPECT_DOUBLE_EQ(seen.sample_sum, 100.086);
  for (const auto& bucket : seen.bucket) {
    const uint64_t expected = bucket.upper_bound < 0.003 ? 0u
                              : bucket.upper_bound <= 60 ? 42u
                                                         : 43u;
    EXPECT_EQ(bucket.cumulative_count, expected) << bucket.upper_bound;
  }
}

}  // namespace
}  // namespace triarch
