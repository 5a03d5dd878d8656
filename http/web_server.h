// Serves HTTP requests, event streams and WebSockets from one thread.

#ifndef TRIARCH_HTTP_WEB_SERVER_H_
#define TRIARCH_HTTP_WEB_SERVER_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace triarch {

// Text that several responses share.
using WebText = std::shared_ptr<const std::string>;
inline WebText MakeWebText(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

using WebHeaders = std::vector<std::pair<std::string, std::string>>;

struct WebRequest {
  std::string method;  // "GET"
  std::string path;    // "/api/v1/state", as sent, without the query
  std::string query;   // after the "?"
  std::string authorization;
  std::string accept;           // the header Accept
  std::string accept_encoding;  // the header Accept-Encoding
  std::string last_event_id;
  std::string if_none_match;  // the header If-None-Match
  std::string host;           // the header Host
  std::string body;
  // The client's address; behind a trusted proxy, the one that it names.
  std::string client;
  bool is_loopback = false;  // whether `client` is on this machine
  bool is_upgrade = false;   // whether the client asks for a WebSocket
};

struct WebResponse {
  int status = 200;
  std::string content_type = "application/json";
  WebText body = nullptr;  // null for none
  WebHeaders headers = {};
  std::string cache_control = "no-store";
};

// An event stream or a WebSocket. It closes by itself if its client reads too slowly.
class WebStream {
 public:
  virtual ~WebStream() = default;
  // Sends a text as it is: for an event stream, with its fields and the empty line.
  virtual void Send(WebText text) = 0;
  virtual void Close() = 0;
  virtual bool is_open() const = 0;
  // Sets the function to call once when the stream has closed.
  virtual void OnClose(std::function<void()> closed) = 0;
  // Sets the function to call once when the client has taken all texts. Requires: some are left.
  virtual void OnDrained(std::function<void()> drained) = 0;
};

// A request that waits for its answer. One of Reply, BeginEvents and BeginSocket must be called,
// once, in the server's thread. It holds the connection.
class WebExchange {
 public:
  virtual ~WebExchange() = default;
  virtual const WebRequest& request() const = 0;
  virtual void Reply(WebResponse response) = 0;
  // Begins server-sent events.
  virtual std::shared_ptr<WebStream> BeginEvents() = 0;
  // Accepts a WebSocket. Requires: request().is_upgrade.
  virtual std::shared_ptr<WebStream> BeginSocket() = 0;
  // Returns whether the client has closed the connection.
  virtual bool is_gone() const = 0;
};

struct WebLimits {
  size_t connections_max = 4'000;
  size_t connections_per_client_max = 200;  // not on loopback
  size_t body_max = 64 * 1024;
  size_t header_max = 16 * 1024;
  std::chrono::milliseconds request_time{10'000};  // from the first byte to the last
  std::chrono::milliseconds idle_time{60'000};     // between requests
  std::chrono::milliseconds write_time{20'000};    // to take a response
  size_t stream_backlog_max = 512 * 1024;          // bytes that a stream's client has not taken
  // Whether the header X-Forwarded-For of requests from this machine names the client.
  bool trusts_proxy = false;
  // What every response has. These let pages of other servers read the answers.
  WebHeaders headers = {{"Access-Control-Allow-Origin", "*"},
                        {"Access-Control-Expose-Headers", "Retry-After"}};
};

// The event loop that accepts connections and calls the handler. Only Post and Stop may be called
// from other threads; everything else, and all callbacks, in the thread that calls Run. Its
// destructor closes all connections; exchanges and streams must not be kept longer.
class WebServer {
 public:
  using Handler = std::function<void(std::shared_ptr<WebExchange>)>;

  // Serves connections to a listening socket, which it takes over.
  static absl::StatusOr<std::unique_ptr<WebServer>> Make(int listening_socket, WebLimits limits,
                                                         Handler handler);
  virtual ~WebServer() = default;

  virtual void Post(std::function<void()> errand) = 0;
  // Calls `due` after that time, unless the loop has ended.
  virtual void After(std::chrono::milliseconds time, std::function<void()> due) = 0;
  virtual void Run() = 0;
  // Stops accepting connections, which then wait in the socket's queue, and closes each connection
  // after its answer.
  virtual void StopAccepting() = 0;
  // Ends Run.
  virtual void Stop() = 0;
  virtual size_t connection_count() const = 0;
  // Returns the number of requests that are being read or answered.
  virtual size_t busy_count() const = 0;
};

// Returns the address in numbers: "127.0.0.1:8080" for "localhost:8080". Fails as ListenAt does.
absl::StatusOr<std::string> ResolveAddress(const std::string& address);
// Listens at "127.0.0.1:8080", "[::1]:8080", "localhost:0" and the like; returns the socket.
// InvalidArgument: the address is malformed. Unavailable: it is in use or not of this machine.
absl::StatusOr<int> ListenAt(const std::string& address);
// Returns the address of a listening socket, as above.
std::string AddressOf(int listening_socket);

}  // namespace triarch

#endif  // TRIARCH_HTTP_WEB_SERVER_H_
