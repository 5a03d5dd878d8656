// Restricts the locations of self-play data to those below allowed roots.

#ifndef TRIARCH_SELFPLAY_STORAGE_DATA_ROOTS_H_
#define TRIARCH_SELFPLAY_STORAGE_DATA_ROOTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/storage/s3_location.h"

namespace triarch {

// Folders and S3 prefixes. A location is allowed if it is one of them or below one; without any
// root, none is.
using DataRoots = std::vector<std::string>;

// Returns the folder's absolute path without links, "." and "..", which the caller must use instead
// of the given one. Parts that do not exist yet stay as they are. Fails with PermissionDenied if
// the folder is not allowed.
absl::StatusOr<std::string> AllowedFolder(const std::string& folder, const DataRoots& roots);

// Checks that an S3 location is allowed: it needs a root with the same endpoint and bucket. `url`
// is the location for messages. Fails with PermissionDenied.
absl::Status CheckAllowed(const std::string& url, const S3Location& location,
                          const DataRoots& roots, const EnvironmentReader& environment);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_DATA_ROOTS_H_
