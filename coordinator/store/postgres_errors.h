// Translates the exceptions of libpqxx into statuses.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_

#include <cstdint>
#include <exception>
#include <string>

#include "absl/status/status.h"

namespace triarch::postgres {

enum class Fault : uint8_t {
  kLost,        // the connection is unusable
  kInDoubt,     // the commit was sent, but its answer was lost
  kRolledBack,  // because of another transaction; a retry may succeed
  kOther,
};
Fault FaultOf(const std::exception& error);

// `shown` names the database.
absl::Status ErrorOf(const std::string& shown, const std::exception& error);
// Returns the error of an attempt to connect, which libpq describes only in words.
absl::Status ConnectError(const std::string& shown, const std::exception& error);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_
