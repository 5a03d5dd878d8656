#include "worker/host/bot_copies.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bundle/bot_files.h"
#include "core/base/status_macros.h"
#include "core/record/bot_error.h"
#include "spec/bot_manifest.h"
#include "worker/host/bot_digest.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderPrefix = "triarch-bots-";
// A process may not have locked a younger folder yet.
constexpr std::chrono::minutes kYoung{1};

// Removes the folders of processes that were killed.
void RemoveLeftovers(const fs::path& root) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    const fs::path& path = entry.path();
    if (!path.filename().native().starts_with(kFolderPrefix)) continue;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path, error);
    if (error || age < kYoung) continue;
    const Fd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.is_open() && flock(folder.get(), LOCK_EX | LOCK_NB) == 0)
      fs::remove_all(path, error);
  }
}

// Returns the folder or file that the bot's digest covers; "" if it has none.
std::string FilesOf(const BotSpec& bot) {
  if (bot.digest.empty()) return "";
  if (!bot.bundle.empty() || bot.bot == kProcessBot) return bot.dir;
  if (bot.bot == kPluginBot) return bot.library;
  return FileOf(bot);
}

// Returns whether a library refers to its own path, as far as its text tells.
bool LooksBesideItself(const std::string& library) {
  std::ifstream file(library, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return bytes.find("$ORIGIN") != std::string::npos || bytes.find("dladdr") != std::string::npos;
}

// Whether the word names a file in `dir` that the copy lacks, such as a virtual environment's.
bool IsLeftOut(const std::string& word, const std::string& dir, const std::string& copy) {
  const fs::path path = (fs::path(dir) / word).lexically_normal();
  const fs::path inside = path.lexically_relative(dir);
  if (inside.empty() || inside.native().starts_with("..")) return false;
  std::error_code error;
  return fs::exists(path, error) && !fs::exists(copy / inside, error);
}

// Replaces a path below `dir`, which may follow `--name=`, by that of its copy, if there is one.
std::string WithCopyOf(const std::string& word, const std::string& dir, const std::string& copy) {
  if (IsLeftOut(word, dir, copy)) return (fs::path(dir) / word).lexically_normal().string();
  const size_t equals = word.find("=/");
  const size_t begin = equals == std::string::npos || word.starts_with('/') ? 0 : equals + 1;
  const fs::path path = fs::path(word.substr(begin)).lexically_normal();
  if (dir.empty() || !path.is_absolute()) return word;
  const fs::path inside = path.lexically_relative(dir);
  std::error_code error;
  if (inside.empty() || inside.native().starts_with("..")) return word;
  const fs::path copied = inside == "." ? fs::path(copy) : copy / inside;
  return fs::exists(copied, error) ? word.substr(0, begin) + copied.string() : word;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BotCopies>> BotCopies::Make(std::span<const BotSpec> bots) {
  std::unique_ptr<BotCopies> copies(new BotCopies());
  for (const BotSpec& bot : bots) {
    if (FilesOf(bot).empty() || copies->paths_.contains(bot.digest)) continue;
    if (copies->folder_.empty()) RETURN_IF_ERROR(copies->MakeFolder());
    const absl::Status status = copies->Copy(bot);
    if (!status.ok()) return WithBotName(bot, status);
  }
  return copies;
}

absl::Status BotCopies::MakeFolder() {
  std::error_code error;
  const fs::path root = fs::temp_directory_path(error);
  RemoveLeftovers(root);
  std::string path = (root / (std::string(kFolderPrefix) + "XXXXXX")).string();
  if (error || mkdtemp(path.data()) == nullptr) return SystemError("cannot create " + path);
  folder_ = path;
  // Sandboxed bots of root run as another user, who must reach the copies.
  if (geteuid() == 0) fs::permissions(folder_, fs::perms(0711), error);
  lock_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  flock(lock_, LOCK_SH | LOCK_NB);
  return absl::OkStatus();
}

absl::Status BotCopies::Copy(const BotSpec& bot) {
  const std::string files = FilesOf(bot);
  const std::string copy = folder_ + "/" + std::to_string(paths_.size());
  std::error_code error;
  std::string path = copy;
  if (fs::is_directory(files, error)) {
    ASSIGN_OR_RETURN(const FilePatterns patterns, FilePatternsOf(files));
    RETURN_IF_ERROR(CopyBotFiles(files, patterns, copy));
  } else {
    if (bot.bot == kPluginBot && LooksBesideItself(files)) return absl::OkStatus();
    path += "/" + fs::path(files).filename().string();
    fs::create_directory(copy, error);
    fs::copy_file(files, path, error);
    if (error) return absl::ResourceExhaustedError(files + " cannot be copied: " + error.message());
  }
  paths_[bot.digest] = path;
  ASSIGN_OR_RETURN(const std::string digest, DigestBot(*Find(bot)));
  if (digest == bot.digest) return absl::OkStatus();
  return absl::FailedPreconditionError("its files have just changed; run again");
}

std::optional<BotSpec> BotCopies::Find(const BotSpec& bot) const {
  const auto path = paths_.find(bot.digest);
  if (path == paths_.end()) return std::nullopt;
  BotSpec copy = bot;
  if (bot.bundle.empty() && bot.bot == kProcessBot && bot.is_sandboxed) {
    copy.copy = path->second;
  } else if (!bot.bundle.empty() || bot.bot == kProcessBot) {
    for (std::string& word : copy.command) word = WithCopyOf(word, bot.dir, path->second);
    copy.dir = path->second;
  } else if (bot.bot == kPluginBot) {
    copy.library = path->second;
  } else {
    copy.options[std::string(FileOptionOf(bot.bot))] = path->second;
  }
  return copy;
}

std::vector<std::string> BotCopies::LeftOut(const BotSpec& bot) const {
  std::vector<std::string> words;
  const auto path = paths_.find(bot.digest);
  if (path == paths_.end() || bot.dir.empty()) return words;
  for (const std::string& word : bot.command) {
    if (IsLeftOut(word, bot.dir, path->second)) words.push_back(word);
  }
  return words;
}

absl::Status BotCopies::Explain(const BotSpec& bot, const absl::Status& error) const {
  const std::vector<std::string> words = LeftOut(bot);
  if (words.empty() && bot.bundle.empty()) return error;
  const std::string why =
      words.empty() ? "" : ", and " + absl::StrJoin(words, ", ") + " is not one of them";
  return absl::Status(error.code(), absl::StrFormat("%s; a run copies only the bot's own files%s "
                                                    "(docs/bots.md#the-files-of-a-bot)",
                                                    std::string(error.message()), why));
}

void BotCopies::Remove() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
  folder_.clear();
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
}

}  // namespace triarch
