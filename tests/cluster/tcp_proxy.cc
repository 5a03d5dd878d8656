#include "tests/cluster/tcp_proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/base/check.h"

namespace triarch {
namespace {

constexpr std::chrono::milliseconds kStep{1};
constexpr size_t kBytesMax = 1 << 20;  // buffered in one direction

sockaddr_in Address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

}  // namespace

TcpProxy::TcpProxy(int target_port) : target_port_(target_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = Address(0);
  socklen_t size = sizeof(address);
  CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(listen(listener_, 64) == 0);
  CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this] { Run(); });
}

TcpProxy::~TcpProxy() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
  }
  thread_.join();
  close(listener_);
}

void TcpProxy::Set(Mode mode) {
  MutexLock lock(&mutex_);
  mode_ = mode;
}

void TcpProxy::Slow(std::chrono::milliseconds delay, int bytes_per_second) {
  MutexLock lock(&mutex_);
  delay_ = delay;
  bytes_per_second_ = bytes_per_second;
}

int TcpProxy::connections() const {
  MutexLock lock(&mutex_);
  return connections_;
}

void TcpProxy::Accept() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Address(target_port_);
  if (mode_ == Mode::kCut ||
      connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(client);
    close(server);
    return;
  }
  fcntl(server, F_SETFL, O_NONBLOCK);
  ++connections_;
  Link& link = links_.emplace_back();
  link.up.from = link.down.to = client;
  link.up.to = link.down.from = server;
}

// Returns false if the connection is broken.
bool TcpProxy::Move(Way& way) {
  const Clock::time_point now = Clock::now();
  std::array<char, 65536> some;
  while (!way.is_ended && way.bytes < kBytesMax) {
    const ssize_t got = read(way.from, some.data(), some.size());
    if (got < 0) {
      if (errno != EAGAIN) return false;
      break;
    }
    way.is_ended = got == 0;
    if (got == 0) continue;
    auto due = now + delay_;
    if (bytes_per_second_ > 0) {
      way.busy_to = std::max(way.busy_to, now) +
                    std::chrono::nanoseconds(got * 1'000'000'000 / bytes_per_second_);
      due = way.busy_to + delay_;
    }
    way.chunks.push_back({due, std::string(some.data(), static_cast<size_t>(got))});
    way.bytes += static_cast<size_t>(got);
  }
  while (!way.chunks.empty() && way.chunks.front().due <= now) {
    std::string& bytes = way.chunks.front().bytes;
    const ssize_t sent = send(way.to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno != EAGAIN) return false;
      break;
    }
    way.bytes -= static_cast<size_t>(sent);
    bytes.erase(0, static_cast<size_t>(sent));
    if (bytes.empty()) way.chunks.pop_front();
  }
  return !way.is_ended || !way.chunks.empty();
}

void TcpProxy::Run() {
  while (true) {
    pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
    poll(&waiting, 1, static_cast<int>(kStep.count()));
    MutexLock lock(&mutex_);
    if (waiting.revents != 0 && mode_ != Mode::kHold) Accept();
    for (auto link = links_.begin(); link != links_.end();) {
      const bool is_over = mode_ == Mode::kCut || is_ending_ ||
                           (mode_ == Mode::kPass && (!Move(link->up) || !Move(link->down)));
      if (is_over) {
        close(link->up.from);
        close(link->up.to);
        link = links_.erase(link);
      } else {
        ++link;
      }
    }
    if (is_ending_) return;
  }
}

}  // namespace triarch
