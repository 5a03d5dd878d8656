#ifndef TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "selfplay/storage/blob_store.h"
#include "selfplay/storage/sigv4.h"

namespace triarch {

// Where a bucket is, and who asks.
struct S3Location {
  std::string bucket = {};
  std::string prefix = {};    // of all keys, without slashes around; may be empty
  std::string endpoint = {};  // "http://127.0.0.1:9000"; the bucket is in the path. Empty: Amazon's
  std::string region = {};
  AwsCredentials credentials = {};
  size_t part_bytes = 64 << 20;  // larger files are sent in parts of that size
  int page_keys = 1'000;         // of a list: what one request asks for; no server gives more
};

// The value of an environment variable; "" if there is none.
using EnvironmentReader = std::function<std::string(const char* name)>;

// s3://BUCKET/PREFIX?endpoint=…&region=…, without credentials. InvalidArgument: what is wrong.
absl::StatusOr<S3Location> ParseS3Place(std::string_view url, const EnvironmentReader& environment);

// The environment's. PermissionDenied: there are none `where`, "the environment of the
// coordinator".
absl::StatusOr<AwsCredentials> ReadAwsCredentials(const EnvironmentReader& environment,
                                                  const std::string& where);

std::unique_ptr<BlobStore> MakeS3Sink(S3Location place, const SinkOptions& options);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_
