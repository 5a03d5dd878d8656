// Decides which files of a folder belong to its bot, and copies them.

#ifndef TRIARCH_BUNDLE_BOT_FILES_H_
#define TRIARCH_BUNDLE_BOT_FILES_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// Patterns of the files that belong to a bot, as in bot.yaml: "bot.py", "net/*.bin", "data" (a
// folder). `*` also matches slashes. No pattern means every file.
using FilePatterns = std::vector<std::string>;

// Returns whether a path within a folder never belongs to the bot: caches, logs, backups and swap
// files of editors, version control, virtual environments (docs/bots.md lists them).
bool IsIgnoredFile(std::string_view path);

// Returns whether one of the patterns, or the name of a manifest, matches the path. True if there
// are no patterns.
bool Matches(const FilePatterns& patterns, std::string_view path);

// A bot's file in a folder, not yet read.
struct BotFile {
  std::filesystem::path path;
  bool is_executable = false;
  uintmax_t size = 0;
};

// Checks that a file has no setuid, setgid or sticky bit. The digest does not cover them, and no
// bot needs them. Fails with InvalidArgument.
absl::Status CheckFileMode(const std::string& path, std::filesystem::perms mode);

// Finds the bot's files below a folder, by their path in it. Fails with NotFound if the folder
// cannot be read, with InvalidArgument if something in it is neither a file nor a folder, and like
// CheckFileMode.
absl::StatusOr<std::map<std::string, BotFile>> FindBotFiles(const std::filesystem::path& folder,
                                                            const FilePatterns& patterns);

// Limits on a bot's folder.
inline constexpr uintmax_t kCopyBytesMax = uintmax_t{1} << 30;
inline constexpr size_t kCopyFilesMax = 10'000;

// Checks the limits, before the files are read. Fails with InvalidArgument.
absl::Status CheckSize(const std::string& folder, const std::map<std::string, BotFile>& files);

// Copies the bot's files into a new folder, readable by everyone. Fails like FindBotFiles and
// CheckSize, and with ResourceExhausted if they cannot be written.
absl::Status CopyBotFiles(const std::string& from, const FilePatterns& patterns,
                          const std::string& to);

}  // namespace triarch

#endif  // TRIARCH_BUNDLE_BOT_FILES_H_
