// Sends HTTP and HTTPS requests through libcurl.

#ifndef TRIARCH_HTTP_CURL_CLIENT_H_
#define TRIARCH_HTTP_CURL_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace triarch {

struct HttpRequest {
  std::string method = "GET";
  std::string url = {};
  std::vector<std::string> headers = {};      // "Name: value"
  std::optional<std::string_view> body = {};  // must outlive the call
  size_t answer_max = 1 << 20;                // largest response body, bytes
  // `end` is the deadline of the whole call. `stop` must not be null; setting it cancels the call.
  std::chrono::steady_clock::time_point end;
  const std::atomic<bool>* stop = nullptr;
  // The call fails if it cannot connect, or receives no byte, for this long. 0 means no limit.
  std::chrono::seconds stall_max{0};
  std::string ca_file = {};  // PEM file of the authorities to trust; empty: those of the system
};

struct HttpResponse {
  int status = 0;                                   // 200
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string body = {};
  std::optional<std::chrono::seconds> retry_after = {};  // the server's Retry-After
};

// Sends requests one at a time and keeps connections open between them. Not thread-safe.
class CurlClient {
 public:
  CurlClient();
  ~CurlClient();

  // Returns the response, whatever its status; does not follow redirects. Fails with
  // DeadlineExceeded at `end`, Cancelled when stopped, ResourceExhausted if the body is too long,
  // and Unavailable otherwise. Error messages never contain request headers.
  absl::StatusOr<HttpResponse> Send(const HttpRequest& call);

 private:
  class Transfer;
  const std::unique_ptr<Transfer> transfer_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_CURL_CLIENT_H_
