#include "coordinator/service/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "core/base/listen_error.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kConnectionsMax = 2200;  // about 100 kB each with TLS
constexpr size_t kConnectionsMin = 16;
constexpr size_t kOtherDescriptors = 100;  // for the store, the pages of --http and gRPC itself
constexpr int kBacklog = 1024;
constexpr int kUnacknowledgedMs = 20'000;  // then the kernel gives a connection up
// Without descriptors or memory, accepting again at once would only use up a core.
constexpr std::chrono::milliseconds kPause{100};

OpenConnections::Limits LimitsOfProcess() {
  rlimit limit{};
  size_t all = kConnectionsMax;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < all + kOtherDescriptors) {
    all = limit.rlim_cur - std::min<size_t>(limit.rlim_cur, kOtherDescriptors);
  }
  all = std::max(all, kConnectionsMin);
  return {.all = all, .per_address = all / 4};
}

void Enable(int socket, int level, int option, int value = 1) {
  setsockopt(socket, level, option, &value, sizeof value);
}

int PortOf(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET
                   ? reinterpret_cast<const sockaddr_in&>(address).sin_port
                   : reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

void SetPort(sockaddr* address, int port) {
  const in_port_t in_network_order = htons(static_cast<uint16_t>(port));
  if (address->sa_family == AF_INET) {
    reinterpret_cast<sockaddr_in*>(address)->sin_port = in_network_order;
  } else {
    reinterpret_cast<sockaddr_in6*>(address)->sin6_port = in_network_order;
  }
}

// Returns a listening socket, or -1 and errno. Accepted sockets inherit its options.
int Listen(const addrinfo& where) {
  const int descriptor =
      socket(where.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, where.ai_protocol);
  if (descriptor < 0) return -1;
  Enable(descriptor, SOL_SOCKET, SO_REUSEADDR);
  Enable(descriptor, IPPROTO_TCP, TCP_NODELAY);
  Enable(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnacknowledgedMs);
  // [::] means every address of the machine, whatever the system's default is.
  if (where.ai_family == AF_INET6) Enable(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (bind(descriptor, where.ai_addr, where.ai_addrlen) == 0 && listen(descriptor, kBacklog) == 0) {
    return descriptor;
  }
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

LogEntry ClosedEntry(const sockaddr_storage& peer, socklen_t size) {
  std::array<char, NI_MAXHOST> host{};
  getnameinfo(reinterpret_cast<const sockaddr*>(&peer), size, host.data(), host.size(), nullptr, 0,
              NI_NUMERICHOST);
  LogEntry entry = Warning("listen", "A connection was closed at once.",
                           "as many as allowed are open, in total or from this address");
  entry.fields.insert(entry.fields.begin(), {"peer", std::string(host.data())});
  return entry;
}

}  // namespace

Listener::Listener() : connections_(LimitsOfProcess()) {}

absl::StatusOr<std::unique_ptr<Listener>> Listener::Open(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto port = ParseInt64(std::string_view(address).substr(colon + 1));
  auto listener = std::unique_ptr<Listener>(new Listener);
  RETURN_IF_ERROR(listener->Bind(address, host, static_cast<int>(port.value_or(0))));
  return listener;
}

absl::Status Listener::Bind(const std::string& address, const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &all);
  if (error != 0) {
    return absl::UnavailableError("cannot listen at " + Quote(address) + ": " +
                                  gai_strerror(error));
  }
  const absl::Cleanup free_them = [all] { freeaddrinfo(all); };
  int why = 0;
  std::set<std::string> seen;
  for (const addrinfo* one = all; one != nullptr; one = one->ai_next) {
    // Some systems list an address of "localhost" twice.
    const std::string raw(reinterpret_cast<const char*>(one->ai_addr), one->ai_addrlen);
    if (!seen.insert(raw).second) continue;
    // Its addresses share a port.
    if (!listening_.empty()) SetPort(one->ai_addr, this->port());
    const int descriptor = Listen(*one);
    if (descriptor < 0) {
      why = errno;
      if (why == EADDRNOTAVAIL || why == EAFNOSUPPORT) continue;  // no IPv6, for example
      return ListenError(address, why);
    }
    socklen_t size = sizeof address_;
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&address_), &size);
    listening_.push_back(descriptor);
  }
  return listening_.empty() ? ListenError(address, why) : absl::OkStatus();
}

Listener::~Listener() {
  loop_.Stop();
  if (thread_.joinable()) thread_.join();
  watches_.clear();
  for (const int descriptor : listening_) close(descriptor);
}

void Listener::Start(Take take, LogTo log) {
  take_ = std::move(take);
  log_ = std::move(log);
  for (const int descriptor : listening_) {
    watches_.push_back(std::make_unique<EventLoop::Watch>(
        loop_, EventLoop::Watch::For::kReading, [this, descriptor] { Accept(descriptor); }));
    watches_.back()->Start(descriptor);
  }
  thread_ = std::thread([this] { loop_.Run(); });
}

void Listener::Accept(int listening) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int descriptor =
      accept4(listening, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  const bool is_exhausted =
      descriptor < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
  if (is_exhausted) {
    log_(Warning("listen", "A connection cannot be accepted.", std::strerror(errno)));
    std::this_thread::sleep_for(kPause);
  }
  if (descriptor < 0) return;
  if (connections_.Add(descriptor, peer)) {
    take_(descriptor);
  } else {
    close(descriptor);
    log_(ClosedEntry(peer, size));
  }
}

int Listener::port() const { return PortOf(address_); }

}  // namespace triarch
