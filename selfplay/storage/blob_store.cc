#include "selfplay/storage/blob_store.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/storage/folder_blob_store.h"
#include "selfplay/storage/s3_blob_store.h"

namespace triarch {
namespace {

constexpr size_t kNameMax = 500;  // bytes; S3 allows 1 024, including the prefix
constexpr size_t kPartMax = 200;  // bytes between slashes; file systems allow 255
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

absl::Status CheckFolder(const std::string& location) {
  if (location.empty())
    return absl::InvalidArgumentError("expected a folder or s3://BUCKET/PREFIX");
  // Quote only the scheme, because the rest could contain a password.
  if (const size_t scheme = location.find("://"); scheme != std::string::npos) {
    return absl::InvalidArgumentError("unsupported location " + Quote(location.substr(0, scheme)) +
                                      "://; expected a folder or s3://BUCKET/PREFIX");
  }
  if (IsPlainText(location)) return absl::OkStatus();
  return absl::InvalidArgumentError(Quote(location) + " is not a valid folder path");
}

}  // namespace

absl::Status CheckBlobName(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, '/');
  if (name.size() <= kNameMax && !name.ends_with(".tmp") &&
      std::all_of(parts.begin(), parts.end(), IsPart)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(Quote(name) +
                                    " is not a valid blob name; expected letters, digits and ._-=+ "
                                    "between slashes, not ending in .tmp");
}

absl::Status CheckDataLocation(const std::string& location) {
  if (!location.starts_with(kS3Scheme)) return CheckFolder(location);
  return ParseS3Location(location, FromEnvironment).status();
}

absl::StatusOr<std::unique_ptr<BlobStore>> OpenBlobStore(const std::string& location,
                                                         const BlobStoreOptions& options) {
  if (!location.starts_with(kS3Scheme)) {
    RETURN_IF_ERROR(CheckFolder(location));
    if (!options.roots) return MakeFolderBlobStore(location);
    ASSIGN_OR_RETURN(std::string folder, AllowedFolder(location, *options.roots));
    return MakeFolderBlobStore(std::move(folder));
  }
  ASSIGN_OR_RETURN(S3Location s3, ParseS3Location(location, FromEnvironment));
  if (options.roots) {
    RETURN_IF_ERROR(CheckAllowed(location, s3, *options.roots, FromEnvironment));
  }
  ASSIGN_OR_RETURN(s3.credentials, ReadAwsCredentials(FromEnvironment, options.environment));
  return MakeS3BlobStore(std::move(s3), options);
}

}  // namespace triarch
