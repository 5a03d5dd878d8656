#include "http/web_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/listen_error.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using Error = boost::system::error_code;

// How long to wait before accepting again when descriptors have run out.
constexpr std::chrono::milliseconds kAcceptPause{100};

// A comment that keeps proxies from closing a silent event stream.
constexpr std::chrono::seconds kHeartbeat{15};

// What all connections of a server share.
struct Hub {
  explicit Hub(WebLimits given) : limits(std::move(given)) {}

  const WebLimits limits;
  WebServer::Handler handler;
  std::optional<asio::io_context> loop{std::in_place, 1};  // until the server ends
  size_t connections = 0;
  size_t busy = 0;  // connections with a request that is being read or answered
  bool is_ending = false;
  std::map<std::string, size_t> per_client;
};

// Counts a connection while it exists.
class ClientSlot {
 public:
  ClientSlot(std::shared_ptr<Hub> hub, std::string client)
      : hub_(std::move(hub)), client_(std::move(client)) {
    ++hub_->connections;
    ++hub_->per_client[client_];
  }
  ~ClientSlot() {
    --hub_->connections;
    const auto found = hub_->per_client.find(client_);
    if (--found->second == 0) hub_->per_client.erase(found);
  }
  ClientSlot(const ClientSlot&) = delete;
  ClientSlot& operator=(const ClientSlot&) = delete;

  Hub& hub() const { return *hub_; }
  const std::string& client() const { return client_; }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::string client_;
};

std::string HeaderText(const WebLimits& limits, const WebResponse& response, bool keeps_alive,
                       bool is_stream) {
  std::string text = absl::StrFormat(
      "HTTP/1.1 %d %s\r\n", response.status,
      std::string(bhttp::obsolete_reason(static_cast<bhttp::status>(response.status))));
  if (response.body != nullptr || is_stream) {
    text += "Content-Type: " + response.content_type + "\r\n";
  }
  for (const WebHeaders* headers : {&response.headers, &limits.headers}) {
    for (const auto& [name, value] : *headers) text += name + ": " + value + "\r\n";
  }
  text += "Cache-Control: " + response.cache_control + "\r\n";
  if (is_stream) return text + "Connection: close\r\n\r\n";
  if (response.status != 304) {  // there, it would be the length of what the client has
    const size_t size = response.body == nullptr ? 0 : response.body->size();
    text += absl::StrFormat("Content-Length: %d\r\n", size);
  }
  return text + "Connection: " + (keeps_alive ? "keep-alive" : "close") + "\r\n\r\n";
}

// The texts that a stream has still to send.
class Backlog {
 public:
  explicit Backlog(size_t bytes_max) : bytes_max_(bytes_max) {}
  // Returns false if there are too many bytes now.
  bool Add(WebText text) {
    bytes_ += text->size();
    texts_.push_back(std::move(text));
    return bytes_ <= bytes_max_;
  }
  bool empty() const { return texts_.empty(); }
  const std::string& front() const { return *texts_.front(); }
  void Pop() {
    bytes_ -= texts_.front()->size();
    texts_.pop_front();
  }

 private:
  const size_t bytes_max_;
  std::deque<WebText> texts_;
  size_t bytes_ = 0;
};

// Server-sent events, after the header has been queued as the first text.
class EventStream final : public WebStream, public std::enable_shared_from_this<EventStream> {
 public:
  EventStream(beast::tcp_stream socket, std::shared_ptr<ClientSlot> slot)
      : socket_(std::move(socket)),
        slot_(std::move(slot)),
        backlog_(slot_->hub().limits.stream_backlog_max),
        heartbeat_(*slot_->hub().loop) {}

  void Start() {
    WatchForClose();
    Beat();
  }

  void Send(WebText text) override {
    if (!is_open_) return;
    if (!backlog_.Add(std::move(text))) return Close();
    if (!is_writing_) Write();
  }

  void Close() override {
    if (!std::exchange(is_open_, false)) return;
    heartbeat_.cancel();
    Error ignored;
    socket_.socket().close(ignored);
    drained_ = nullptr;
    if (closed_) std::exchange(closed_, nullptr)();
  }

  bool is_open() const override { return is_open_; }
  void OnClose(std::function<void()> closed) override { closed_ = std::move(closed); }
  void OnDrained(std::function<void()> drained) override { drained_ = std::move(drained); }

 private:
  void Write() {
    is_writing_ = true;
    socket_.expires_after(slot_->hub().limits.write_time);
    asio::async_write(socket_, asio::buffer(backlog_.front()),
                      [self = shared_from_this()](Error error, size_t) {
                        self->is_writing_ = false;
                        if (error) return self->Close();
                        self->backlog_.Pop();
                        if (!self->is_open_) return;
                        if (!self->backlog_.empty()) return self->Write();
                        self->socket_.expires_never();
                        if (self->drained_) std::exchange(self->drained_, nullptr)();
                      });
  }

  void WatchForClose() {
    socket_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](Error error) {
      if (error || !self->is_open_) return;
      char byte = 0;
      Error read_error;
      self->socket_.socket().non_blocking(true, read_error);
      const size_t got = self->socket_.socket().read_some(asio::buffer(&byte, 1), read_error);
      if (got == 0 && read_error != asio::error::would_block) return self->Close();
      self->WatchForClose();
    });
  }

  void Beat() {
    heartbeat_.expires_after(kHeartbeat);
    heartbeat_.async_wait([self = shared_from_this()](Error error) {
      if (error || !self->is_open_) return;
      self->Send(MakeWebText(":\n\n"));
      self->Beat();
    });
  }

  beast::tcp_stream socket_;
  const std::shared_ptr<ClientSlot> slot_;
  Backlog backlog_;
  asio::steady_timer heartbeat_;
  std::function<void()> closed_;
  std::function<void()> drained_;
  bool is_open_ = true;
  bool is_writing_ = false;
};

class SocketStream final : public WebStream, public std::enable_shared_from_this<SocketStream> {
 public:
  SocketStream(beast::tcp_stream socket, std::shared_ptr<ClientSlot> slot)
      : socket_(std::move(socket)),
        slot_(std::move(slot)),
        backlog_(slot_->hub().limits.stream_backlog_max) {}

  void Start(bhttp::request<bhttp::string_body> request) {
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout timeouts =
        websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeouts.idle_timeout = std::chrono::seconds(60);
    socket_.set_option(timeouts);
    socket_.read_message_max(4096);
    auto kept = std::make_shared<bhttp::request<bhttp::string_body>>(std::move(request));
    socket_.async_accept(*kept, [self = shared_from_this(), kept](Error error) {
      if (error || !self->is_open_) return self->Close();
      self->is_accepted_ = true;
      self->Read();
      if (!self->backlog_.empty()) self->Write();
    });
  }

  void Send(WebText text) override {
    if (!is_open_) return;
    if (!backlog_.Add(std::move(text))) return Close();
    if (is_accepted_ && !is_writing_) Write();
  }

  void Close() override {
    if (!std::exchange(is_open_, false)) return;
    Error ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    drained_ = nullptr;
    if (closed_) std::exchange(closed_, nullptr)();
  }

  bool is_open() const override { return is_open_; }
  void OnClose(std::function<void()> closed) override { closed_ = std::move(closed); }
  void OnDrained(std::function<void()> drained) override { drained_ = std::move(drained); }

 private:
  // Spectators have nothing to say; reading answers pings and notices the end.
  void Read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Error error, size_t) {
      if (error) return self->Close();
      self->buffer_.clear();
      self->Read();
    });
  }

  void Write() {
    is_writing_ = true;
    socket_.text(true);
    socket_.async_write(asio::buffer(backlog_.front()),
                        [self = shared_from_this()](Error error, size_t) {
                          self->is_writing_ = false;
                          if (error) return self->Close();
                          self->backlog_.Pop();
                          if (!self->is_open_) return;
                          if (!self->backlog_.empty()) return self->Write();
                          if (self->drained_) std::exchange(self->drained_, nullptr)();
                        });
  }

  websocket::stream<beast::tcp_stream> socket_;
  const std::shared_ptr<ClientSlot> slot_;
  Backlog backlog_;
  beast::flat_buffer buffer_;
  std::function<void()> closed_;
  std::function<void()> drained_;
  bool is_open_ = true;
  bool is_accepted_ = false;
  bool is_writing_ = false;
};

// Reads requests from a connection and answers them one after another.
class Connection final : public WebExchange, public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, std::shared_ptr<ClientSlot> slot)
      : socket_(std::move(socket)), slot_(std::move(slot)) {
    SetBusy(true);
  }
  ~Connection() override { SetBusy(false); }

  void Read() {
    SetBusy(request_count_ == 0);
    parser_.emplace();
    parser_->body_limit(limits().body_max);
    parser_->header_limit(static_cast<uint32_t>(limits().header_max));
    socket_.expires_after(request_count_ == 0 ? limits().request_time : limits().idle_time);
    bhttp::async_read_header(socket_, buffer_, *parser_,
                             [self = shared_from_this()](Error error, size_t) {
                               if (error) return self->Fail(error);
                               self->SetBusy(true);
                               self->ReadBody();
                             });
  }

  const WebRequest& request() const override { return request_; }
  bool is_gone() const override { return is_gone_; }

  void Reply(WebResponse response) override {
    if (is_gone_) return;
    is_waiting_ = false;
    const bool keeps_alive = keeps_alive_ && !slot_->hub().is_ending;
    header_ = HeaderText(limits(), response, keeps_alive, /*is_stream=*/false);
    body_ = request_.method == "HEAD" ? nullptr : std::move(response.body);
    const std::array<asio::const_buffer, 2> buffers = {
        asio::buffer(header_), body_ ? asio::buffer(*body_) : asio::const_buffer()};
    socket_.expires_after(limits().write_time);
    asio::async_write(socket_, buffers,
                      [self = shared_from_this(), keeps_alive](Error error, size_t) {
                        self->body_ = nullptr;
                        if (error) return;
                        if (keeps_alive) return self->Read();
                        self->SetBusy(false);
                        self->Finish();
                      });
  }

  std::shared_ptr<WebStream> BeginEvents() override {
    is_waiting_ = false;
    SetBusy(false);
    const WebResponse response{.status = 200, .content_type = "text/event-stream"};
    StopWatching();
    auto stream = std::make_shared<EventStream>(std::move(socket_), slot_);
    stream->Start();
    stream->Send(MakeWebText(HeaderText(limits(), response, false, /*is_stream=*/true)));
    return stream;
  }

  std::shared_ptr<WebStream> BeginSocket() override {
    is_waiting_ = false;
    SetBusy(false);
    StopWatching();
    auto stream = std::make_shared<SocketStream>(std::move(socket_), slot_);
    stream->Start(parser_->release());
    return stream;
  }

 private:
  const WebLimits& limits() const { return slot_->hub().limits; }

  void SetBusy(bool is_busy) {
    if (is_busy == is_busy_) return;
    is_busy_ = is_busy;
    size_t& busy = slot_->hub().busy;
    busy = is_busy ? busy + 1 : busy - 1;
  }

  void ReadBody() {
    socket_.expires_after(limits().request_time);
    if (!beast::iequals(parser_->get()[bhttp::field::expect], "100-continue")) return ReadRest();
    // Curl waits for this before it sends a large body.
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(kContinue.data(), kContinue.size()),
                      [self = shared_from_this()](Error error, size_t) {
                        if (!error) self->ReadRest();
                      });
  }

  void ReadRest() {
    bhttp::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      if (error) return self->Fail(error);
      self->Handle();
    });
  }

  void Handle() {
    ++request_count_;
    const bhttp::request<bhttp::string_body>& message = parser_->get();
    const auto text = [](beast::string_view view) { return std::string(view.data(), view.size()); };
    request_ = {};
    request_.method = text(message.method_string());
    const std::string target = text(message.target());
    const size_t question = target.find('?');
    request_.path = target.substr(0, question);
    if (question != std::string::npos) request_.query = target.substr(question + 1);
    request_.authorization = text(message[bhttp::field::authorization]);
    request_.accept = text(message["Accept"]);
    request_.accept_encoding = text(message["Accept-Encoding"]);
    request_.last_event_id = text(message["Last-Event-ID"]);
    request_.if_none_match = text(message["If-None-Match"]);
    request_.host = text(message[bhttp::field::host]);
    request_.is_upgrade = websocket::is_upgrade(message);
    request_.client = slot_->client();
    request_.is_loopback = IsLoopback(request_.client);
    // The last header and the last address in it are what our proxy saw.
    const auto forwarded = message.equal_range("X-Forwarded-For");
    if (limits().trusts_proxy && request_.is_loopback && forwarded.first != forwarded.second) {
      TakeForwarded(text(std::prev(forwarded.second)->value()));
    }
    keeps_alive_ = message.keep_alive();
    if (!request_.is_upgrade) request_.body = std::move(parser_->get().body());
    socket_.expires_never();
    is_waiting_ = true;
    slot_->hub().handler(shared_from_this());
    if (is_waiting_) WatchForClose();
  }

  void TakeForwarded(const std::string& header) {
    const std::string_view last = Trim(std::string_view(header).substr(header.rfind(',') + 1));
    if (last.empty()) return;
    request_.client = PrintableLine(last.substr(0, 64));
    request_.is_loopback = IsLoopback(request_.client);
  }

  static bool IsLoopback(std::string_view client) {
    return client.starts_with("127.") || client == "::1" || client.starts_with("::ffff:127.");
  }

  // While an answer waits for something, notices a client that leaves.
  void WatchForClose() {
    is_watching_ = true;
    socket_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](Error error) {
      self->is_watching_ = false;
      if (error || !self->is_waiting_) return;
      char byte = 0;
      Error read_error;
      self->socket_.socket().non_blocking(true, read_error);
      const size_t got = self->socket_.socket().receive(asio::buffer(&byte, 1),
                                                        tcp::socket::message_peek, read_error);
      if (got == 0 && read_error != asio::error::would_block) self->is_gone_ = true;
    });
  }
  void StopWatching() {
    Error ignored;
    if (is_watching_) socket_.socket().cancel(ignored);
  }

  void Fail(Error error) {
    // A request that could not be read gets an answer; a connection that just ends does not.
    int status = 0;
    if (error == bhttp::error::body_limit) status = 413;
    if (error == bhttp::error::header_limit) status = 431;
    const bool is_http = error.category() == make_error_code(bhttp::error::bad_method).category();
    if (status == 0 && is_http && error != bhttp::error::end_of_stream &&
        error != bhttp::error::partial_message) {
      status = 400;
    }
    if (status == 0) return;
    keeps_alive_ = false;
    request_ = {};
    Reply({.status = status,
           .body = MakeWebText(absl::StrFormat("{\"detail\":\"%s\"}", error.message()))});
  }

  // Closes after the client has had time to read the answer: closing with unread bytes would reset
  // the connection.
  void Finish() {
    Error ignored;
    socket_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    socket_.expires_after(std::chrono::seconds(2));
    Drain(0);
  }
  void Drain(size_t drained) {
    if (drained > limits().body_max) return;
    socket_.async_read_some(asio::buffer(drain_),
                            [self = shared_from_this(), drained](Error error, size_t got) {
                              if (!error) self->Drain(drained + got);
                            });
  }

  beast::tcp_stream socket_;
  const std::shared_ptr<ClientSlot> slot_;
  beast::flat_buffer buffer_;
  std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
  WebRequest request_;
  std::string header_;
  WebText body_;
  std::array<char, 512> drain_;
  int request_count_ = 0;
  bool keeps_alive_ = false;
  bool is_waiting_ = false;
  bool is_watching_ = false;
  bool is_gone_ = false;
  bool is_busy_ = false;
};

class BeastServer final : public WebServer {
 public:
  BeastServer(int listening_socket, WebLimits limits, Handler handler)
      : hub_(std::make_shared<Hub>(std::move(limits))), acceptor_(std::in_place, *hub_->loop) {
    hub_->handler = std::move(handler);
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(listening_socket, reinterpret_cast<sockaddr*>(&address), &size);
    acceptor_->assign(address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listening_socket);
    acceptor_->non_blocking(true);
    Accept();
  }
  // Connections wait in the loop and share the hub, which holds the loop: they go with the loop.
  ~BeastServer() override {
    acceptor_.reset();
    hub_->loop.reset();
  }

  void Post(std::function<void()> errand) override { asio::post(*hub_->loop, std::move(errand)); }

  void After(std::chrono::milliseconds time, std::function<void()> due) override {
    auto timer = std::make_shared<asio::steady_timer>(*hub_->loop, time);
    timer->async_wait([timer, due = std::move(due)](Error error) {
      if (!error) due();
    });
  }

  void Run() override {
    const auto work = asio::make_work_guard(*hub_->loop);
    hub_->loop->run();
  }
  void StopAccepting() override {
    is_accepting_ = false;
    hub_->is_ending = true;
    Error ignored;
    acceptor_->close(ignored);
  }
  void Stop() override { hub_->loop->stop(); }
  size_t connection_count() const override { return hub_->connections; }
  size_t busy_count() const override { return hub_->busy; }

 private:
  void Accept() {
    acceptor_->async_accept([this](Error error, tcp::socket socket) {
      // Also greets a connection that was accepted just before the end: it is no longer in the
      // queue.
      if (!error) Greet(std::move(socket));
      if (!is_accepting_) return;
      if (error) return After(kAcceptPause, [this] { Accept(); });
      Accept();
    });
  }

  void Greet(tcp::socket socket) {
    Error error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) return;
    const std::string client = peer.address().to_string();
    const bool is_loopback = peer.address().is_loopback();
    const auto found = hub_->per_client.find(client);
    const size_t of_client = found == hub_->per_client.end() ? 0 : found->second;
    // A connection too many is closed: an answer would cost more than the refusal saves.
    if (hub_->connections >= hub_->limits.connections_max) return;
    if (!is_loopback && of_client >= hub_->limits.connections_per_client_max) return;
    ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    socket.set_option(tcp::no_delay(true), error);
    auto slot = std::make_shared<ClientSlot>(hub_, client);
    std::make_shared<Connection>(std::move(socket), std::move(slot))->Read();
  }

  const std::shared_ptr<Hub> hub_;
  std::optional<tcp::acceptor> acceptor_;
  bool is_accepting_ = true;
};

constexpr int kQueue = 4096;  // connections that wait to be accepted; the kernel may allow fewer

absl::Status BadAddress(const std::string& address, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "address %s: %s; expected HOST:PORT, such as 127.0.0.1:8080", Quote(address), why));
}

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

absl::StatusOr<SocketAddress> Resolve(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return BadAddress(address, "no port");
  std::string host = address.substr(0, colon);
  const std::string port = address.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return BadAddress(address, "an IPv6 address must be in brackets");
  }
  if (host.empty()) return BadAddress(address, "no host");
  const std::optional<int64_t> number = ParseInt64(port);
  if (!number || *number < 0 || *number > 65535) {
    return BadAddress(address, "the port must be 0 to 65535");
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0) {
    return BadAddress(address, ::gai_strerror(error));
  }
  SocketAddress resolved{.size = found->ai_addrlen};
  std::memcpy(&resolved.storage, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  return resolved;
}

std::string TextOf(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (address.ss_family == AF_INET6) {
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&address);
    ::inet_ntop(AF_INET6, &v6->sin6_addr, host.data(), host.size());
    return absl::StrFormat("[%s]:%d", host.data(), ntohs(v6->sin6_port));
  }
  const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&address);
  ::inet_ntop(AF_INET, &v4->sin_addr, host.data(), host.size());
  return absl::StrFormat("%s:%d", host.data(), ntohs(v4->sin_port));
}

}  // namespace

absl::StatusOr<std::unique_ptr<WebServer>> WebServer::Make(int listening_socket, WebLimits limits,
                                                           Handler handler) {
  try {
    return std::make_unique<BeastServer>(listening_socket, std::move(limits), std::move(handler));
  } catch (const boost::system::system_error& error) {
    return absl::UnavailableError(std::string("cannot use the socket: ") + error.what());
  }
}

absl::StatusOr<std::string> ResolveAddress(const std::string& address) {
  ASSIGN_OR_RETURN(const SocketAddress found, Resolve(address));
  return TextOf(found.storage);
}

absl::StatusOr<int> ListenAt(const std::string& address) {
  ASSIGN_OR_RETURN(const SocketAddress found, Resolve(address));
  const int socket = ::socket(found.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const auto* const raw = reinterpret_cast<const sockaddr*>(&found.storage);
  if (socket >= 0 && ::bind(socket, raw, found.size) == 0 && ::listen(socket, kQueue) == 0) {
    return socket;
  }
  const int error = errno;
  if (socket >= 0) ::close(socket);
  return ListenError(address, error);
}

std::string AddressOf(int listening_socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(listening_socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  return TextOf(address);
}

}  // namespace triarch
