#include "site/site_folder.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

namespace triarch::site {

namespace fs = std::filesystem;

namespace {

absl::Status CannotWrite(const fs::path& path, const std::error_code& error) {
  return absl::UnavailableError("cannot write " + path.string() + ": " + error.message());
}

// Returns the path without a "/" at its end, beside which PATH.tmp lies.
fs::path WithoutSlash(const std::string& path) {
  const fs::path folder = fs::path(path).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

}  // namespace

absl::StatusOr<SiteFolder> SiteFolder::Create(const std::string& path) {
  const fs::path folder = WithoutSlash(path);
  const fs::path tmp_path = folder.string() + ".tmp";
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
    return absl::FailedPreconditionError(folder.string() +
                                         " exists; expected a new or an empty folder");
  }
  if (error && error != std::errc::no_such_file_or_directory) return CannotWrite(folder, error);
  const fs::path parent = folder.parent_path();
  if (!parent.empty() && !fs::is_directory(parent, error)) {
    return absl::NotFoundError("there is no folder " + parent.string() + " for " + path +
                               "; expected one that exists");
  }
  if (!fs::create_directory(tmp_path, error) && !error) {
    return absl::FailedPreconditionError(
        tmp_path.string() + " exists: another export writes it, or was killed; then remove it");
  }
  if (error) return CannotWrite(tmp_path, error);
  return SiteFolder(folder, tmp_path);
}

SiteFolder::SiteFolder(SiteFolder&& other) noexcept
    : path_(std::move(other.path_)),
      tmp_path_(std::exchange(other.tmp_path_, {})),
      files_(other.files_),
      bytes_(other.bytes_) {}

SiteFolder::~SiteFolder() {
  std::error_code ignored;
  if (!tmp_path_.empty()) fs::remove_all(tmp_path_, ignored);
}

absl::Status SiteFolder::Write(std::string_view name, std::string_view content) {
  const fs::path path = tmp_path_ / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return CannotWrite(path, error);
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return CannotWrite(path, std::error_code(errno, std::generic_category()));
  ++files_;
  bytes_ += std::ssize(content);
  return absl::OkStatus();
}

absl::Status SiteFolder::Commit() {
  std::error_code error;
  fs::rename(tmp_path_, path_, error);  // also onto an empty folder
  if (error) return CannotWrite(path_, error);
  tmp_path_.clear();
  return absl::OkStatus();
}

}  // namespace triarch::site
