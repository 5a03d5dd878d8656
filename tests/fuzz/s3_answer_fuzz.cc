#include "selfplay/s3_answer.h"
#include "selfplay/sink.h"
#include "tests/fuzz/fuzz.h"

// What an S3 server answers, and what people call a place there.
FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::S3Listing> listing = triarch::ReadS3Listing(text);
  CHECK(!listing.ok() || listing->keys.size() <= text.size());
  const absl::StatusOr<std::string> upload = triarch::ReadUploadId(text);
  CHECK(!upload.ok() || !upload->empty());
  (void)triarch::ReadS3Error(text);
  if (triarch::CheckSinkName(text).ok()) {
    CHECK(!text.empty() && text.front() != '/' && text.find("..") != 0);
    CHECK(triarch::CheckSinkPlace(std::string(text)).ok());
  }
  (void)triarch::CheckSinkPlace("s3://" + std::string(text));
}
