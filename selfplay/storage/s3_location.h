// Parses the location and credentials of data in an S3 bucket.

#ifndef TRIARCH_SELFPLAY_STORAGE_S3_LOCATION_H_
#define TRIARCH_SELFPLAY_STORAGE_S3_LOCATION_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "selfplay/storage/sigv4.h"

namespace triarch {

// A bucket with its server and credentials.
struct S3Location {
  std::string bucket = {};
  std::string prefix = {};    // prefix of all keys, without leading or trailing slashes; may be
                              // empty
  std::string endpoint = {};  // "http://127.0.0.1:9000", with path-style access; Amazon if empty
  std::string region = {};
  AwsCredentials credentials = {};
  size_t part_bytes = 64 << 20;  // larger files are uploaded in parts of this size
  int page_keys = 1'000;         // keys per listing request; servers return at most 1 000
};

// Returns the value of an environment variable, or "".
using EnvironmentReader = std::function<std::string(const char* name)>;

// Parses s3://BUCKET/PREFIX?endpoint=…&region=…, without credentials. Fails with InvalidArgument.
absl::StatusOr<S3Location> ParseS3Location(std::string_view url,
                                           const EnvironmentReader& environment);

// Reads the credentials from the environment. Fails with PermissionDenied if they are missing;
// `where` names the environment in the message.
absl::StatusOr<AwsCredentials> ReadAwsCredentials(const EnvironmentReader& environment,
                                                  const std::string& where);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_S3_LOCATION_H_
