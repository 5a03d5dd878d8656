#include "selfplay/storage/data_roots.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/base/status_macros.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

absl::Status NotAllowed(const std::string& location, const DataRoots& roots) {
  std::string text = location + " is not an allowed data location; ";
  if (roots.empty()) return absl::PermissionDeniedError(text + "no --data-root was given");
  text += "expected one below ";
  for (const std::string& root : roots) text += (&root == &roots.front() ? "" : " or ") + root;
  return absl::PermissionDeniedError(text);
}

// Returns the path without links. A link to nowhere is an error: somebody could create its target
// later, wherever that is.
absl::StatusOr<fs::path> WithoutLinks(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  if (!error) path = fs::weakly_canonical(path, error);
  if (error) return absl::PermissionDeniedError(folder + ": " + error.message());
  if (!path.has_filename()) path = path.parent_path();  // it ended in a slash
  for (fs::path part = path; part.has_relative_path(); part = part.parent_path()) {
    if (fs::is_symlink(fs::symlink_status(part, error))) {
      return absl::PermissionDeniedError(folder + ": the link " + part.string() +
                                         " leads to nothing");
    }
  }
  return path;
}

bool IsBelow(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

absl::StatusOr<std::string> AllowedFolder(const std::string& folder, const DataRoots& roots) {
  ASSIGN_OR_RETURN(const fs::path path, WithoutLinks(folder));
  const auto has = [&path](const std::string& root) {
    const absl::StatusOr<fs::path> own = WithoutLinks(root);
    return own.ok() && IsBelow(path, *own);
  };
  if (std::any_of(roots.begin(), roots.end(), has)) return path.string();
  const bool is_plain = folder == path;
  return NotAllowed(is_plain ? folder : folder + " (" + path.string() + ")", roots);
}

absl::Status CheckAllowed(const std::string& url, const S3Location& location,
                          const DataRoots& roots, const EnvironmentReader& environment) {
  const auto has = [&](const std::string& root) {
    const absl::StatusOr<S3Location> own = ParseS3Location(root, environment);
    return own.ok() && own->endpoint == location.endpoint && own->bucket == location.bucket &&
           IsBelow(location.prefix, own->prefix);
  };
  return std::any_of(roots.begin(), roots.end(), has) ? absl::OkStatus() : NotAllowed(url, roots);
}

}  // namespace triarch
