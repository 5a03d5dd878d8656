// Draws normally distributed random numbers.

#ifndef TRIARCH_CORE_BASE_NORMAL_H_
#define TRIARCH_CORE_BASE_NORMAL_H_

#include <cmath>
#include <numbers>

#include "core/base/random.h"

namespace triarch {

// Returns a number with mean 0 and standard deviation 1 (Box and Muller 1958). Its last bit may
// differ between C libraries.
inline double NormalDeviate(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.Unit()));
  return radius * std::cos(2 * std::numbers::pi * random.Unit());
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_NORMAL_H_
