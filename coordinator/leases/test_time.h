// Makes the times that the lease book's tests use.

#ifndef TRIARCH_COORDINATOR_LEASES_TEST_TIME_H_
#define TRIARCH_COORDINATOR_LEASES_TEST_TIME_H_

#include <chrono>

#include "coordinator/leases/lease_book.h"

namespace triarch {

// Returns the time that is `seconds` after the start of the test.
inline LeaseBook::Time At(double seconds) {
  return LeaseBook::Time(std::chrono::hours(10)) +
         std::chrono::duration_cast<LeaseBook::Time::duration>(
             std::chrono::duration<double>(seconds));
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_TEST_TIME_H_
