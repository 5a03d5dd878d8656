// Reads and checks the files of a user-supplied bot, and identifies them by a digest.

#ifndef TRIARCH_BUNDLE_BUNDLE_H_
#define TRIARCH_BUNDLE_BUNDLE_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bundle/bot_files.h"

namespace triarch {

// Limits on a bundle.
inline constexpr size_t kBundleBytesMax = 32 << 20;  // total size of the files
inline constexpr size_t kBundleFilesMax = 2'000;
inline constexpr size_t kBundlePathMax = 100;  // bytes; the limit of a tar header
// Size of a bundle's tar: files, headers and padding.
inline constexpr size_t kBundleTarMax = kBundleBytesMax + (4 << 20);

// The files of a bot in memory, on their way from the user who adds it to the workers. Always
// checked against the same rules, so a Bundle is safe to write to disk: files and folders only, no
// links; unique relative paths of visible ASCII without ".."; the limits above.
//
// Errors are InvalidArgument with the offending path, or NotFound if something cannot be read.
class Bundle {
 public:
  struct File {
    std::string bytes;
    bool is_executable = false;
    friend bool operator==(const File&, const File&) = default;
  };

  // Reads the files of a folder that belong to the bot (bot_files.h).
  static absl::StatusOr<Bundle> FromFolder(const std::string& path,
                                           const FilePatterns& patterns = {});
  // Reads an uncompressed tar from any writer, without ignored files. A single top-level folder is
  // stripped.
  static absl::StatusOr<Bundle> FromTar(std::string_view tar);

  // Returns the same bytes for the same files, always and everywhere.
  std::string ToTar() const;
  // Writes the files into a new folder, readable by everyone and writable by this user.
  absl::Status WriteFolder(const std::string& path) const;

  // SHA-256 over the files' paths, executable bits and contents: equal to DigestFolder of the
  // folder, and independent of how the tar was made.
  const std::string& digest() const { return digest_; }
  const std::map<std::string, File>& files() const { return files_; }  // by path
  const File* Find(std::string_view path) const;
  size_t bytes() const;  // total size of the files

 private:
  explicit Bundle(std::map<std::string, File> files);
  static absl::StatusOr<Bundle> Make(std::map<std::string, File> files);

  std::map<std::string, File> files_;
  std::string digest_;
};

// Returns the digest of the bot's files in a folder, as Bundle::digest does. Fails like
// FindBotFiles and CheckSize (bot_files.h).
absl::StatusOr<std::string> DigestFolder(const std::string& path,
                                         const FilePatterns& patterns = {});

// Checks that a file of a bundle may have that path. The error says what a path must look like.
absl::Status CheckBundlePath(std::string_view path);

}  // namespace triarch

#endif  // TRIARCH_BUNDLE_BUNDLE_H_
