#include "coordinator/service/port_probe.h"

#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>

#include "absl/cleanup/cleanup.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{100};  // how often a waiting probe checks for its end

// The beginning of every HTTP/2 connection: the preface and an empty SETTINGS frame.
constexpr std::string_view kGreeting("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);

}  // namespace

PortProbe::PortProbe(const sockaddr_storage& address, Times times)
    : address_(address), times_(times), thread_([this] { Run(); }) {}

PortProbe::~PortProbe() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    ends_.NotifyAll();
  }
  thread_.join();
}

void PortProbe::Run() {
  while (!is_ending_) {
    failures_ = IsAnswered() || is_ending_ ? 0 : failures_ + 1;
    const Clock::time_point next = Clock::now() + times_.pause;
    MutexLock lock(&mutex_);
    while (!is_ending_ && Clock::now() < next) ends_.WaitUntil(&mutex_, next);
  }
}

bool PortProbe::WaitFor(int descriptor, short events) const {
  const Clock::time_point deadline = Clock::now() + times_.patience;
  while (!is_ending_ && Clock::now() < deadline) {
    pollfd waited{.fd = descriptor, .events = events, .revents = 0};
    const int ready = poll(&waited, 1, static_cast<int>(kSlice.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool PortProbe::IsAnswered() const {
  const int descriptor = socket(address_.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return false;
  const absl::Cleanup close_it = [descriptor] { close(descriptor); };
  const bool is_open =
      connect(descriptor, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0 ||
      (errno == EINPROGRESS && WaitFor(descriptor, POLLOUT));
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  if (!is_open || error != 0) return false;
  send(descriptor, kGreeting.data(), kGreeting.size(), MSG_NOSIGNAL);
  return WaitFor(descriptor, POLLIN);
}

}  // namespace triarch
