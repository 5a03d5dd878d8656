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

// Requests over HTTP or HTTPS, by libcurl.
namespace triarch {

struct HttpCall {
  std::string method = "GET";
  std::string url = {};
  std::vector<std::string> headers = {};      // "Name: value"
  std::optional<std::string_view> body = {};  // must stay until the end
  size_t answer_max = 1 << 20;                // bytes of the answer's body; longer ones are errors
  // By then it is over, whatever the server does. At once when `stop` is set; never null.
  std::chrono::steady_clock::time_point end;
  const std::atomic<bool>* stop = nullptr;
  // Without a byte for so long, or a connection in that time, it is over too; 0: as long as it has.
  std::chrono::seconds stall_max{0};
};

struct HttpAnswer {
  int status = 0;                                   // 200
  std::map<std::string, std::string> headers = {};  // names in small letters
  std::string body = {};
  std::optional<std::chrono::seconds> retry_after = {};  // what the server asks for
};

// Sends one request after the other and keeps the connection for the next. Used by one thread at a
// time.
class CurlClient {
 public:
  CurlClient();
  ~CurlClient();

  // An answer of any status is one; redirections are not followed. DeadlineExceeded at `end`,
  // Cancelled when stopped, ResourceExhausted for an answer that is too long, else Unavailable. No
  // message has a header in it.
  absl::StatusOr<HttpAnswer> Send(const HttpCall& call);

 private:
  class Transfer;
  const std::unique_ptr<Transfer> transfer_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_CURL_CLIENT_H_
