// Writes a folder of files that is there completely or not at all.

#ifndef TRIARCH_SITE_SITE_FOLDER_H_
#define TRIARCH_SITE_SITE_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch::site {

// Writes to PATH.tmp and renames it on Commit. Without Commit, leaves nothing behind.
class SiteFolder {
 public:
  // Fails with FailedPrecondition if `path` is anything but a new or empty folder, or if PATH.tmp
  // exists: it may be someone's, or be written now.
  static absl::StatusOr<SiteFolder> Create(const std::string& path);

  SiteFolder(SiteFolder&& other) noexcept;
  SiteFolder& operator=(SiteFolder&&) = delete;
  ~SiteFolder();

  // Writes a file, "data/rules/tri-d.js", and the folders above it.
  absl::Status Write(std::string_view name, std::string_view content);
  // Call it once, after the last Write.
  absl::Status Commit();

  int64_t files() const { return files_; }
  int64_t bytes() const { return bytes_; }

 private:
  SiteFolder(std::filesystem::path path, std::filesystem::path tmp_path)
      : path_(std::move(path)), tmp_path_(std::move(tmp_path)) {}

  std::filesystem::path path_;
  std::filesystem::path tmp_path_;  // empty after Commit or a move
  int64_t files_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_FOLDER_H_
