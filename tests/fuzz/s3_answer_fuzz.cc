// Fuzzes the responses of S3 servers and the names of data locations.

#include <filesystem>

#include "selfplay/storage/blob_store.h"
#include "selfplay/storage/s3_answer.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::S3Listing> listing = triarch::ReadS3Listing(text);
  CHECK(!listing.ok() || listing->keys.size() <= text.size());
  const absl::StatusOr<std::string> upload = triarch::ReadUploadId(text);
  CHECK(!upload.ok() || !upload->empty());
  (void)triarch::ReadS3Error(text);
  if (triarch::CheckBlobName(text).ok()) {
    const std::filesystem::path path(text);  // stays within any folder it is appended to
    CHECK(path.is_relative() && path == path.lexically_normal() && *path.begin() != "..");
    CHECK(triarch::CheckDataLocation(std::string(text)).ok());
  }
  (void)triarch::CheckDataLocation("s3://" + std::string(text));
}
