#include "bots/llm/curl_client.h"

#include <string>
#include <utility>
#include <vector>

#include "http/curl_client.h"

namespace triarch::llm {
namespace {

class ChatClient final : public HttpClient {
 public:
  absl::StatusOr<HttpReply> Post(const HttpRequest& request) override {
    std::vector<std::string> headers = {"Content-Type: application/json",
                                        "Accept: application/json"};
    if (!request.key.empty()) headers.push_back("Authorization: Bearer " + request.key);
    absl::StatusOr<HttpResponse> answer = client_.Send({.method = "POST",
                                                        .url = request.url,
                                                        .headers = std::move(headers),
                                                        .body = request.body,
                                                        .answer_max = kBodyBytesMax,
                                                        .end = request.end,
                                                        .stop = request.stop});
    if (!answer.ok()) return answer.status();
    return HttpReply{.status = answer->status,
                     .body = std::move(answer->body),
                     .retry_after = answer->retry_after};
  }

 private:
  CurlClient client_;
};

}  // namespace

std::unique_ptr<HttpClient> MakeCurlClient() { return std::make_unique<ChatClient>(); }

}  // namespace triarch::llm
