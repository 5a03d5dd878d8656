// Accepts the connections of a coordinator's port, as many as the process has room for.

#ifndef TRIARCH_COORDINATOR_SERVICE_LISTENER_H_
#define TRIARCH_COORDINATOR_SERVICE_LISTENER_H_

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/service/open_connections.h"
#include "core/base/event_loop.h"
#include "core/base/log.h"

namespace triarch {

// gRPC's own listener stops for good when the process has no descriptor left for a connection. This
// one accepts at most 2200 connections, and fewer if the limit of descriptors is low, of which
// a quarter may come from one address. It closes all others at once.
class Listener {
 public:
  // Gets the descriptor of a connection, and closes it when it likes.
  using Take = std::function<void(int descriptor)>;

  // Binds "HOST:PORT"; port 0 means any free one. Fails with Unavailable. Connections wait until
  // Start.
  static absl::StatusOr<std::unique_ptr<Listener>> Open(const std::string& address);
  // Stops accepting, and returns after the last call of `take`.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Calls `take` for each connection, in a thread of this object, and logs those that it closes. To
  // be called once.
  void Start(
      Take take, LogTo log = [](const LogEntry&) {});

  int port() const;
  // Where a program on this machine can connect.
  const sockaddr_storage& address() const { return address_; }

 private:
  Listener();
  absl::Status Bind(const std::string& address, const std::string& host, int port);
  void Accept(int listening);

  sockaddr_storage address_{};
  std::vector<int> listening_;
  OpenConnections connections_;
  Take take_;
  LogTo log_;
  EventLoop loop_;
  std::vector<std::unique_ptr<EventLoop::Watch>> watches_;
  std::thread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_LISTENER_H_
