#include "bundle/bot_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_manifest.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 10> kIgnoredFolders = {
    ".git",        ".hg",         ".svn", "__pycache__", ".pytest_cache",
    ".mypy_cache", ".ruff_cache", "venv", ".venv",       ".ipynb_checkpoints"};
// Editors' swap files, locks and backups, and what programs leave behind.
constexpr std::array<const char*, 12> kIgnoredFiles = {"*.swp", "*.swo", "*~",        "#*#",
                                                       ".#*",   "*.bak", "*.orig",    "*.tmp",
                                                       "*.log", "*.pyc", ".DS_Store", "Thumbs.db"};

// What Triarch writes while it plays the bot, often into the bot's own folder.
constexpr std::array<const char*, 4> kWrittenByUs = {"*.db", "*.db-*", "*.db.lock", "*.tpgn"};

template <size_t n>
bool MatchesAny(const std::array<const char*, n>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const char* pattern) { return fnmatch(pattern, name.c_str(), 0) == 0; });
}

std::string Megabytes(uintmax_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// Names the part of the folder that takes the most space.
std::string LargestPart(const std::map<std::string, BotFile>& files) {
  std::map<std::string, uintmax_t> sizes;
  for (const auto& [path, file] : files) sizes[path.substr(0, path.find('/'))] += file.size;
  const auto largest = std::max_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return largest->first + ", " + Megabytes(largest->second);
}

}  // namespace

bool IsIgnoredFile(std::string_view path) {
  const std::vector<std::string_view> parts = Split(path, '/');
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part(parts[i]);
    if (MatchesAny(kIgnoredFolders, part) && i + 1 < parts.size()) return true;
  }
  return MatchesAny(kIgnoredFiles, std::string(parts.back()));
}

bool Matches(const FilePatterns& patterns, std::string_view path) {
  const std::string text(path);
  if (patterns.empty()) return !MatchesAny(kWrittenByUs, text);
  if (path == kManifestFile) return true;
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string pattern) {
    while (pattern.ends_with('/')) pattern.pop_back();
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0 ||
           fnmatch((pattern + "/*").c_str(), text.c_str(), 0) == 0;
  });
}

absl::StatusOr<std::map<std::string, BotFile>> FindBotFiles(const fs::path& folder,
                                                            const FilePatterns& patterns) {
  std::map<std::string, BotFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::file_status status = entry->symlink_status(error);
    if (error) break;
    const std::string path = entry->path().lexically_relative(folder).generic_string();
    if (fs::is_directory(status)) {
      if (IsIgnoredFile(path + "/")) entry.disable_recursion_pending();
      continue;
    }
    if (IsIgnoredFile(path) || !Matches(patterns, path)) continue;
    if (!fs::is_regular_file(status)) {
      return absl::InvalidArgumentError(
          entry->path().string() +
          ": not a file or a folder; `files` in a bot.yaml can leave it out (docs/bots.md)");
    }
    RETURN_IF_ERROR(CheckFileMode(entry->path().string(), status.permissions()));
    const bool is_executable = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    const uintmax_t size = entry->file_size(error);
    if (error) break;
    files[path] = {.path = entry->path(), .is_executable = is_executable, .size = size};
  }
  if (error) return absl::NotFoundError(folder.string() + ": " + error.message());
  return files;
}

absl::Status CheckFileMode(const std::string& path, fs::perms mode) {
  constexpr fs::perms kSpecial = fs::perms::set_uid | fs::perms::set_gid | fs::perms::sticky_bit;
  if ((mode & kSpecial) == fs::perms::none) return absl::OkStatus();
  return absl::InvalidArgumentError(
      path +
      ": it has a setuid, setgid or sticky bit; expected ordinary permissions, as after "
      "`chmod u-s,g-s,-t`");
}

absl::Status CheckSize(const std::string& folder, const std::map<std::string, BotFile>& files) {
  uintmax_t bytes = 0;
  for (const auto& [path, file] : files) bytes += file.size;
  if (files.size() <= kCopyFilesMax && bytes <= kCopyBytesMax) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: %s in %d files (the largest part: %s); a bot's folder may hold at most %s in %d files. "
      "Move the bot into a folder of its own, or list its files in a bot.yaml, which also needs "
      "name, version, type, command and games (docs/bots.md)",
      folder, Megabytes(bytes), files.size(), LargestPart(files), Megabytes(kCopyBytesMax),
      kCopyFilesMax));
}

absl::Status CopyBotFiles(const std::string& from, const FilePatterns& patterns,
                          const std::string& to) {
  ASSIGN_OR_RETURN(const auto files, FindBotFiles(from, patterns));
  RETURN_IF_ERROR(CheckSize(from, files));
  std::error_code error;
  fs::create_directories(to, error);
  const auto readable = fs::perms(0644);
  const auto runnable = fs::perms(0755);
  for (const auto& [name, file] : files) {
    const fs::path path = fs::path(to) / name;
    fs::create_directories(path.parent_path(), error);
    if (!error) fs::copy_file(file.path, path, error);
    if (!error) fs::permissions(path, file.is_executable ? runnable : readable, error);
    if (!error) continue;
    return absl::ResourceExhaustedError(
        absl::StrFormat("%s cannot be copied to %s: %s", file.path.string(), to, error.message()));
  }
  // Sandboxed bots of root run as another user.
  fs::permissions(to, runnable, error);
  for (const auto& entry : fs::recursive_directory_iterator(to, error)) {
    if (entry.is_directory(error)) fs::permissions(entry.path(), runnable, error);
  }
  return absl::OkStatus();
}

}  // namespace triarch
