#include "spec/bot_word.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_flag.h"
#include "spec/bot_limits.h"
#include "spec/suggestion.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

// The program for a script that cannot start itself.
struct Interpreter {
  std::string_view extension;
  const char* program;
};
constexpr std::array<Interpreter, 4> kInterpreters = {
    {{".py", "python3"}, {".js", "node"}, {".mjs", "node"}, {".sh", "sh"}}};
// Sandboxed bots see these folders, so a program in them is not the bot's own file.
constexpr std::array<std::string_view, 5> kSystemFolders = {"/usr/", "/bin/", "/sbin/", "/lib",
                                                            "/etc/"};

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsOfSystem(const fs::path& path) {
  const std::string text = path.string();
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                     [&](std::string_view folder) { return text.starts_with(folder); });
}

// Returns whether the kernel can start the file: it is executable, and a binary or a script with a
// #! line.
bool StartsItself(const fs::path& path) {
  std::error_code error;
  const fs::perms perms = fs::status(path, error).permissions();
  if ((perms & fs::perms::owner_exec) == fs::perms::none) return false;
  std::array<char, 4> head = {};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  const std::string_view text(head.data(), head.size());
  return text.starts_with("#!") || text == "\177ELF";
}

// Splits a command at its spaces, except within quotes.
std::vector<std::string> WordsOfCommand(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_in_word = false;
  for (const char c : text) {
    if (quote == 0 && c == ' ') {
      is_in_word = false;
      continue;
    }
    if (!std::exchange(is_in_word, true)) words.emplace_back();
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return words;
}

class Locator {
 public:
  Locator(const BotWord& word, const std::string& folder, const TournamentHooks& hooks)
      : word_(word), folder_(folder), hooks_(hooks) {}

  absl::StatusOr<LocatedBot> Locate();

 private:
  fs::path PathOf(std::string_view text) const;
  absl::Status TakeProgram(const fs::path& path);
  absl::Status TakeCommand();
  // Returns the error about a command without a file that exists.
  absl::Status NoFileIn(const std::vector<std::string>& command) const;
  absl::Status TakeBundle(const fs::path& path);
  // Returns the error about a folder that is not a bundle.
  absl::Status NoBundle(const fs::path& path) const;
  // Takes the options that say how a process runs.
  absl::Status TakeProcessOptions();

  const BotWord& word_;
  const std::string& folder_;
  const TournamentHooks& hooks_;
  LocatedBot bot_;
};

fs::path Locator::PathOf(std::string_view text) const {
  const char* const home = std::getenv("HOME");
  if (text.starts_with("~/") && home != nullptr) return fs::path(home) / text.substr(2);
  std::error_code error;  // an empty path names nothing
  return fs::absolute(fs::path(folder_) / text, error).lexically_normal();
}

absl::StatusOr<LocatedBot> Locator::Locate() {
  BotSpec& spec = bot_.spec;
  spec.options = word_.options;
  const fs::path path = PathOf(word_.what);
  std::error_code error;
  if (!NamesFiles(word_)) {
    spec.bot = word_.what;
  } else if (fs::is_directory(path, error)) {
    RETURN_IF_ERROR(TakeBundle(path));
  } else if (IsFile(path)) {
    RETURN_IF_ERROR(TakeProgram(path));
  } else if (word_.what.find(' ') != std::string::npos) {
    RETURN_IF_ERROR(TakeCommand());
  } else {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: no such file or folder; expected a program, a plugin (.so) or a "
                        "folder with a bot.yaml",
                        word_.what));
  }
  if (spec.bot == kProcessBot && spec.bundle.empty()) RETURN_IF_ERROR(TakeProcessOptions());
  RETURN_IF_ERROR(TakeLimits(&spec));
  return std::move(bot_);
}

absl::Status Locator::TakeProgram(const fs::path& path) {
  BotSpec& spec = bot_.spec;
  const std::string name = path.filename().string();
  if (path.extension() == ".so") {
    spec.bot = kPluginBot;
    spec.library = path.string();
    return absl::OkStatus();
  }
  if (path.extension() == ".pt") {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is a model; expected torch:model=%s", word_.what, path.string()));
  }
  spec.bot = kProcessBot;
  spec.dir = path.parent_path().string();
  if (StartsItself(path)) {
    spec.command = {"./" + name};
    return absl::OkStatus();
  }
  for (const Interpreter& one : kInterpreters) {
    if (path.extension() != one.extension) continue;
    spec.command = {one.program, name};
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s cannot be started: it is not an executable program or a script with a #! line; expected "
      "chmod +x, or a command such as mine='python3 %s'",
      word_.what, word_.what));
}

absl::Status Locator::TakeCommand() {
  BotSpec& spec = bot_.spec;
  spec.bot = kProcessBot;
  spec.command = WordsOfCommand(word_.what);
  if (word_.options.contains("dir")) return absl::OkStatus();
  bool is_of_system = false;
  for (const std::string& word : spec.command) {
    const fs::path path = PathOf(word);
    if (!IsFile(path)) continue;
    is_of_system |= IsOfSystem(path);
    if (IsOfSystem(path)) continue;
    spec.dir = path.parent_path().string();
    break;
  }
  if (spec.dir.empty() && !is_of_system) return NoFileIn(spec.command);
  // The bot sees its files in its folder only.
  std::error_code error;
  for (std::string& word : spec.command) {
    const std::string path = PathOf(word).string();
    if (spec.dir.empty() || !path.starts_with(spec.dir + "/") || !fs::exists(path, error)) continue;
    const bool is_program = &word == &spec.command.front();
    word = (is_program ? "./" : "") + path.substr(spec.dir.size() + 1);
  }
  return absl::OkStatus();
}

absl::Status Locator::NoFileIn(const std::vector<std::string>& command) const {
  bool has_path = false;
  for (size_t i = 0; i < command.size(); ++i) {
    has_path |= command[i].find('/') != std::string::npos;
    std::string path = command[i];
    for (size_t j = i + 1; j < command.size(); ++j) {
      path += " " + command[j];
      if (!IsFile(PathOf(path))) continue;
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: a path with spaces needs quotes of its own, as in \"%s\"", Quote(word_.what), path));
    }
  }
  std::string text = Quote(word_.what) +
                     " names no file that exists; expected the path of the bot's program, as in "
                     "python3 ./mine/bot.py";
  if (!has_path) text += ", or its folder, as in '" + word_.what + "':dir=./mine";
  return absl::InvalidArgumentError(text);
}

absl::Status Locator::TakeProcessOptions() {
  BotSpec& spec = bot_.spec;
  if (const auto dir = spec.options.extract("dir"); !dir.empty()) {
    spec.dir = PathOf(dir.mapped()).string();
    std::error_code error;
    if (!fs::is_directory(spec.dir, error)) {
      return absl::InvalidArgumentError(
          absl::StrFormat("dir is %s, which is not a folder", Quote(dir.mapped())));
    }
  }
  if (const auto sandbox = spec.options.extract("sandbox"); !sandbox.empty()) {
    if (sandbox.mapped() != "none") {
      return absl::InvalidArgumentError(
          absl::StrFormat("unknown sandbox %s; expected none", Quote(sandbox.mapped())));
    }
    spec.is_sandboxed = false;
  }
  return absl::OkStatus();
}

absl::Status Locator::NoBundle(const fs::path& path) const {
  std::vector<std::string> programs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const fs::path file = entry.path();
    const bool is_script =
        std::any_of(kInterpreters.begin(), kInterpreters.end(),
                    [&](const Interpreter& one) { return file.extension() == one.extension; });
    const bool is_bot = file.stem() == "bot" || StartsItself(file) || file.extension() == ".so";
    if (IsFile(file) && (is_bot || is_script)) programs.push_back(file.filename().string());
  }
  // The likeliest one first.
  std::sort(programs.begin(), programs.end(), [](const std::string& a, const std::string& b) {
    return std::pair(!a.starts_with("bot."), a) < std::pair(!b.starts_with("bot."), b);
  });
  const std::string bare = word_.what.ends_with('/') ? word_.what : word_.what + "/";
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s has no bot.yaml; expected one (docs/bots.md), or the path of the bot's program%s",
      word_.what, programs.empty() ? "" : ", such as " + bare + programs.front()));
}

absl::Status Locator::TakeBundle(const fs::path& path) {
  if (!IsFile(path / std::string(kManifestFile))) return NoBundle(path);
  absl::StatusOr<FoundBundle> found = hooks_.find_bundle(path.string(), word_.what);
  if (!found.ok()) return absl::InvalidArgumentError(found.status().message());
  bot_.manifest = std::move(found->manifest);
  const BotManifest& manifest = bot_.manifest;
  BotSpec& spec = bot_.spec;
  spec.bot = manifest.type;
  std::vector<std::string_view> declared;
  for (const auto& [option, value] : manifest.options) declared.push_back(option);
  for (const auto& [option, value] : spec.options) {
    if (declared.empty() || !FileOptionOf(manifest.type).empty() ||
        manifest.options.contains(option) || FindBotLimit(spec, option) != nullptr) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrFormat("%s has no option %s%s", BundleText(manifest),
                                                      option, ExpectedOneOf(option, declared)));
  }
  spec.options.insert(manifest.options.begin(), manifest.options.end());
  if (!manifest.file.empty()) {
    spec.options[std::string(FileOptionOf(spec.bot))] = manifest.file;
  }
  spec.bundle = BundleText(manifest);
  spec.command = manifest.command;
  spec.library = manifest.library;
  spec.digest = found->digest;
  spec.dir = found->dir;
  return absl::OkStatus();
}

// Returns the name of a bot.
absl::StatusOr<std::string> NameOf(const BotWord& word, std::string_view text,
                                   const LocatedBot& bot, bool may_be_nameless) {
  if (!bot.spec.bundle.empty()) {
    const std::string& name = word.name.empty() ? bot.manifest.name : word.name;
    RETURN_IF_ERROR(CheckBotName(name));
    return VersionedBotName(name, bot.manifest, bot.spec.digest);
  }
  if (word.name.empty() && may_be_nameless) return word.what;
  if (word.name.empty() && text.find(' ') != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the command %s needs a name; expected one in front, as in mine='%s'",
                        Quote(word.what), word.what));
  }
  const std::string name = word.name.empty() ? std::string(text) : word.name;
  const absl::Status status = CheckBotName(name);
  if (status.ok()) return name;
  if (!word.name.empty()) return status;
  return absl::InvalidArgumentError(
      absl::StrFormat("%s, or a name in front, as in mine=%s", status.message(), text));
}

}  // namespace

absl::StatusOr<LocatedBot> LocateBot(std::string_view text, const std::string& folder,
                                     const TournamentHooks& hooks, bool may_be_nameless) {
  ASSIGN_OR_RETURN(const BotWord word, ParseBotWord(text));
  ASSIGN_OR_RETURN(LocatedBot bot, Locator(word, folder, hooks).Locate());
  ASSIGN_OR_RETURN(bot.spec.name, NameOf(word, text, bot, may_be_nameless));
  return bot;
}

absl::StatusOr<BotSpec> ReadBotWord(std::string_view text, const std::string& folder,
                                    std::string_view game, const TournamentHooks& hooks) {
  ASSIGN_OR_RETURN(LocatedBot bot, LocateBot(text, folder, hooks));
  BotSpec& spec = bot.spec;
  const std::vector<std::string>& games = bot.manifest.games;
  if (!spec.bundle.empty() && std::find(games.begin(), games.end(), game) == games.end()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s does not play %s; it plays %s", spec.bundle, game, absl::StrJoin(games, ", ")));
  }
  if (const std::string file = FileOf(spec); !file.empty() && spec.bundle.empty()) {
    spec.options[std::string(FileOptionOf(spec.bot))] =
        std::filesystem::absolute(std::filesystem::path(folder) / file).lexically_normal().string();
  }
  RETURN_IF_ERROR(hooks.check_bot(game, spec));
  const bool has_files = IsUserSupplied(spec) || !FileOf(spec).empty();
  if (!has_files || !spec.bundle.empty()) return std::move(spec);
  ASSIGN_OR_RETURN(spec.digest, hooks.digest_bot(spec));
  return std::move(spec);
}

}  // namespace triarch
