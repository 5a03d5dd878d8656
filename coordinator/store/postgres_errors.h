// Translates libpqxx's exceptions into statuses.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_

#include <cstdint>
#include <exception>
#include <string>

#include "absl/status/status.h"

// What the exceptions of libpqxx mean.
namespace triarch::postgres {

enum class Fault : uint8_t {
  kLost,        // the connection is of no use any more
  kInDoubt,     // the commit was sent, its answer was lost
  kRolledBack,  // for another transaction's sake; the same may succeed now
  kOther,
};
Fault FaultOf(const std::exception& error);

// As a status; `shown` names the database.
absl::Status ErrorOf(const std::string& shown, const std::exception& error);
// Of an attempt to connect: libpq gives words alone.
absl::Status ConnectError(const std::string& shown, const std::exception& error);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_ERRORS_H_
