// Parses the XML responses of an S3 server.

#ifndef TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_
#define TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// Safe for untrusted input: documents that are deeply nested, have a document type definition or
// have an unexpected root element fail with InvalidArgument.
namespace triarch {

// An error as the server describes it. Both fields are empty if the document is not an error.
struct S3Error {
  std::string code;     // "NoSuchKey"
  std::string message;  // human-readable
};
S3Error ReadS3Error(std::string_view xml);

// One page of ListObjectsV2.
struct S3Listing {
  std::vector<std::string> keys;
  std::string next_token;  // for the next page; empty on the last one
};
absl::StatusOr<S3Listing> ReadS3Listing(std::string_view xml);

// Returns the id of a multipart upload that was started.
absl::StatusOr<std::string> ReadUploadId(std::string_view xml);

// Returns the request body that completes such an upload, from the parts' ETags in order.
std::string PartsXml(const std::vector<std::string>& etags);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_
