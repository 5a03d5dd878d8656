#ifndef TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_
#define TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// The XML that an S3 server answers with. Nothing of it is believed: deep or endless documents,
// and those that define words of their own, are InvalidArgument, as is another root.
namespace triarch {

// What went wrong, in the server's words; both are empty if it is no such document.
struct S3Error {
  std::string code;     // "NoSuchKey"
  std::string message;  // for people
};
S3Error ReadS3Error(std::string_view xml);

// One page of ListObjectsV2.
struct S3Listing {
  std::vector<std::string> keys;
  std::string next_token;  // of the page that follows; empty: this was the last
};
absl::StatusOr<S3Listing> ReadS3Listing(std::string_view xml);

// The number of an upload in parts that was begun.
absl::StatusOr<std::string> ReadUploadId(std::string_view xml);

// The body that ends such an upload, of the parts' tags in order.
std::string PartsXml(const std::vector<std::string>& etags);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_S3_ANSWER_H_
