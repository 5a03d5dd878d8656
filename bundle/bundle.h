#ifndef TRIARCH_BUNDLE_BUNDLE_H_
#define TRIARCH_BUNDLE_BUNDLE_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// What a bundle may be.
inline constexpr size_t kBundleBytesMax = 32 << 20;  // of all its files together
inline constexpr size_t kBundleFilesMax = 2'000;
inline constexpr size_t kBundlePathMax = 100;  // bytes of a file's path: what a tar's header holds
// Of its tar: files, headers, padding.
inline constexpr size_t kBundleTarMax = kBundleBytesMax + (4 << 20);

// The files of a bot, in memory, as they travel from whoever adds it to the workers. Wherever they
// come from they are held to the same rules: files and folders, no links; relative paths of visible
// ASCII without "..", each once; the bounds above. So whatever can be a Bundle may be written to
// disk.
//
// Errors are InvalidArgument, with the path of what is wrong, and NotFound where something cannot
// be read.
class Bundle {
 public:
  struct File {
    std::string bytes;
    bool is_executable = false;
    friend bool operator==(const File&, const File&) = default;
  };

  // All that is in the folder and below, but for what IsPassedOver.
  static absl::StatusOr<Bundle> FromFolder(const std::string& path);
  // A tar that is not compressed, of any writer. If all of it lies in one folder, that is the
  // bundle.
  static absl::StatusOr<Bundle> FromTar(std::string_view tar);

  // The same files give the same tar, wherever and whenever.
  std::string ToTar() const;
  // Writes the files into a new folder. Others may read them, nobody but this user change them.
  absl::Status WriteFolder(const std::string& path) const;

  // SHA-256 of the files: their paths, whether they are executable, their contents. It is that of
  // the folder (DigestFolder), and does not depend on how a tar was made.
  const std::string& digest() const { return digest_; }
  const std::map<std::string, File>& files() const { return files_; }  // by path
  const File* Find(std::string_view path) const;
  size_t bytes() const;  // of all files

 private:
  explicit Bundle(std::map<std::string, File> files);
  static absl::StatusOr<Bundle> Make(std::map<std::string, File> files);

  std::map<std::string, File> files_;
  std::string digest_;
};

// As Bundle::digest, of a folder of any size.
absl::StatusOr<std::string> DigestFolder(const std::string& path);

// What running a bot or keeping its history leaves behind, and no bundle has: __pycache__ and .git.
bool IsPassedOver(std::string_view folder_name);

// Whether a file of a bundle may have that path. The error says what a path is.
absl::Status CheckBundlePath(std::string_view path);

}  // namespace triarch

#endif  // TRIARCH_BUNDLE_BUNDLE_H_
