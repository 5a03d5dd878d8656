#ifndef TRIARCH_HTTP_HTTP_SERVER_H_
#define TRIARCH_HTTP_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// /metrics, /healthz and /readyz over plain HTTP, for scrapers and load balancers: GET and HEAD
// only, a bounded number of connections, nothing that could change anything.
class HttpServer {
 public:
  struct Handlers {
    std::function<std::string()> metrics;      // text format of Prometheus
    std::function<absl::Status()> is_healthy;  // /healthz: 200 "ok" or 503 with why, on one line
    std::function<absl::Status()> is_ready;    // /readyz
  };

  // Serves at once. `address`: "127.0.0.1:9090", "0.0.0.0:0" (any free port), "[::1]:9090".
  // InvalidArgument: no such address; Unavailable: it is taken or may not be used.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(const std::string& address,
                                                           Handlers handlers);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;

 private:
  struct Server;
  explicit HttpServer(std::unique_ptr<Server> server);
  const std::unique_ptr<Server> server_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_HTTP_SERVER_H_
