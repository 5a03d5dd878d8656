#include "selfplay/storage/sigv4.h"

#include <string>

#include "core/base/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The examples from "Authenticating Requests: Using the Authorization Header" in the S3 API
// reference.
class SigV4 : public ::testing::Test {
 protected:
  static S3Request Request(const std::string& method, const std::string& path) {
    return {.method = method,
            .host = "examplebucket.s3.amazonaws.com",
            .path = path,
            .payload_sha256 = Sha256Hex("")};
  }

  static std::string Authorization(const S3Request& request) {
    const AwsCredentials credentials = {"AKIAIOSFODNN7EXAMPLE",
                                        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
    return SignedHeaders(request, credentials, "us-east-1",
                         absl::FromCivil(absl::CivilSecond(2013, 5, 24), absl::UTCTimeZone()))
        .back();
  }
};

TEST_F(SigV4, GetObject) {
  S3Request request = Request("GET", "/test.txt");
  request.headers["range"] = "bytes=0-9";
  EXPECT_EQ(Authorization(request),
            "authorization: AWS4-HMAC-SHA256 "
            "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(UrlTail(request), "/test.txt");
}

TEST_F(SigV4, PutObject) {
  S3Request request = Request("PUT", "/test$file.text");
  request.headers = {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                     {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  request.payload_sha256 = Sha256Hex("Welcome to Amazon S3.");
  EXPECT_THAT(Authorization(request),
              HasSubstr("SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;"
                        "x-amz-storage-class,Signature="
                        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
  EXPECT_EQ(UrlTail(request), "/test%24file.text");
}

TEST_F(SigV4, GetBucketLifecycle) {
  S3Request request = Request("GET", "/");
  request.query["lifecycle"] = "";
  EXPECT_THAT(Authorization(request),
              HasSubstr("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
}

TEST_F(SigV4, ListObjects) {
  S3Request request = Request("GET", "/");
  request.query = {{"prefix", "J"}, {"max-keys", "2"}};
  EXPECT_THAT(Authorization(request),
              HasSubstr("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
  EXPECT_EQ(UrlTail(request), "/?max-keys=2&prefix=J");
}

TEST_F(SigV4, SignsAllHeadersThatAreSent) {
  S3Request request = Request("PUT", "/a/ü b");
  request.query = {{"partNumber", "1"}, {"uploadId", "a/b+c="}};
  const std::vector<std::string> lines = SignedHeaders(
      request, {"id", "secret", "lent token"}, "eu-west-1", absl::FromUnixSeconds(1'700'000'000));
  EXPECT_THAT(lines, ElementsAre("x-amz-content-sha256: " + Sha256Hex(""),
                                 "x-amz-date: 20231114T221320Z", "x-amz-security-token: lent token",
                                 HasSubstr("SignedHeaders=host;x-amz-content-sha256;x-amz-date;"
                                           "x-amz-security-token,")));
  for (const std::string& line : lines) EXPECT_EQ(line.find("secret,"), std::string::npos);
  EXPECT_EQ(UrlTail(request), "/a/%C3%BC%20b?partNumber=1&uploadId=a%2Fb%2Bc%3D");
}

}  // namespace
}  // namespace triarch
