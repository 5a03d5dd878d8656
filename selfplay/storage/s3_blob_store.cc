#include "selfplay/storage/s3_blob_store.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/base/mutex.h"
#include "core/base/random.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "http/curl_client.h"
#include "selfplay/storage/s3_answer.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kFirstWait{200};  // before the first retry; doubles each time
constexpr milliseconds kLongestWait{10'000};
constexpr milliseconds kPollInterval{50};  // how often to check the stop flag while waiting
// Limits on how long a single request may stall. Its total time is limited to twice that, plus the
// time to transfer its bytes. A shorter `retry_for` shortens the limits.
constexpr seconds kStallMin{5};
constexpr seconds kStallMax{30};
constexpr size_t kSlowestPerSecond = 64'000;
constexpr size_t kFileMax = size_t{4} << 30;  // largest file to read
constexpr size_t kAnswerMax = 16 << 20;       // largest listing or error response
constexpr int kPagesMax = 100'000;            // pages of one listing

// Maps an error response to a status code.
absl::StatusCode CodeOf(int status, std::string_view code) {
  if (code == "RequestTimeout") return absl::StatusCode::kUnavailable;
  if (code == "NoSuchUpload") return absl::StatusCode::kAborted;
  if (code == "ExpiredToken" || code == "InvalidToken") return absl::StatusCode::kPermissionDenied;
  switch (status) {
    case 401:
    case 403:
      return absl::StatusCode::kPermissionDenied;
    case 404:
      return absl::StatusCode::kNotFound;
    case 408:
    case 409:
    case 425:
    case 429:
      return absl::StatusCode::kUnavailable;
    case 501:
      return absl::StatusCode::kInvalidArgument;
    case 507:
      return absl::StatusCode::kResourceExhausted;
    default:
      return status >= 500 ? absl::StatusCode::kUnavailable : absl::StatusCode::kInvalidArgument;
  }
}

class S3BlobStore final : public BlobStore {
 public:
  S3BlobStore(S3Location location, const BlobStoreOptions& options)
      : location_(std::move(location)),
        retry_for_(options.retry_for),
        stall_max_(std::clamp(std::chrono::ceil<seconds>(retry_for_), kStallMin, kStallMax)),
        environment_(options.environment),
        stop_(options.stop == nullptr ? &never_ : options.stop),
        random_(static_cast<uint64_t>(absl::GetCurrentTimeNanos())) {
    // Amazon's certificates do not cover a bucket with a dot in its name as a host.
    const std::string amazon = "s3." + location_.region + ".amazonaws.com";
    if (!location_.endpoint.empty()) {
      base_ = location_.endpoint;
      root_ = "/" + location_.bucket + "/";
    } else if (location_.bucket.find('.') != std::string::npos) {
      base_ = "https://" + amazon;
      root_ = "/" + location_.bucket + "/";
    } else {
      base_ = "https://" + location_.bucket + "." + amazon;
      root_ = "/";
    }
  }

  absl::Status Put(std::string_view name, std::string_view bytes) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    if (bytes.size() > location_.part_bytes) return PutInParts(name, bytes);
    return Ask({.method = "PUT",
                .path = PathOf(name),
                .headers = {{"content-type", "application/octet-stream"}}},
               bytes)
        .status();
  }

  absl::StatusOr<std::string> Get(std::string_view name) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    ASSIGN_OR_RETURN(HttpResponse answer, Ask({.path = PathOf(name)}, std::nullopt, kFileMax));
    return std::move(answer.body);
  }

  absl::StatusOr<std::vector<std::string>> List(std::string_view prefix) override {
    const std::string before = location_.prefix.empty() ? "" : location_.prefix + "/";
    std::vector<std::string> names;
    std::string token;
    for (int page = 0; page < kPagesMax; ++page) {
      S3Request request{.path = root_,
                        .query = {{"list-type", "2"},
                                  {"max-keys", std::to_string(location_.page_keys)},
                                  {"prefix", before + std::string(prefix)}}};
      if (!token.empty()) request.query["continuation-token"] = token;
      ASSIGN_OR_RETURN(const HttpResponse answer, Ask(std::move(request), std::nullopt));
      const absl::StatusOr<S3Listing> read = ReadS3Listing(answer.body);
      if (!read.ok()) return NotS3(read.status());
      const S3Listing& listing = *read;
      for (const std::string& key : listing.keys) {
        if (!key.starts_with(before)) continue;
        std::string name = key.substr(before.size());
        if (CheckBlobName(name).ok()) names.push_back(std::move(name));
      }
      token = listing.next_token;
      if (!token.empty()) continue;
      std::sort(names.begin(), names.end());
      return names;
    }
    return absl::InvalidArgumentError(Describe() + ": the listing does not end");
  }

  absl::Status Remove(std::string_view name) override {
    RETURN_IF_ERROR(CheckBlobName(name));
    const absl::Status status =
        Ask({.method = "DELETE", .path = PathOf(name)}, std::nullopt).status();
    return absl::IsNotFound(status) ? absl::OkStatus() : status;
  }

  // Multipart uploads of crashed writers are invisible. A lifecycle rule of the bucket
  // (AbortIncompleteMultipartUpload) removes them.
  absl::Status RemoveUnfinished(std::string_view) override { return absl::OkStatus(); }

  std::string Describe() const override {
    return "s3://" + location_.bucket + (location_.prefix.empty() ? "" : "/" + location_.prefix) +
           (location_.endpoint.empty() ? "" : " at " + location_.endpoint);
  }

 private:
  std::string PathOf(std::string_view name) const {
    return root_ + (location_.prefix.empty() ? "" : location_.prefix + "/") + std::string(name);
  }

  // If the server no longer knows an upload, it may have completed without our seeing the response.
  // Upload again to make sure.
  absl::Status PutInParts(std::string_view name, std::string_view bytes) {
    absl::Status status = TryInParts(name, bytes);
    if (absl::IsAborted(status)) status = TryInParts(name, bytes);
    if (!absl::IsAborted(status)) return status;
    return absl::UnavailableError(status.message());
  }

  absl::Status TryInParts(std::string_view name, std::string_view bytes) {
    ASSIGN_OR_RETURN(const HttpResponse begun,
                     Ask({.method = "POST",
                          .path = PathOf(name),
                          .query = {{"uploads", ""}},
                          .headers = {{"content-type", "application/octet-stream"}}},
                         ""));
    const absl::StatusOr<std::string> upload = ReadUploadId(begun.body);
    if (!upload.ok()) return NotS3(upload.status());
    const absl::Status status = SendParts(name, *upload, bytes);
    if (!status.ok()) {
      // Abort once, even when stopped, because leftover parts cost money.
      (void)Send({.method = "DELETE", .path = PathOf(name), .query = {{"uploadId", *upload}}},
                 std::nullopt, kAnswerMax, &never_);
    }
    return status;
  }

  absl::Status SendParts(std::string_view name, const std::string& upload, std::string_view bytes) {
    std::vector<std::string> etags;
    for (size_t begin = 0; begin < bytes.size(); begin += location_.part_bytes) {
      ASSIGN_OR_RETURN(
          const HttpResponse part,
          Ask({.method = "PUT",
               .path = PathOf(name),
               .query = {{"partNumber", std::to_string(etags.size() + 1)}, {"uploadId", upload}}},
              bytes.substr(begin, location_.part_bytes)));
      const auto etag = part.headers.find("etag");
      if (etag == part.headers.end()) {
        return absl::InvalidArgumentError(Describe() + ": the server returned no ETag for a part");
      }
      etags.push_back(etag->second);
    }
    const std::string xml = PartsXml(etags);
    // A server may report an error in the body after the status 200.
    return Ask({.method = "POST",
                .path = PathOf(name),
                .query = {{"uploadId", upload}},
                .headers = {{"content-type", "application/xml"}}},
               xml)
        .status();
  }

  // Retries until the result is final or the time is up.
  absl::StatusOr<HttpResponse> Ask(S3Request request, std::optional<std::string_view> body,
                                   size_t answer_max = kAnswerMax) {
    const Clock::time_point end = Clock::now() + retry_for_;
    milliseconds wait = kFirstWait;
    while (true) {
      std::optional<seconds> asked;
      absl::StatusOr<HttpResponse> answer = Send(request, body, answer_max, stop_, &asked);
      if (answer.ok() || !absl::IsUnavailable(answer.status())) return answer;
      // Wait between half and all of the interval, so that clients do not retry in lockstep.
      milliseconds pause = wait / 2 + milliseconds(Below(wait.count() / 2 + 1));
      if (asked) pause = std::max(pause, std::min<milliseconds>(*asked, kLongestWait));
      if (Clock::now() + pause >= end) return answer;
      if (!Pause(pause)) return absl::CancelledError(Describe() + ": stopped");
      wait = std::min(wait * 2, kLongestWait);
    }
  }

  // Sends one request. Temporary errors are Unavailable; `asked` is set to the server's
  // Retry-After.
  absl::StatusOr<HttpResponse> Send(S3Request request, std::optional<std::string_view> body,
                                    size_t answer_max, const std::atomic<bool>* stop,
                                    std::optional<seconds>* asked = nullptr) {
    const size_t scheme = base_.find("://");
    request.host = base_.substr(scheme + 3);
    request.payload_sha256 = Sha256Hex(body.value_or(""));
    const auto time = 2 * stall_max_ + seconds((body ? body->size() : 0) / kSlowestPerSecond) +
                      seconds(answer_max == kFileMax ? 600 : 0);
    HttpRequest call{
        .method = request.method,
        .url = base_ + UrlTail(request),
        .headers = SignedHeaders(request, location_.credentials, location_.region, absl::Now()),
        .body = body,
        .answer_max = answer_max,
        .end = Clock::now() + time,
        .stop = stop,
        .stall_max = stall_max_};
    // Otherwise libcurl adds its own Content-Type.
    if (body && !request.headers.contains("content-type")) call.headers.push_back("Content-Type:");
    std::unique_ptr<CurlClient> client = TakeClient();
    absl::StatusOr<HttpResponse> answer = client->Send(call);
    GiveBack(std::move(client));
    if (!answer.ok()) return Failed(answer.status());
    if (asked != nullptr) *asked = answer->retry_after;
    const bool is_error = answer->status >= 300 || !ReadError(*answer).code.empty();
    if (answer->status >= 200 && !is_error) return answer;
    return Refused(*answer);
  }

  // Returns the error in the response. A file's content is never interpreted as an error.
  static S3Error ReadError(const HttpResponse& answer) {
    const auto type = answer.headers.find("content-type");
    const bool is_xml =
        type != answer.headers.end() && type->second.find("xml") != std::string::npos;
    return answer.status >= 300 || is_xml ? ReadS3Error(answer.body) : S3Error();
  }

  absl::Status Failed(const absl::Status& status) const {
    const absl::StatusCode code =
        absl::IsDeadlineExceeded(status) ? absl::StatusCode::kUnavailable : status.code();
    return absl::Status(code, Describe() + ": " + std::string(status.message()));
  }

  absl::Status NotS3(const absl::Status& status) const {
    return absl::InvalidArgumentError(Describe() + ": " + std::string(status.message()) +
                                      "; is this an S3 server?");
  }

  absl::Status Refused(const HttpResponse& answer) const {
    const S3Error error = ReadError(answer);
    std::string what = absl::StrFormat("%s: the server responded %d", Describe(), answer.status);
    if (!error.code.empty()) what += " " + Quote(error.code);
    if (!error.message.empty() && !HasSecret(error.message))
      what += ", " + Quote(error.message, 200);
    if (answer.status >= 300 && answer.status < 400) {
      what += "; is the bucket in the region " + location_.region + "?";
    }
    // An error in the body after the status 200 is temporary.
    const int status = answer.status < 300 ? 500 : answer.status;
    const absl::StatusCode code = CodeOf(status, error.code);
    if (code == absl::StatusCode::kPermissionDenied)
      what += "; using the keys from " + environment_;
    if (error.code == "NoSuchBucket") what += "; create the bucket " + location_.bucket + " first";
    return absl::Status(code, what);
  }

  bool HasSecret(std::string_view text) const {
    const AwsCredentials& credentials = location_.credentials;
    for (const std::string& secret :
         {credentials.key_id, credentials.secret, credentials.session_token}) {
      if (!secret.empty() && text.find(secret) != std::string_view::npos) return true;
    }
    return false;
  }

  // Waits. Returns false if stopped in the meantime.
  bool Pause(milliseconds time) const {
    const Clock::time_point end = Clock::now() + time;
    while (!stop_->load(std::memory_order_relaxed)) {
      const auto left = end - Clock::now();
      if (left <= milliseconds(0)) return true;
      std::this_thread::sleep_for(std::min<Clock::duration>(left, kPollInterval));
    }
    return false;
  }

  int64_t Below(int64_t bound) {
    MutexLock lock(&mutex_);
    return random_.Below(static_cast<uint32_t>(bound));
  }

  // Returns an idle client with its open connection, or a new one.
  std::unique_ptr<CurlClient> TakeClient() {
    MutexLock lock(&mutex_);
    if (clients_.empty()) return std::make_unique<CurlClient>();
    std::unique_ptr<CurlClient> client = std::move(clients_.back());
    clients_.pop_back();
    return client;
  }

  void GiveBack(std::unique_ptr<CurlClient> client) {
    MutexLock lock(&mutex_);
    clients_.push_back(std::move(client));
  }

  const S3Location location_;
  const milliseconds retry_for_;
  const seconds stall_max_;
  const std::string environment_;  // where the keys come from
  const std::atomic<bool> never_ = false;
  const std::atomic<bool>* const stop_;
  std::string base_;  // "https://bucket.s3.eu-west-1.amazonaws.com"
  std::string root_;  // prefix of all paths: "/" or "/bucket/"
  Mutex mutex_;
  Random random_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<CurlClient>> clients_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<BlobStore> MakeS3BlobStore(S3Location location, const BlobStoreOptions& options) {
  return std::make_unique<S3BlobStore>(std::move(location), options);
}

}  // namespace triarch
