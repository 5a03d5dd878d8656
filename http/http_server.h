// Serves /metrics, /healthz and /readyz over plain HTTP for scrapers and load balancers.

#ifndef TRIARCH_HTTP_HTTP_SERVER_H_
#define TRIARCH_HTTP_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// Accepts only GET and HEAD and a bounded number of connections, and changes nothing.
class HttpServer {
 public:
  struct Handlers {
    std::function<std::string()> metrics;  // in Prometheus text format
    std::function<absl::Status()>
        is_healthy;  // /healthz: 200 "ok", or 503 and the reason on one line
    std::function<absl::Status()> is_ready;  // /readyz
  };

  // Starts serving. `address` is e.g. "127.0.0.1:9090", "0.0.0.0:0" (any free port) or
  // "[::1]:9090". Fails with InvalidArgument if it is malformed, and with Unavailable if it cannot
  // be bound.
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
