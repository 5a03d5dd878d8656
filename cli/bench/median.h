// Computes a median and its confidence interval.

#ifndef TRIARCH_CLI_BENCH_MEDIAN_H_
#define TRIARCH_CLI_BENCH_MEDIAN_H_

#include <cstddef>
#include <vector>

namespace triarch {

// With fewer values no interval of a median has a coverage of 95 %.
inline constexpr size_t kMedianValuesMin = 6;

// A median, and an interval that covers the true one in at least 95 % of all cases, whatever the
// distribution of the values: its ends are two of the values.
struct MedianEstimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Requires: at least kMedianValuesMin values.
MedianEstimate MedianOf(std::vector<double> values);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_MEDIAN_H_
