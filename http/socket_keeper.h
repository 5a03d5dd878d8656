// Keeps a listening socket open while its server restarts.

#ifndef TRIARCH_HTTP_SOCKET_KEEPER_H_
#define TRIARCH_HTTP_SOCKET_KEEPER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// A keeper is a small process that holds a listening socket and gives it to servers that ask: even
// if the server is killed, clients can connect and wait for the next one. It is found by the
// socket's address, obeys only processes of its own user, and ends when no server has held the
// socket for some time.
namespace triarch {

// A program's first argument when it is to be a keeper; then it calls KeepSocket.
inline constexpr const char* kKeepSocketWord = "__keep-socket";

// A server's hold on the socket, which ends with the process or with this object.
class SocketHold {
 public:
  // `keeper` is a connection to the keeper, or -1.
  SocketHold(int socket, int keeper, bool needs_keeper = false)
      : socket_(socket), keeper_(keeper), needs_keeper_(needs_keeper) {}
  ~SocketHold();
  SocketHold(SocketHold&& other) noexcept;
  SocketHold& operator=(SocketHold&&) = delete;

  // Returns the listening socket. Whoever closes it uses a copy.
  int socket() const { return socket_; }
  // Gives a new socket a keeper that lingers for that long after its last server, unless it is 0.
  // Call it when the server is sure to start.
  void Keep(int64_t linger_seconds);

 private:
  int socket_;
  int keeper_;
  bool needs_keeper_;
};

// Gets the listening socket for an address: from the service manager (LISTEN_FDS), from a keeper,
// or a new one. InvalidArgument: the address is malformed. Unavailable: it is in use, possibly by a
// server whose keeper was asked.
absl::StatusOr<SocketHold> HoldSocket(const std::string& address);

// Runs a keeper with the arguments that HoldSocket gave to the program. Returns its exit code.
int KeepSocket(int argc, const char* const* argv);

}  // namespace triarch

#endif  // TRIARCH_HTTP_SOCKET_KEEPER_H_
