// Signs requests to S3 with AWS Signature Version 4, including a digest of the body.

#ifndef TRIARCH_SELFPLAY_STORAGE_SIGV4_H_
#define TRIARCH_SELFPLAY_STORAGE_SIGV4_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace triarch {

struct AwsCredentials {
  std::string key_id;
  std::string secret;
  std::string session_token;  // set for temporary credentials only
};

struct S3Request {
  std::string method = "GET";
  std::string host = {};                            // as in the Host header: "127.0.0.1:9000"
  std::string path = "/";                           // unencoded
  std::map<std::string, std::string> query = {};    // unencoded
  std::map<std::string, std::string> headers = {};  // lower-case names; in addition to the signer's
  std::string payload_sha256 = {};                  // digest of the body, even if empty
};

// Returns the required header lines "name: value" except Host: the request's own headers and
// x-amz-content-sha256, x-amz-date, x-amz-security-token and authorization.
std::vector<std::string> SignedHeaders(const S3Request& request, const AwsCredentials& credentials,
                                       std::string_view region, absl::Time now);

// Returns the encoded path and query for the URL.
std::string UrlTail(const S3Request& request);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_SIGV4_H_
