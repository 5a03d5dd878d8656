// The one unit that sees libcurl.

#include "bots/llm/curl_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <string_view>

#include "core/base/check.h"

namespace triarch::llm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr curl_off_t kRetryAfterMax = 86'400;  // seconds; nobody waits longer
constexpr milliseconds kLook{50};              // how often the stop flag is looked at, at least

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

// Collects the body, and refuses what is too long.
size_t TakeBody(char* data, size_t, size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + size > kBodyBytesMax) return 0;
  body.append(data, size);
  return size;
}

Headers MakeHeaders(const std::string& key) {
  Headers headers;
  const auto add = [&headers](const std::string& line) {
    curl_slist* const list = curl_slist_append(headers.get(), line.c_str());
    CHECK(list != nullptr);
    (void)headers.release();
    headers.reset(list);
  };
  add("Content-Type: application/json");
  add("Accept: application/json");
  add("Expect:");  // no question whether the body is welcome
  if (!key.empty()) add("Authorization: Bearer " + key);
  return headers;
}

class CurlClient final : public HttpClient {
 public:
  CurlClient() {
    StartCurl();
    easy_.reset(curl_easy_init());
    multi_.reset(curl_multi_init());
    CHECK(easy_ && multi_);
  }

  absl::StatusOr<HttpReply> Post(const HttpRequest& request) override {
    HttpReply reply;
    const Headers headers = MakeHeaders(request.key);
    Prepare(request, headers.get(), &reply.body);
    const absl::Status status = Transfer(request);
    if (!status.ok()) return status;
    long code = 0;
    curl_off_t wait = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &wait);
    reply.status = static_cast<int>(code);
    if (wait > 0) reply.retry_after = std::chrono::seconds(std::min(wait, kRetryAfterMax));
    return reply;
  }

 private:
  void Prepare(const HttpRequest& request, curl_slist* headers, std::string* body) {
    CURL* const easy = easy_.get();
    curl_easy_reset(easy);  // connections stay
    const auto set = [easy](CURLoption option, auto value) {
      CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
    };
    error_[0] = '\0';
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.c_str());
    set(CURLOPT_WRITEFUNCTION, TakeBody);
    set(CURLOPT_WRITEDATA, static_cast<void*>(body));
    set(CURLOPT_ERRORBUFFER, error_);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // who looks up a name is not waited for
  }

  // Until it is over, its time is, or somebody stops it.
  absl::Status Transfer(const HttpRequest& request) {
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
        status = Ending();
        break;
      }
      if (request.stop->load(std::memory_order_relaxed)) {
        status = absl::CancelledError("the game was abandoned");
        break;
      }
      const auto left = std::chrono::ceil<milliseconds>(request.end - Clock::now());
      if (left <= milliseconds(0)) {
        status = absl::DeadlineExceededError("the server did not answer in time");
        break;
      }
      curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::min(left, kLook).count()), nullptr);
    }
    curl_multi_remove_handle(multi, easy_.get());
    return status;
  }

  // How the transfer ended.
  absl::Status Ending() {
    int left = 0;
    const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left);
    if (message == nullptr) return absl::UnavailableError("libcurl lost the transfer");
    const CURLcode code = message->data.result;
    if (code == CURLE_OK) return absl::OkStatus();
    if (code == CURLE_WRITE_ERROR) {
      return absl::ResourceExhaustedError("the answer is longer than " +
                                          std::to_string(kBodyBytesMax) + " bytes");
    }
    return absl::UnavailableError(error_[0] != '\0' ? error_ : curl_easy_strerror(code));
  }

  std::unique_ptr<CURL, EasyCleanup> easy_;
  std::unique_ptr<CURLM, MultiCleanup> multi_;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace

std::unique_ptr<HttpClient> MakeCurlClient() { return std::make_unique<CurlClient>(); }

}  // namespace triarch::llm
