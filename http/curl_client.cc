// Only this file includes libcurl's headers.

#include "http/curl_client.h"

#include <curl/curl.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr curl_off_t kRetryAfterMax = 86'400;  // seconds
constexpr milliseconds kPollInterval{50};      // longest time between checks of the stop flag
constexpr size_t kHeadersMax = 100;

struct EasyCleanup {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiCleanup {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, ListCleanup>;

void StartCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(code == CURLE_OK);
}

struct Body {
  std::string* text;
  size_t max;
};

// Appends to the body. Aborts the transfer if it becomes too long.
size_t AppendBody(char* data, size_t, size_t size, void* to) {
  const auto& body = *static_cast<Body*>(to);
  if (size > body.max - body.text->size()) return 0;
  body.text->append(data, size);
  return size;
}

// Collects the response headers.
size_t AppendHeader(char* data, size_t, size_t size, void* to) {
  auto& headers = *static_cast<std::map<std::string, std::string>*>(to);
  const std::string_view line(data, size);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() == kHeadersMax) return size;
  std::string name(line.substr(0, colon));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  headers[name] = Trim(line.substr(colon + 1));
  return size;
}

Headers MakeHeaders(const std::vector<std::string>& lines) {
  Headers headers;
  const auto add = [&headers](const std::string& line) {
    curl_slist* const list = curl_slist_append(headers.get(), line.c_str());
    CHECK(list != nullptr);
    (void)headers.release();
    headers.reset(list);
  };
  for (const std::string& line : lines) add(line);
  add("Expect:");  // disables "Expect: 100-continue"
  return headers;
}

}  // namespace

class CurlClient::Transfer {
 public:
  Transfer() {
    StartCurl();
    easy_.reset(curl_easy_init());
    multi_.reset(curl_multi_init());
    CHECK(easy_ && multi_);
  }

  absl::StatusOr<HttpResponse> Run(const HttpRequest& call) {
    HttpResponse answer;
    Body body{&answer.body, call.answer_max};
    const Headers headers = MakeHeaders(call.headers);
    Prepare(call, headers.get(), &body, &answer);
    const absl::Status status = Perform(call);
    if (!status.ok()) return status;
    long code = 0;
    curl_off_t wait = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &wait);
    answer.status = static_cast<int>(code);
    if (wait > 0) answer.retry_after = std::chrono::seconds(std::min(wait, kRetryAfterMax));
    return answer;
  }

 private:
  template <class T>
  void Set(CURLoption option, T value) {
    CHECK(curl_easy_setopt(easy_.get(), option, value) == CURLE_OK);
  }

  void Prepare(const HttpRequest& call, curl_slist* headers, Body* body, HttpResponse* answer) {
    curl_easy_reset(easy_.get());  // keeps the connections
    error_[0] = '\0';
    Set(CURLOPT_URL, call.url.c_str());
    Set(CURLOPT_PROTOCOLS_STR, "http,https");
    Set(CURLOPT_PATH_AS_IS, 1L);
    Set(CURLOPT_FOLLOWLOCATION, 0L);
    Set(CURLOPT_HTTPHEADER, headers);
    if (call.body) {
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body->size()));
      Set(CURLOPT_POSTFIELDS, call.body->empty() ? "" : call.body->data());
    }
    Set(CURLOPT_CUSTOMREQUEST, call.method.c_str());
    Set(CURLOPT_WRITEFUNCTION, AppendBody);
    Set(CURLOPT_WRITEDATA, static_cast<void*>(body));
    Set(CURLOPT_HEADERFUNCTION, AppendHeader);
    Set(CURLOPT_HEADERDATA, static_cast<void*>(&answer->headers));
    if (call.stall_max > std::chrono::seconds(0)) {
      Set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(call.stall_max.count()));
      Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
      Set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(call.stall_max.count()));
    }
    if (!call.ca_file.empty()) Set(CURLOPT_CAINFO, call.ca_file.c_str());
    Set(CURLOPT_ERRORBUFFER, static_cast<char*>(error_));
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_QUICK_EXIT, 1L);  // does not wait for a pending DNS lookup
  }

  // Runs the transfer until it ends, its deadline passes or it is stopped.
  absl::Status Perform(const HttpRequest& call) {
    CURLM* const multi = multi_.get();
    CHECK(curl_multi_add_handle(multi, easy_.get()) == CURLM_OK);
    absl::Status status;
    while (true) {
      int running = 0;
      if (curl_multi_perform(multi, &running) != CURLM_OK) {
        status = absl::UnavailableError("libcurl failed");
        break;
      }
      if (running == 0) {
        status = TransferStatus(call);
        break;
      }
      if (call.stop->load(std::memory_order_relaxed)) {
        status = absl::CancelledError("the request was cancelled");
        break;
      }
      const auto left = std::chrono::ceil<milliseconds>(call.end - Clock::now());
      if (left <= milliseconds(0)) {
        status = absl::DeadlineExceededError("the server did not answer in time");
        break;
      }
      curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::min(left, kPollInterval).count()),
                      nullptr);
    }
    curl_multi_remove_handle(multi, easy_.get());
    return status;
  }

  // Returns the status of the finished transfer.
  absl::Status TransferStatus(const HttpRequest& call) {
    int left = 0;
    const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left);
    if (message == nullptr) return absl::UnavailableError("libcurl lost the transfer");
    const CURLcode code = message->data.result;
    if (code == CURLE_OK) return absl::OkStatus();
    if (code == CURLE_WRITE_ERROR) {
      return absl::ResourceExhaustedError("the response is longer than " +
                                          std::to_string(call.answer_max) + " bytes");
    }
    return absl::UnavailableError(error_[0] != '\0' ? error_ : curl_easy_strerror(code));
  }

  std::unique_ptr<CURL, EasyCleanup> easy_;
  std::unique_ptr<CURLM, MultiCleanup> multi_;
  char error_[CURL_ERROR_SIZE] = {};
};

CurlClient::CurlClient() : transfer_(std::make_unique<Transfer>()) {}

CurlClient::~CurlClient() = default;

absl::StatusOr<HttpResponse> CurlClient::Send(const HttpRequest& call) {
  return transfer_->Run(call);
}

}  // namespace triarch
