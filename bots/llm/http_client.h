// Declares the HTTP requests of the bot `llm`, so that tests can answer them.

#ifndef TRIARCH_BOTS_LLM_HTTP_CLIENT_H_
#define TRIARCH_BOTS_LLM_HTTP_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace triarch::llm {

// A longer reply is an error.
inline constexpr size_t kBodyBytesMax = 1 << 20;

struct HttpRequest {
  std::string url;
  std::string key;   // sent as a bearer token unless empty
  std::string body;  // JSON
  // The request ends by this time, or immediately when `stop` (never null) is set, whatever the
  // server does.
  std::chrono::steady_clock::time_point end;
  const std::atomic<bool>* stop = nullptr;
};

struct HttpReply {
  int status = 0;  // HTTP status, e.g. 200
  std::string body;
  std::optional<std::chrono::seconds> retry_after = {};  // requested by the server
};

// Sends requests one after another. Used by one thread at a time.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Sends a POST. Any status counts as a reply; redirections are not followed. Returns
  // DeadlineExceeded at `end`, Cancelled when stopped, ResourceExhausted for a reply that is too
  // long, and Unavailable otherwise. No message contains the key.
  virtual absl::StatusOr<HttpReply> Post(const HttpRequest& request) = 0;
};

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_HTTP_CLIENT_H_
