// Holds the certificate and the key of a TLS server, and checks them.

#ifndef TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_
#define TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_

#include <string>

#include "absl/status/status.h"

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

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_SERVER_TLS_H_
