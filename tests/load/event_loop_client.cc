#include "tests/load/event_loop_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_format.h"

namespace triarch {
namespace {

// Text to send and the answer so far.
class TextSocket : public LoadLoop::Socket {
 public:
  TextSocket(int fd, std::string out) : Socket(fd), out_(std::move(out)) {}

 protected:
  void Queue(std::string_view text) { out_ += text; }
  // Sends what waits. Returns false if the connection has failed.
  bool Flush() {
    while (!out_.empty()) {
      const ssize_t sent = ::send(fd(), out_.data(), out_.size(), MSG_NOSIGNAL);
      if (sent < 0) return errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS;
      out_.erase(0, static_cast<size_t>(sent));
    }
    return true;
  }
  // Appends what has come. Returns false at the end.
  bool Receive(std::string& in) const {
    std::array<char, 65'536> buffer;
    while (true) {
      const ssize_t got = ::recv(fd(), buffer.data(), buffer.size(), 0);
      if (got < 0) return errno == EAGAIN || errno == ENOTCONN;
      if (got == 0) return false;
      in.append(buffer.data(), static_cast<size_t>(got));
    }
  }

 private:
  std::string out_;
};

class RequestSocket final : public TextSocket {
 public:
  RequestSocket(int fd, std::string out, std::function<void(const LoadResponse&)> done)
      : TextSocket(fd, std::move(out)), done_(std::move(done)) {}

  bool OnReady(bool can_write) override {
    const bool is_well = !can_write || Flush();
    if (is_well && Receive(in_)) return true;
    LoadResponse response{.status = 0, .body = "", .took = LoadClock::now() - began_};
    const size_t body = in_.find("\r\n\r\n");
    if (in_.size() > 12 && body != std::string::npos) {
      response.status = std::atoi(in_.c_str() + 9);
      response.body = in_.substr(body + 4);
    }
    done_(response);
    return false;
  }

 private:
  const LoadClock::time_point began_ = LoadClock::now();
  const std::function<void(const LoadResponse&)> done_;
  std::string in_;
};

// Follows RFC 6455 as far as a server's frames need it.
class WebSocketReader final : public TextSocket {
 public:
  WebSocketReader(int fd, std::string out, std::function<void(std::string_view)> message,
                  std::function<void()> closed)
      : TextSocket(fd, std::move(out)), message_(std::move(message)), closed_(std::move(closed)) {}

  bool OnReady(bool can_write) override {
    bool is_open = (!can_write || Flush()) && Receive(in_);
    if (!is_upgraded_) {
      const size_t end = in_.find("\r\n\r\n");
      if (end != std::string::npos) {
        is_open = is_open && in_.starts_with("HTTP/1.1 101");
        is_upgraded_ = true;
        in_.erase(0, end + 4);
      }
    }
    while (is_open && is_upgraded_ && ReadFrame(&is_open)) {
    }
    is_open = is_open && Flush();
    if (!is_open) closed_();
    return is_open;
  }

 private:
  // Reads one frame. Returns false if it is not all there.
  bool ReadFrame(bool* is_open) {
    if (in_.size() < 2) return false;
    const auto byte = [this](size_t i) { return static_cast<unsigned char>(in_[i]); };
    size_t header = 2;
    uint64_t size = byte(1) & 0x7fU;
    const size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (in_.size() < header + more) return false;
    if (more != 0) size = 0;
    for (size_t i = 0; i < more; ++i) size = size << 8 | byte(header + i);
    header += more;
    if (in_.size() < header + size) return false;
    const std::string_view data(in_.data() + header, size);
    const unsigned kind = byte(0) & 0x0fU;
    if (kind == 9) {  // a ping; the mask of the pong is 0
      Queue(std::string("\x8a") + static_cast<char>(0x80U | size) + std::string(4, '\0'));
      Queue(data);
    } else if (kind == 8) {
      *is_open = false;
    } else if ((byte(0) & 0x80U) == 0) {
      begun_ += data;
    } else if (begun_.empty()) {
      message_(data);
    } else {
      begun_ += data;
      message_(std::exchange(begun_, ""));
    }
    in_.erase(0, header + size);
    return true;
  }

  const std::function<void(std::string_view)> message_;
  const std::function<void()> closed_;
  bool is_upgraded_ = false;
  std::string in_;
  std::string begun_;  // of a message in several frames
};

}  // namespace

LoadLoop::Socket::~Socket() { ::close(fd_); }

LoadLoop::LoadLoop(uint16_t port) : epoll_(::epoll_create1(0)) {
  server_.sin_family = AF_INET;
  server_.sin_port = htons(port);
  server_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

LoadLoop::~LoadLoop() {
  sockets_.clear();
  ::close(epoll_);
}

int LoadLoop::Connect() const {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    std::perror("socket");
    std::exit(1);
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  // A failure shows when the socket is used.
  (void)::connect(fd, reinterpret_cast<const sockaddr*>(&server_), sizeof(server_));
  return fd;
}

void LoadLoop::Add(std::unique_ptr<Socket> socket) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLET;
  event.data.fd = socket->fd();
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket->fd(), &event);
  sockets_[socket->fd()] = std::move(socket);
}

void LoadLoop::At(LoadClock::time_point time, std::function<void()> due) {
  timers_.emplace(time, std::move(due));
}

void LoadLoop::RunUntil(LoadClock::time_point time) {
  is_stopped_ = false;
  std::array<epoll_event, 256> events;
  while (!is_stopped_ && LoadClock::now() < time) {
    while (!timers_.empty() && timers_.begin()->first <= LoadClock::now()) {
      const std::function<void()> due = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      due();
    }
    const LoadClock::time_point next =
        timers_.empty() ? time : std::min(time, timers_.begin()->first);
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - LoadClock::now()).count();
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                   static_cast<int>(std::max<int64_t>(wait, 0)));
    for (int i = 0; i < count; ++i) {
      const auto found = sockets_.find(events[static_cast<size_t>(i)].data.fd);
      if (found == sockets_.end()) continue;
      const bool can_write = (events[static_cast<size_t>(i)].events & EPOLLOUT) != 0;
      if (!found->second->OnReady(can_write)) sockets_.erase(found);
    }
  }
}

void SendRequest(LoadLoop& loop, std::string_view method, std::string_view path,
                 std::string_view token, std::string_view body,
                 std::function<void(const LoadResponse&)> done) {
  std::string text = absl::StrFormat("%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
                                     std::string(method), std::string(path));
  if (!token.empty()) text += "Authorization: Bearer " + std::string(token) + "\r\n";
  if (method == "POST") {
    text +=
        absl::StrFormat("Content-Type: application/json\r\nContent-Length: %d\r\n", body.size());
  }
  text += "\r\n" + std::string(body);
  loop.Add(std::make_unique<RequestSocket>(loop.Connect(), std::move(text), std::move(done)));
}

void OpenLoadSocket(LoadLoop& loop, std::string_view path,
                    std::function<void(std::string_view)> message, std::function<void()> closed) {
  std::string text = absl::StrFormat(
      "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
      std::string(path));
  loop.Add(std::make_unique<WebSocketReader>(loop.Connect(), std::move(text), std::move(message),
                                             std::move(closed)));
}

}  // namespace triarch
