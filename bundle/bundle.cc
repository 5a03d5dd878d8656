#include "bundle/bundle.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kFileModes =
    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;
constexpr fs::perms kRunModes =
    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

void AddHead(Sha256& sha, std::string_view path, bool is_executable, uintmax_t size) {
  sha.AddText(path);
  sha.AddText(is_executable ? "x" : "-");
  sha.AddText(std::to_string(size));
}

absl::Status TooMuch(const std::string& where) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: a bundle may hold at most %d files and %d MB", where,
                      static_cast<int>(kBundleFilesMax), static_cast<int>(kBundleBytesMax >> 20)));
}

absl::StatusOr<std::string> ReadBytes(const BotFile& file) {
  std::ifstream in(file.path, std::ios::binary);
  // Reading one byte more detects a file that grew.
  std::string bytes(file.size + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad() || (!in.is_open()) || static_cast<uintmax_t>(in.gcount()) != file.size) {
    return absl::NotFoundError(file.path.string() + ": cannot be read, or is changing");
  }
  bytes.pop_back();
  return bytes;
}

absl::Status WriteFile(const fs::path& path, const Bundle::File& file) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
  out.close();
  if (!out) {
    return absl::ResourceExhaustedError(path.string() +
                                        " cannot be written: " + std::strerror(errno));
  }
  fs::permissions(path, file.is_executable ? kFileModes | kRunModes : kFileModes, error);
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckBundlePath(std::string_view path) {
  const auto is_right = [&] {
    if (path.empty() || path.size() > kBundlePathMax) return false;
    if (!std::all_of(path.begin(), path.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
      return false;
    }
    const std::vector<std::string_view> parts = Split(path, '/');
    return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
      return !part.empty() && part != "." && part != "..";
    });
  };
  if (is_right()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s is not a valid path; expected a relative path without \"..\", "
                      "of at most %d ASCII characters",
                      Quote(path), static_cast<int>(kBundlePathMax)));
}

Bundle::Bundle(std::map<std::string, File> files) : files_(std::move(files)) {
  Sha256 sha;
  for (const auto& [path, file] : files_) {
    AddHead(sha, path, file.is_executable, file.bytes.size());
    sha.Add(file.bytes);
  }
  digest_ = sha.Hex();
}

absl::StatusOr<Bundle> Bundle::Make(std::map<std::string, File> files) {
  size_t bytes = 0;
  for (const auto& [path, file] : files) {
    RETURN_IF_ERROR(CheckBundlePath(path));
    bytes += file.bytes.size();
    for (size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (files.contains(path.substr(0, slash))) {
        return absl::InvalidArgumentError(Quote(path.substr(0, slash)) +
                                          " is both a file and a folder");
      }
    }
  }
  if (files.size() > kBundleFilesMax || bytes > kBundleBytesMax) return TooMuch("too much");
  return Bundle(std::move(files));
}

absl::StatusOr<Bundle> Bundle::FromFolder(const std::string& path, const FilePatterns& patterns) {
  ASSIGN_OR_RETURN(const auto found, FindBotFiles(path, patterns));
  uintmax_t bytes = 0;
  for (const auto& [name, file] : found) bytes += file.size;
  if (found.size() > kBundleFilesMax || bytes > kBundleBytesMax) return TooMuch(path);
  std::map<std::string, File> files;
  for (const auto& [name, file] : found) {
    ASSIGN_OR_RETURN(std::string contents, ReadBytes(file));
    files[name] = {.bytes = std::move(contents), .is_executable = file.is_executable};
  }
  return Make(std::move(files));
}

absl::Status Bundle::WriteFolder(const std::string& path) const {
  std::error_code error;
  if (!fs::create_directory(path, error) || error) {
    return absl::ResourceExhaustedError(
        path + " cannot be created: " + (error ? error.message() : "it exists"));
  }
  for (const auto& [name, file] : files_) RETURN_IF_ERROR(WriteFile(fs::path(path) / name, file));
  // Makes the files readable by other users' bots, regardless of this process's umask.
  for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
    if (entry.is_directory(error)) fs::permissions(entry.path(), kFileModes | kRunModes, error);
  }
  fs::permissions(path, kFileModes | kRunModes, error);
  return absl::OkStatus();
}

const Bundle::File* Bundle::Find(std::string_view path) const {
  const auto found = files_.find(std::string(path));
  return found == files_.end() ? nullptr : &found->second;
}

size_t Bundle::bytes() const {
  size_t bytes = 0;
  for (const auto& [path, file] : files_) bytes += file.bytes.size();
  return bytes;
}

absl::StatusOr<std::string> DigestFolder(const std::string& path, const FilePatterns& patterns) {
  ASSIGN_OR_RETURN(const auto files, FindBotFiles(path, patterns));
  RETURN_IF_ERROR(CheckSize(path, files));
  Sha256 sha;
  for (const auto& [name, file] : files) {
    AddHead(sha, name, file.is_executable, file.size);
    RETURN_IF_ERROR(sha.AddFile(file.path));
  }
  return sha.Hex();
}

}  // namespace triarch
