#include "http/http_connection.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace triarch {
namespace {

using std::chrono::milliseconds;

// How often a connection checks whether the server is shutting down.
constexpr milliseconds kSlice{50};

// Maximum number of bytes to read and discard before closing.
constexpr size_t kDrainMax = 64 * 1024;

}  // namespace

HttpConnection::HttpConnection(int socket, milliseconds timeout, const std::atomic<bool>* is_ending)
    : socket_(socket),
      deadline_(std::chrono::steady_clock::now() + timeout),
      is_ending_(is_ending) {
  // Bot processes must not inherit the socket.
  ::fcntl(socket_, F_SETFD, FD_CLOEXEC);
}

HttpConnection::~HttpConnection() { ::close(socket_); }

bool HttpConnection::WaitFor(short events) const {
  while (!*is_ending_) {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waited{.fd = socket_, .events = events, .revents = 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return true;  // also on an error, which the next call reports
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool HttpConnection::is_readable() const { return WaitFor(POLLIN); }

bool HttpConnection::is_writable() const { return WaitFor(POLLOUT); }

ssize_t HttpConnection::read(char* data, size_t size) {
  return WaitFor(POLLIN) ? ::recv(socket_, data, size, MSG_DONTWAIT) : -1;
}

ssize_t HttpConnection::write(const char* data, size_t size) {
  return WaitFor(POLLOUT) ? ::send(socket_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL) : -1;
}

void HttpConnection::Finish() {
  ::shutdown(socket_, SHUT_WR);
  std::array<char, 4096> unread;
  for (size_t drained = 0; drained < kDrainMax;) {
    const ssize_t got = read(unread.data(), unread.size());
    if (got <= 0) return;
    drained += static_cast<size_t>(got);
  }
}

void HttpConnection::get_remote_ip_and_port(std::string& address, int& port) const {
  address.clear();
  port = 0;
}

void HttpConnection::get_local_ip_and_port(std::string& address, int& port) const {
  address.clear();
  port = 0;
}

}  // namespace triarch
