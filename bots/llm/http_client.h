// Declares the HTTP requests that the bot `llm` makes, so that tests can answer them.

#ifndef TRIARCH_BOTS_LLM_HTTP_CLIENT_H_
#define TRIARCH_BOTS_LLM_HTTP_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace triarch::llm {

// Longer answers are errors.
inline constexpr size_t kBodyBytesMax = 1 << 20;

struct HttpRequest {
  std::string url;
  std::string key;   // sent as a bearer's token; empty: none
  std::string body;  // JSON
  // By then it is over, whatever the server does. At once when `stop` is set; never null.
  std::chrono::steady_clock::time_point end;
  const std::atomic<bool>* stop = nullptr;
};

struct HttpReply {
  int status = 0;  // 200
  std::string body;
  std::optional<std::chrono::seconds> retry_after = {};  // what the server asks for
};

// Sends one request after the other. Used by one thread at a time.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // POST. A reply of any status is one; redirections are not followed. DeadlineExceeded at `end`,
  // Cancelled when stopped, ResourceExhausted for a reply that is too long, else Unavailable. No
  // message has the key in it.
  virtual absl::StatusOr<HttpReply> Post(const HttpRequest& request) = 0;
};

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_HTTP_CLIENT_H_
