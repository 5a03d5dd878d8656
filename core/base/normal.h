// Draws normally distributed random numbers.

#ifndef TRIARCH_CORE_BASE_NORMAL_H_
#define TRIARCH_CORE_BASE_NORMAL_H_

#include <cmath>

#include "core/base/portable_math.h"
#include "core/base/random.h"

namespace triarch {

// Returns a number with mean 0 and standard deviation 1 (Box and Muller 1958), the same on every
// machine.
inline double NormalDeviate(Random& random) {
  const double radius = std::sqrt(-2 * PortableLog(1 - random.Unit()));
  return radius * PortableCosOfTurns(random.Unit());
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_NORMAL_H_
