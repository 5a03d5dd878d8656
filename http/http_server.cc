#include "http/http_server.h"

#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/listen_error.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "http/http_connection.h"
#include "httplib.h"

namespace triarch {
namespace {

constexpr size_t kThreads = 8;
constexpr size_t kConnectionsMax = 32;  // being served or queued; the kernel holds the rest
constexpr int kBacklog = 64;
constexpr size_t kPayloadMax = 4096;  // none of our pages takes a body
// Time limit from the first byte of the request to the last byte of the response.
constexpr std::chrono::milliseconds kTimeout{3'000};

constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kMetricsText[] = "text/plain; version=0.0.4; charset=utf-8";

// A thread pool that blocks the acceptor while its queue is full.
class BoundedPool final : public httplib::TaskQueue {
 public:
  BoundedPool() : pool_(kThreads) {}

  void enqueue(std::function<void()> task) override {
    {
      MutexLock lock(&mutex_);
      while (held_ >= kConnectionsMax) changed_.Wait(&mutex_);
      ++held_;
    }
    pool_.enqueue([this, task = std::move(task)] {
      task();
      MutexLock lock(&mutex_);
      --held_;
      changed_.NotifyAll();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  httplib::ThreadPool pool_;
  Mutex mutex_;
  CondVar changed_;
  size_t held_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Serves one request per connection: a scrape every few seconds gains nothing from keep-alive.
class OneRequestServer final : public httplib::Server {
 public:
  // Raises the library's backlog of five connections. A sixth client would retry after a second.
  // Requires: the server is bound.
  void WidenBacklog() { ::listen(svr_sock_, kBacklog); }
  void End() { is_ending_ = true; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    HttpConnection connection(socket, kTimeout, &is_ending_);
    try {
      bool is_closed = false;
      const bool is_answered = process_request(connection, /*close_connection=*/true, is_closed,
                                               [](httplib::Request&) {});
      if (is_answered) connection.Finish();
      return is_answered;
    } catch (const std::exception&) {
      return false;  // e.g. out of memory: drop the connection, not the process
    }
  }

  std::atomic<bool> is_ending_ = false;
};

struct Address {
  std::string host;
  int port = 0;
};

// Parses "host:port" or "[::1]:port", and checks that the host resolves.
absl::StatusOr<Address> ParseAddress(const std::string& text) {
  const auto refuse = [&](std::string_view why) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "address %s: %s; expected HOST:PORT, such as 127.0.0.1:9090", Quote(text), why));
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return refuse("no port");
  std::string host = text.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return refuse("an IPv6 address must be in brackets");
  }
  if (host.empty()) return refuse("no host");
  const auto port = ParseInt64(std::string_view(text).substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return refuse("the port must be 0 to 65535");
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error != 0) return refuse(::gai_strerror(error));
  ::freeaddrinfo(found);
  return Address{.host = std::move(host), .port = static_cast<int>(*port)};
}

void Answer(httplib::Response& response, int status, const std::string& line) {
  response.status = status;
  response.set_content(line + "\n", kPlainText);
}

void AnswerStatus(httplib::Response& response, const absl::Status& status) {
  if (status.ok()) return Answer(response, 200, "ok");
  std::string why(status.message());
  for (char& c : why) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  Answer(response, 503, why);
}

void Route(const HttpServer::Handlers& handlers, const httplib::Request& request,
           httplib::Response& response) {
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    return Answer(response, 405, "only GET and HEAD are allowed");
  }
  if (request.path == "/metrics") {
    response.set_content(handlers.metrics(), kMetricsText);
    response.status = 200;
  } else if (request.path == "/healthz") {
    AnswerStatus(response, handlers.is_healthy());
  } else if (request.path == "/readyz") {
    AnswerStatus(response, handlers.is_ready());
  } else {
    Answer(response, 404, "no such page; try /metrics, /healthz or /readyz");
  }
}

void Configure(OneRequestServer& server, HttpServer::Handlers handlers) {
  using Handled = httplib::Server::HandlerResponse;
  server.new_task_queue = [] { return new BoundedPool; };
  server.set_payload_max_length(kPayloadMax);
  // By default the library shares the port with any other listener on it.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    // A bot process that inherited the socket would keep the port in use.
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  });
  server.set_pre_routing_handler([handlers = std::move(handlers)](const httplib::Request& request,
                                                                  httplib::Response& response) {
    Route(handlers, request, response);
    return Handled::Handled;
  });
  // Handles requests that the library rejects, such as a malformed request line.
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) Answer(response, response.status, "bad request");
  });
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        Answer(response, 500, "internal error");
      });
}

}  // namespace

struct HttpServer::Server {
  OneRequestServer http;
  int port = 0;
  std::atomic<bool> is_over = false;
  std::thread listener;
};

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& address,
                                                              Handlers handlers) {
  const absl::StatusOr<Address> parsed = ParseAddress(address);
  if (!parsed.ok()) return parsed.status();
  auto server = std::make_unique<Server>();
  Configure(server->http, std::move(handlers));
  errno = 0;
  if (parsed->port == 0) {
    server->port = server->http.bind_to_any_port(parsed->host);
  } else {
    const bool is_bound = server->http.bind_to_port(parsed->host, parsed->port);
    server->port = is_bound ? parsed->port : -1;
  }
  if (server->port < 0) {
    return ListenError(address, errno != 0 ? errno : EADDRINUSE);
  }
  server->http.WidenBacklog();
  server->listener = std::thread([raw = server.get()] {
    raw->http.listen_after_bind();
    raw->is_over = true;
  });
  // Stopping the server before it runs would have no effect.
  while (!server->http.is_running() && !server->is_over) std::this_thread::yield();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(server)));
}

HttpServer::HttpServer(std::unique_ptr<Server> server) : server_(std::move(server)) {}

HttpServer::~HttpServer() {
  server_->http.End();
  server_->http.stop();
  server_->listener.join();
}

int HttpServer::port() const { return server_->port; }

}  // namespace triarch
