#include "cli/bench/median.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace triarch {
namespace {

// Returns how many of n sorted values to leave out at each end. Each end of the interval may miss
// the true median with a probability of 2.5 %: that at most so many of the values are on its side.
size_t LeftOut(size_t n) {
  double chance = std::pow(0.5, static_cast<double>(n));  // of exactly k values on one side
  double sum = chance;
  size_t k = 0;
  while (sum <= 0.025) {
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
    sum += chance;
  }
  return k == 0 ? 0 : k - 1;
}

}  // namespace

MedianEstimate MedianOf(std::vector<double> values) {
  CHECK(values.size() >= kMedianValuesMin);
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  const size_t left_out = LeftOut(n);
  return {.value = (values[(n - 1) / 2] + values[n / 2]) / 2,
          .low = values[left_out],
          .high = values[n - 1 - left_out]};
}

}  // namespace triarch
