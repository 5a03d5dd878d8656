// Holds the certificate and the key of a TLS server, and checks them.

#ifndef TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_
#define TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace triarch {

// In PEM.
struct ServerTls {
  std::string cert;  // including its chain
  std::string key;
  std::string client_ca;  // authority for client certificates; if empty, clients need none

  friend bool operator==(const ServerTls&, const ServerTls&) = default;
};

// Fails with InvalidArgument if one of them cannot be read or the key is not the certificate's.
absl::Status CheckTls(const ServerTls& tls);

// Returns when the first of the certificates in a PEM text expires; absl::InfiniteFuture() if there
// is none.
absl::Time FirstExpiry(const std::string& pem);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_
