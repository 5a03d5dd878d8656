// Counts the open connections of a port, in total and by address.

#ifndef TRIARCH_COORDINATOR_SERVICE_OPEN_CONNECTIONS_H_
#define TRIARCH_COORDINATOR_SERVICE_OPEN_CONNECTIONS_H_

#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace triarch {

// Sockets that somebody else closes without telling. A descriptor that is closed, or that belongs
// to another socket by now, no longer counts. Not thread-safe.
class OpenConnections {
 public:
  struct Limits {
    size_t all = 0;
    size_t per_address = 0;  // does not hold for loopback, where a front end may run
  };
  explicit OpenConnections(Limits limits) : limits_(limits) {}

  // Counts a connection from the peer, and returns true, unless a limit is reached. An IPv6 address
  // stands for its network of 64 bits.
  bool Add(int socket, const sockaddr_storage& peer);

 private:
  struct Connection {
    int socket = -1;
    ino_t inode = 0;
    std::string address;
  };
  void RemoveClosed();
  bool IsFull(const std::string& address) const;

  const Limits limits_;
  std::vector<Connection> connections_;
  std::map<std::string, size_t> by_address_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_OPEN_CONNECTIONS_H_
