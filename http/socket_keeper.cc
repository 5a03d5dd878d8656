#include "http/socket_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "http/web_server.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFirstSystemdSocket = 3;

// The descriptors of a keeper when it starts.
constexpr int kSocketFd = 3;
constexpr int kDoorFd = 4;    // the socket at which servers ask
constexpr int kServerFd = 5;  // the connection of the server that started it

// How long a server waits for a keeper that does not answer.
constexpr timeval kPatience{.tv_sec = 5, .tv_usec = 0};

// An abstract address, which vanishes with its last user.
struct DoorAddress {
  sockaddr_un raw{};
  socklen_t size = 0;
};
DoorAddress DoorOf(const std::string& address) {
  DoorAddress door;
  door.raw.sun_family = AF_UNIX;
  const std::string name = "triarch-socket-" + address;
  std::memcpy(door.raw.sun_path + 1, name.data(), name.size());  // after a NUL
  door.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return door;
}

bool IsOwnUser(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

// A message of one byte that carries a descriptor.
struct Parcel {
  Parcel() {
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  char byte = 's';
  iovec bytes{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
};

// Returns whether the other side is still there.
bool SendSocket(int connection, int socket) {
  Parcel parcel;
  cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &socket, sizeof socket);
  return ::sendmsg(connection, &parcel.message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

std::optional<int> ReceiveSocket(int connection) {
  Parcel parcel;
  if (::recvmsg(connection, &parcel.message, MSG_CMSG_CLOEXEC) != 1) return std::nullopt;
  const cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int socket = -1;
  std::memcpy(&socket, CMSG_DATA(header), sizeof socket);
  return socket;
}

std::optional<SocketHold> AskKeeper(const std::string& address) {
  const DoorAddress door = DoorOf(address);
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return std::nullopt;
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  const bool is_connected =
      ::connect(connection, reinterpret_cast<const sockaddr*>(&door.raw), door.size) == 0;
  if (is_connected && IsOwnUser(connection)) {
    if (const std::optional<int> socket = ReceiveSocket(connection)) {
      return SocketHold(*socket, connection);
    }
  }
  ::close(connection);
  return std::nullopt;
}

std::optional<int> SystemdSocket() {
  const char* const pid = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  if (pid == nullptr || count == nullptr) return std::nullopt;
  if (ParseInt64(pid) != ::getpid() || ParseInt64(count).value_or(0) < 1) return std::nullopt;
  ::fcntl(kFirstSystemdSocket, F_SETFD, FD_CLOEXEC);
  return kFirstSystemdSocket;
}

// Starts a keeper and returns the connection to it, or -1. Then the socket just has none.
int StartKeeper(int socket, int64_t linger_seconds) {
  const DoorAddress address = DoorOf(AddressOf(socket));
  const int door = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (door < 0) return -1;
  std::array<int, 2> ends{};
  const bool is_ready =
      ::bind(door, reinterpret_cast<const sockaddr*>(&address.raw), address.size) == 0 &&
      ::listen(door, 8) == 0 &&
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0;
  if (!is_ready) {
    ::close(door);
    return -1;
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // First out of the way of each other.
  constexpr int kAside = 100;
  const std::array<std::pair<int, int>, 3> wanted = {
      {{socket, kSocketFd}, {door, kDoorFd}, {ends[1], kServerFd}}};
  for (const auto& [from, to] : wanted) {
    ::posix_spawn_file_actions_adddup2(&actions, from, kAside + to);
  }
  for (const auto& [from, to] : wanted) {
    ::posix_spawn_file_actions_adddup2(&actions, kAside + to, to);
  }
  for (int fd = 0; fd < 3; ++fd) {
    ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  }
  ::posix_spawn_file_actions_addclosefrom_np(&actions, kServerFd + 1);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string name = "triarch-socket";
  std::string word = kKeepSocketWord;
  std::string linger = std::to_string(linger_seconds);
  const std::array<char*, 4> argv = {name.data(), word.data(), linger.data(), nullptr};
  pid_t pid = 0;
  const int error =
      ::posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  ::close(door);
  ::close(ends[1]);
  if (error == 0) return ends[0];
  ::close(ends[0]);
  return -1;
}

}  // namespace

SocketHold::SocketHold(SocketHold&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      keeper_(std::exchange(other.keeper_, -1)),
      needs_keeper_(other.needs_keeper_) {}

void SocketHold::Keep(int64_t linger_seconds) {
  if (!needs_keeper_ || linger_seconds <= 0) return;
  keeper_ = StartKeeper(socket_, linger_seconds);
  needs_keeper_ = false;
}

SocketHold::~SocketHold() {
  if (socket_ >= 0) ::close(socket_);
  if (keeper_ >= 0) ::close(keeper_);
}

absl::StatusOr<SocketHold> HoldSocket(const std::string& address) {
  if (const std::optional<int> socket = SystemdSocket()) return SocketHold(*socket, -1);
  ASSIGN_OR_RETURN(const std::string resolved, ResolveAddress(address));
  if (std::optional<SocketHold> kept = AskKeeper(resolved)) return *std::move(kept);
  ASSIGN_OR_RETURN(const int socket, ListenAt(address));
  return SocketHold(socket, -1, /*needs_keeper=*/true);
}

int KeepSocket(int argc, const char* const* argv) {
  const std::optional<int64_t> linger = argc > 2 ? ParseInt64(argv[2]) : std::nullopt;
  if (!linger) return 2;
  // Ctrl-C is for the server; a service manager ends this process with SIGKILL.
  for (const int signal : {SIGINT, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  std::vector<int> servers = {kServerFd};
  std::vector<int> next;  // those that wait for the server's end
  Clock::time_point end = Clock::time_point::max();
  while (true) {
    while (servers.empty() && !next.empty()) {
      if (SendSocket(next.front(), kSocketFd)) {
        servers.push_back(next.front());
      } else {
        ::close(next.front());
      }
      next.erase(next.begin());
    }
    std::vector<pollfd> waited = {{.fd = kDoorFd, .events = POLLIN, .revents = 0}};
    for (const int server : servers) {
      waited.push_back({.fd = server, .events = POLLIN, .revents = 0});
    }
    if (!servers.empty()) end = Clock::time_point::max();
    if (servers.empty() && end == Clock::time_point::max()) {
      end = Clock::now() + std::chrono::seconds(*linger);
    }
    int timeout = -1;
    if (servers.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      if (left <= 0) return 0;
      timeout = static_cast<int>(left);
    }
    if (::poll(waited.data(), waited.size(), timeout) < 0 && errno != EINTR) return 1;
    for (size_t i = 1; i < waited.size(); ++i) {
      // A server says nothing; it only ends.
      if (waited[i].revents == 0) continue;
      ::close(waited[i].fd);
      std::erase(servers, waited[i].fd);
    }
    if ((waited[0].revents & POLLIN) == 0) continue;
    const int server = ::accept4(kDoorFd, nullptr, nullptr, SOCK_CLOEXEC);
    if (server < 0) continue;
    if (IsOwnUser(server)) {
      next.push_back(server);
    } else {
      ::close(server);
    }
  }
}

}  // namespace triarch
