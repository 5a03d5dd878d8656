#include "selfplay/storage/blob_store.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/storage/folder_blob_store.h"
#include "selfplay/storage/s3_blob_store.h"

namespace triarch {
namespace {

constexpr size_t kNameMax = 500;  // bytes; S3 has 1 024, with the prefix
constexpr size_t kPartMax = 200;  // of a name; file systems have 255
constexpr std::string_view kS3Scheme = "s3://";

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsPart(std::string_view part) {
  return !part.empty() && part.size() <= kPartMax && part != "." && part != ".." &&
         std::all_of(part.begin(), part.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("._-=+").find(c) != std::string_view::npos;
         });
}

absl::Status CheckFolder(const std::string& place) {
  if (place.empty()) return absl::InvalidArgumentError("expected a folder or s3://BUCKET/PREFIX");
  // The words of a URL could be a password; so no more of it is said.
  if (const size_t scheme = place.find("://"); scheme != std::string::npos) {
    return absl::InvalidArgumentError("there are no places " + Quote(place.substr(0, scheme)) +
                                      "://; expected a folder or s3://BUCKET/PREFIX");
  }
  if (IsPlainText(place)) return absl::OkStatus();
  return absl::InvalidArgumentError(Quote(place) + " is no path of a folder");
}

}  // namespace

absl::Status CheckSinkName(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, '/');
  if (name.size() <= kNameMax && !name.ends_with(".tmp") &&
      std::all_of(parts.begin(), parts.end(), IsPart)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      Quote(name) +
      " is no name of a file here; expected parts of letters, digits and ._-=+ "
      "between slashes, and no .tmp at the end");
}

absl::Status CheckSinkPlace(const std::string& place) {
  if (!place.starts_with(kS3Scheme)) return CheckFolder(place);
  return ParseS3Place(place, FromEnvironment).status();
}

absl::StatusOr<std::unique_ptr<BlobStore>> OpenBlobStore(const std::string& place,
                                                         const SinkOptions& options) {
  if (!place.starts_with(kS3Scheme)) {
    RETURN_IF_ERROR(CheckFolder(place));
    return MakeFolderSink(place);
  }
  ASSIGN_OR_RETURN(S3Location s3, ParseS3Place(place, FromEnvironment));
  ASSIGN_OR_RETURN(s3.credentials, ReadAwsCredentials(FromEnvironment, options.environment));
  return MakeS3Sink(std::move(s3), options);
}

}  // namespace triarch
