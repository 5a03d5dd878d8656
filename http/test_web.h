// Runs a WebServer in a thread and talks to it over raw sockets, for tests.

#ifndef TRIARCH_HTTP_TEST_WEB_H_
#define TRIARCH_HTTP_TEST_WEB_H_

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"
#include "http/web_server.h"

namespace triarch {

// How long a test waits for something that should happen soon.
inline constexpr int kWaitMs = 20'000;

// Listens on a free port of this machine.
inline int FreeSocket() {
  absl::StatusOr<int> socket = ListenAt("127.0.0.1:0");
  CHECK(socket.ok());
  return *socket;
}

class ServedWeb {
 public:
  // A request and what a handler needs to answer it now or later.
  using Exchange = std::shared_ptr<WebExchange>;

  using Handler = std::function<void(ServedWeb&, Exchange)>;

  explicit ServedWeb(WebServer::Handler handler, WebLimits limits = {}, int socket = FreeSocket())
      : address_(AddressOf(socket)),
        server_(*WebServer::Make(socket, limits, std::move(handler))),
        thread_([this] { server_->Run(); }) {}
  explicit ServedWeb(Handler handler, WebLimits limits = {}, int socket = FreeSocket())
      : ServedWeb(WebServer::Handler([this, handler = std::move(handler)](Exchange exchange) {
                    handler(*this, std::move(exchange));
                  }),
                  limits, socket) {}
  ~ServedWeb() {
    server_->Stop();
    thread_.join();
    held.clear();
    streams.clear();
  }
  ServedWeb(const ServedWeb&) = delete;
  ServedWeb& operator=(const ServedWeb&) = delete;

  int port() const {
    return static_cast<int>(*ParseInt64(address_.substr(address_.rfind(':') + 1)));
  }
  WebServer& server() { return *server_; }
  // Calls a function in the server's thread and returns its result.
  template <class F>
  auto Do(F f) {
    std::packaged_task<decltype(f())()> task(std::move(f));
    auto result = task.get_future();
    server_->Post([&task] { task(); });
    return result.get();
  }
  // Waits until a function, called in the server's thread, returns true. Returns whether it did.
  bool Await(const std::function<bool()>& is_true) {
    for (int waited = 0; waited < kWaitMs; waited += 2) {
      if (Do(is_true)) return true;
      ::poll(nullptr, 0, 2);
    }
    return false;
  }
  bool AwaitConnections(size_t count) {
    return Await([this, count] { return server_->connection_count() == count; });
  }

  // For handlers; to be used in the server's thread.
  std::vector<Exchange> held = {};
  std::vector<std::shared_ptr<WebStream>> streams = {};

 private:
  const std::string address_;
  const std::unique_ptr<WebServer> server_;
  std::thread thread_;
};

// A handler that keeps requests.
inline void Hold(ServedWeb& web, ServedWeb::Exchange exchange) {
  web.held.push_back(std::move(exchange));
}

class WebClient {
 public:
  explicit WebClient(int port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer != 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  explicit WebClient(const ServedWeb& web) : WebClient(web.port()) {}
  ~WebClient() { Close(); }
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  void Close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  // Returns whether the other side took the bytes.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void Get(const std::string& target) { Send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"); }

  // Returns whether bytes have come, or the end, within that time.
  bool HasInput(int wait_ms) {
    pollfd poll{.fd = socket_, .events = POLLIN, .revents = 0};
    return !read_.empty() || ::poll(&poll, 1, wait_ms) > 0;
  }
  // Reads up to and including a text; less if the connection ends before.
  std::string ReadUntil(std::string_view end) {
    size_t found = std::string::npos;
    while ((found = read_.find(end)) == std::string::npos) {
      if (!Receive()) return std::exchange(read_, "");
    }
    return Take(found + end.size());
  }
  std::string Read(size_t size) {
    while (read_.size() < size && Receive()) {
    }
    return Take(std::min(size, read_.size()));
  }
  // Reads until the server closes the connection.
  std::string ReadAll() {
    while (Receive()) {
    }
    return std::exchange(read_, "");
  }
  // Reads a response with Content-Length, including its body.
  std::string ReadResponse() {
    std::string response = ReadUntil("\r\n\r\n");
    constexpr std::string_view kLength = "Content-Length: ";
    const size_t found = response.find(kLength);
    if (found == std::string::npos) return response;
    const size_t begin = found + kLength.size();
    const auto size =
        ParseInt64(std::string_view(response).substr(begin, response.find('\r', begin) - begin));
    return response + Read(static_cast<size_t>(*size));
  }

 private:
  bool Receive() {
    pollfd poll{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, kWaitMs) <= 0) return false;
    char data[4096];
    const ssize_t got = ::recv(socket_, data, sizeof data, 0);
    if (got <= 0) return false;
    read_.append(data, static_cast<size_t>(got));
    return true;
  }
  std::string Take(size_t size) {
    std::string taken = read_.substr(0, size);
    read_.erase(0, size);
    return taken;
  }

  int socket_;
  std::string read_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_TEST_WEB_H_
