#include "selfplay/storage/s3_blob_store.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/llm/odd_chat_server.h"

// Tests the store against a server that misbehaves in all the usual ways. tests/contract uses a
// correct server.
namespace triarch {
namespace {

using Reply = OddChatServer::Reply;
using Request = OddChatServer::Request;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Reply Answer(int status, const std::string& body = "", const std::string& head = "") {
  std::string text = HttpText(status, body, head);
  const std::string json = "application/json";
  return {.bytes = text.replace(text.find(json), json.size(), "application/xml")};
}

Reply Fault(int status, const std::string& code, const std::string& message = "why") {
  return Answer(status,
                "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>");
}

// Sends the replies in order, repeats the last one, and records the requests.
class S3BlobStoreTest : public ::testing::Test {
 protected:
  void Serve(std::vector<Reply> replies) {
    setenv("no_proxy", "*", 1);
    replies_ = std::move(replies);
    server_ = std::make_unique<OddChatServer>([this](const Request& request) {
      requests_.push_back(request);
      return replies_[std::min(requests_.size(), replies_.size()) - 1];
    });
    std::string url = server_->url();
    url.resize(url.rfind('/'));
    S3Location location{.bucket = "bucket",
                        .prefix = "pre",
                        .endpoint = url,
                        .region = "eu-west-1",
                        .credentials = {"KEYID", "hunter2", "TOKEN"},
                        .part_bytes = 10};
    blobs_ = MakeS3BlobStore(location, {.retry_for = retry_for_, .stop = &stop_});
  }

  milliseconds retry_for_{20'000};
  std::atomic<bool> stop_ = false;
  std::vector<Reply> replies_;
  std::vector<Request> requests_;
  std::unique_ptr<OddChatServer> server_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(S3BlobStoreTest, SendsSignedRequests) {
  Serve({Answer(200)});
  ASSERT_TRUE(blobs_->Put("shards/a+b", "bytes").ok());
  ASSERT_THAT(requests_, SizeIs(1));
  EXPECT_THAT(requests_[0].head,
              AllOf(StartsWith("PUT /bucket/pre/shards/a%2Bb HTTP/1.1\r\n"),
                    HasSubstr("x-amz-security-token: TOKEN\r\n"),
                    HasSubstr("/eu-west-1/s3/aws4_request,SignedHeaders=content-type;host;"),
                    HasSubstr("content-type: application/octet-stream\r\n"),
                    HasSubstr("x-amz-content-sha256: " + Sha256Hex("bytes") + "\r\n"),
                    Not(HasSubstr("Expect:")), Not(HasSubstr("hunter2"))));
  EXPECT_EQ(requests_[0].body, "bytes");
}

TEST_F(S3BlobStoreTest, RetriesTemporaryErrors) {
  for (const Reply& reply : {Fault(500, "InternalError"), Fault(503, "SlowDown"), Answer(429),
                             Reply{}, Fault(400, "RequestTimeout"), Fault(409, "OperationAborted"),
                             Reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"}}) {
    requests_.clear();
    Serve({reply, reply, Answer(200)});
    const absl::Status status = blobs_->Put("a", "bytes");
    EXPECT_TRUE(status.ok()) << status;
    ASSERT_THAT(requests_, SizeIs(3)) << reply.bytes;
    for (const Request& request : requests_) EXPECT_EQ(request.body, "bytes");
  }
}

TEST_F(S3BlobStoreTest, DoesNotRetryPermanentErrors) {
  struct Case {
    Reply reply;
    absl::StatusCode code;
    std::string words;
  };
  for (const Case& expected :
       {Case{Fault(403, "AccessDenied"), absl::StatusCode::kPermissionDenied, "AccessDenied"},
        Case{Fault(400, "ExpiredToken"), absl::StatusCode::kPermissionDenied, "ExpiredToken"},
        Case{Fault(404, "NoSuchBucket"), absl::StatusCode::kNotFound, "NoSuchBucket"},
        Case{Fault(400, "InvalidArgument"), absl::StatusCode::kInvalidArgument, "why"},
        Case{Fault(301, "PermanentRedirect"), absl::StatusCode::kInvalidArgument, "eu-west-1"},
        Case{Fault(501, "NotImplemented"), absl::StatusCode::kInvalidArgument, "501"},
        Case{Fault(507, "XMinioStorageFull"), absl::StatusCode::kResourceExhausted, "Full"}}) {
    requests_.clear();
    Serve({expected.reply});
    const absl::Status status = blobs_->Put("a", "bytes");
    EXPECT_EQ(status.code(), expected.code) << status;
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(StartsWith("s3://bucket/pre at http://127.0.0.1:"), HasSubstr(expected.words)));
    EXPECT_THAT(requests_, SizeIs(1));
  }
}

TEST_F(S3BlobStoreTest, MessagesContainNoKeys) {
  for (const char* secret : {"KEYID", "hunter2", "TOKEN"}) {
    Serve({Fault(403, "Denied", std::string("you said ") + secret)});
    const absl::Status status = blobs_->Put("a", "bytes");
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("Denied"), Not(HasSubstr(secret))));
  }
}

TEST_F(S3BlobStoreTest, GivesUpAfterRetryFor) {
  retry_for_ = milliseconds(900);
  Serve({Fault(503, "SlowDown")});
  const auto begin = std::chrono::steady_clock::now();
  const absl::Status status = blobs_->Put("a", "bytes");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));
  EXPECT_GE(requests_.size(), 2u);
  EXPECT_LE(requests_.size(), 6u);  // the pauses grow
  // The result is the same if no server listens.
  S3Location location{.bucket = "bucket",
                      .endpoint = "http://127.0.0.1:1",
                      .region = "x",
                      .credentials = {"KEYID", "hunter2", ""}};
  EXPECT_TRUE(
      absl::IsUnavailable(MakeS3BlobStore(location, {.retry_for = retry_for_})->Put("a", "")));
}

TEST_F(S3BlobStoreTest, HonoursRetryAfter) {
  Serve({Answer(503, "", "Retry-After: 2\r\n"), Answer(200)});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(blobs_->Put("a", "bytes").ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, seconds(2));
}

TEST_F(S3BlobStoreTest, StopsImmediately) {
  for (const Reply& reply :
       {Fault(503, "SlowDown"), Reply{.bytes = "HTTP", .is_left_open = true}}) {
    stop_ = false;
    Serve({reply});
    const std::jthread stopper([this] {
      std::this_thread::sleep_for(milliseconds(300));
      stop_ = true;
    });
    const auto begin = std::chrono::steady_clock::now();
    const absl::Status status = blobs_->Put("a", "bytes");
    EXPECT_TRUE(absl::IsCancelled(status)) << status;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));
  }
}

TEST_F(S3BlobStoreTest, ReadsAllPagesOfAListing) {
  const auto page = [](const std::string& key, const std::string& token) {
    return Answer(200, "<ListBucketResult><Contents><Key>pre/" + key + "</Key></Contents>" +
                           (token.empty() ? ""
                                          : "<IsTruncated>true</IsTruncated>"
                                            "<NextContinuationToken>" +
                                                token + "</NextContinuationToken>") +
                           "</ListBucketResult>");
  };
  Serve({page("b", "t/1"), Answer(500), page("not a name", "t/2"), page("a", "")});
  const auto names = blobs_->List("x");
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_THAT(*names, ElementsAre("a", "b"));
  ASSERT_THAT(requests_, SizeIs(4));
  EXPECT_THAT(requests_[0].head,
              StartsWith("GET /bucket/?list-type=2&max-keys=1000&prefix=pre%2Fx HTTP"));
  for (const int i : {1, 2}) {
    EXPECT_THAT(
        requests_[i].head,
        StartsWith(
            "GET /bucket/?continuation-token=t%2F1&list-type=2&max-keys=1000&prefix=pre%2Fx HTTP"));
  }
  EXPECT_THAT(requests_[3].head, HasSubstr("continuation-token=t%2F2&"));
}

Reply Begun() {
  return Answer(200,
                "<InitiateMultipartUploadResult><UploadId>u1</UploadId>"
                "</InitiateMultipartUploadResult>");
}
Reply Part(const std::string& etag) { return Answer(200, "", "ETag: \"" + etag + "\"\r\n"); }

TEST_F(S3BlobStoreTest, UploadsInParts) {
  Serve({Begun(), Part("e1"), Answer(500), Part("e2"), Part("e3"),
         Answer(200, "<CompleteMultipartUploadResult/>")});
  const absl::Status status = blobs_->Put("a", "0123456789abcdefghijXYZ");
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_THAT(requests_, SizeIs(6));
  EXPECT_THAT(requests_[0].head, StartsWith("POST /bucket/pre/a?uploads= HTTP"));
  EXPECT_THAT(requests_[1].head, StartsWith("PUT /bucket/pre/a?partNumber=1&uploadId=u1 HTTP"));
  EXPECT_THAT(requests_[4].head, StartsWith("PUT /bucket/pre/a?partNumber=3&uploadId=u1 HTTP"));
  EXPECT_EQ(requests_[1].body, "0123456789");
  EXPECT_EQ(requests_[3].body, "abcdefghij");
  EXPECT_EQ(requests_[4].body, "XYZ");
  EXPECT_THAT(requests_[5].head, StartsWith("POST /bucket/pre/a?uploadId=u1 HTTP"));
  EXPECT_THAT(requests_[5].body,
              HasSubstr("<Part><PartNumber>3</PartNumber><ETag>&quot;e3&quot;</ETag></Part>"));
}

TEST_F(S3BlobStoreTest, AbortsAFailedUpload) {
  Serve({Begun(), Part("e1"), Fault(403, "AccessDenied"), Answer(204)});
  EXPECT_TRUE(absl::IsPermissionDenied(blobs_->Put("a", "0123456789abc")));
  ASSERT_THAT(requests_, SizeIs(4));
  EXPECT_THAT(requests_[3].head, StartsWith("DELETE /bucket/pre/a?uploadId=u1 HTTP"));
}

// The server sends 200 before it knows the outcome, which is in the body.
TEST_F(S3BlobStoreTest, RetriesACompletionThatFailsAfter200) {
  Serve({Begun(), Part("e1"), Part("e2"), Fault(200, "InternalError"), Answer(200)});
  EXPECT_TRUE(blobs_->Put("a", "0123456789abc").ok());
  EXPECT_THAT(requests_, SizeIs(5));
}

// The completion succeeded but its response was lost. The server then no longer knows the upload,
// which is repeated.
TEST_F(S3BlobStoreTest, RepeatsAnUploadWhoseCompletionWasLost) {
  Serve({Begun(), Part("e1"), Part("e2"), Reply{}, Fault(404, "NoSuchUpload"), Answer(204), Begun(),
         Part("e1"), Part("e2"), Answer(200)});
  const absl::Status status = blobs_->Put("a", "0123456789abc");
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(requests_, SizeIs(10));
}

TEST_F(S3BlobStoreTest, RecognizesAServerThatIsNotS3) {
  Serve({Reply{.bytes = HttpText(200, "<html>Welcome</html>")}});
  const absl::Status status = blobs_->List("").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith("s3://bucket/pre at http://127.0.0.1:"),
                    HasSubstr("is this an S3 server?")));
}

TEST_F(S3BlobStoreTest, ReadsAFileThatLooksLikeAnError) {
  const std::string file = "<Error><Code>x</Code></Error>";
  Serve({Reply{.bytes = HttpText(200, file)}});
  EXPECT_EQ(*blobs_->Get("a"), file);
}

TEST_F(S3BlobStoreTest, RemovingAMissingFileSucceeds) {
  Serve({Fault(404, "NoSuchKey"), Fault(404, "NoSuchKey"), Answer(204)});
  EXPECT_TRUE(blobs_->Remove("a").ok());
  EXPECT_TRUE(absl::IsNotFound(blobs_->Get("a").status()));
  EXPECT_TRUE(blobs_->Remove("a").ok());
}

}  // namespace
}  // namespace triarch
