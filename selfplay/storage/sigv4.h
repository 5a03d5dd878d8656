#ifndef TRIARCH_SELFPLAY_STORAGE_SIGV4_H_
#define TRIARCH_SELFPLAY_STORAGE_SIGV4_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

// How requests to S3 are signed: AWS Signature Version 4, with a digest of the body.
namespace triarch {

struct AwsCredentials {
  std::string key_id;
  std::string secret;
  std::string session_token;  // of credentials that are lent; else empty
};

struct S3Request {
  std::string method = "GET";
  std::string host = {};                          // as in the Host header: "127.0.0.1:9000"
  std::string path = "/";                         // not encoded
  std::map<std::string, std::string> query = {};  // likewise
  std::map<std::string, std::string> headers =
      {};                           // names in small letters; more than the signer's
  std::string payload_sha256 = {};  // digest of the body, also of an empty one
};

// Lines "name: value" that the request must have, but for Host: its own headers and
// x-amz-content-sha256, x-amz-date, x-amz-security-token and authorization.
std::vector<std::string> SignedHeaders(const S3Request& request, const AwsCredentials& credentials,
                                       std::string_view region, absl::Time now);

// The path and the query as a URL has them after the host.
std::string UrlTail(const S3Request& request);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_SIGV4_H_
