#include "spec/bot_entry.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_flag.h"
#include "spec/bot_limits.h"
#include "spec/bot_word.h"
#include "spec/spec_json.h"
#include "spec/suggestion.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

constexpr std::array<std::string_view, 4> kTypeKeys = {"bot", "library", "command", "bundle"};
constexpr std::string_view kWeight = "weight";
constexpr std::array<std::string_view, 2> kProcessKeys = {"dir", "sandbox"};
// The keys that are not options of the bot type.
constexpr std::array<std::string_view, 7> kOwnKeys = {"name",   "bot", "library", "command",
                                                      "bundle", "dir", "sandbox"};

bool IsOwnKey(std::string_view key) {
  return std::find(kOwnKeys.begin(), kOwnKeys.end(), key) != kOwnKeys.end();
}

// Returns a suggestion for a misspelled key, as the end of a message; empty if no key is similar.
std::string MeantKey(std::string_view key) {
  const auto sorted = [](std::string_view word) {
    std::string letters(word);
    std::sort(letters.begin(), letters.end());
    return letters;
  };
  // Options may have any name, so only a very similar key counts as a typo.
  for (const std::string_view own : kOwnKeys) {
    const size_t most = own.size() < 5 ? 1 : 2;
    if (EditDistance(key.substr(0, 60), own) <= most || sorted(key) == sorted(own)) {
      return absl::StrFormat("; did you mean \"%s\"?", own);
    }
  }
  return "";
}

class BotReader {
 public:
  BotReader(const YamlSource& source, std::string_view game, const std::string& file_name,
            const TournamentHooks& hooks, bool is_selfplay)
      : source_(source),
        game_(game),
        file_name_(file_name),
        hooks_(hooks),
        is_selfplay_(is_selfplay) {}

  absl::StatusOr<BotSpec> Read(const YAML::Node& node);

 private:
  absl::StatusOr<BotSpec> ReadWord(const YAML::Node& node);
  absl::StatusOr<BotSpec> ReadMap(const YAML::Node& node);
  absl::Status ReadPlugin(const YamlMap& map, BotSpec* bot);
  absl::Status ReadProcess(const YamlMap& map, BotSpec* bot);
  absl::Status ReadFile(const YamlMap& map, BotSpec* bot);
  absl::Status ReadBundle(const YamlMap& map, BotSpec* bot, BotManifest* manifest);
  absl::Status SetDigest(const YamlMap& map, std::string_view key, BotSpec* bot);
  // Returns the error for a bot with none of these keys.
  absl::Status NoTypeKey(const YAML::Node& node, const YamlMap& map) const;
  // Checks the options against those declared by the manifest, if it declares any.
  absl::Status CheckDeclared(const YamlMap& map, const BotSpec& bot,
                             const BotManifest& manifest) const;
  // Reads the keys that are limits or options of the bot.
  absl::Status ReadOptions(const YamlMap& map, BotSpec* bot) const;
  absl::StatusOr<std::string> ReadName(const YamlMap& map, std::string_view type_key,
                                       const std::string& usual);
  absl::Status Check(const YamlMap& map, std::string_view type_key, const BotSpec& bot);
  // Resolves a path against the file's folder.
  std::string AbsolutePath(const std::string& path) const;

  const YamlSource& source_;
  const std::string_view game_;
  const std::string& file_name_;
  const TournamentHooks& hooks_;
  const bool is_selfplay_;
};

absl::StatusOr<BotSpec> BotReader::Read(const YAML::Node& node) {
  if (node.IsScalar()) return ReadWord(node);
  if (node.IsMap()) return ReadMap(node);
  return source_.ErrorAt(
      node.Mark(), absl::StrFormat("a bot is %s; expected a word such as paranoid:depth=2, or a "
                                   "map {name: p2, bot: paranoid, depth: 2}",
                                   KindOf(node)));
}

absl::StatusOr<BotSpec> BotReader::ReadWord(const YAML::Node& node) {
  if (node.Scalar().find(" - ") != std::string::npos) {
    return source_.ErrorAt(
        node.Mark(), absl::StrFormat("%s is one entry, because its next line is indented further; "
                                     "expected the entries of a list in one column",
                                     Quote(node.Scalar())));
  }
  const std::string folder = std::filesystem::path(file_name_).parent_path().string();
  absl::StatusOr<BotSpec> bot = ReadBotWord(node.Scalar(), folder, game_, hooks_);
  if (!bot.ok()) return source_.ErrorAt(node.Mark(), Message(bot.status()));
  return bot;
}

absl::StatusOr<BotSpec> BotReader::ReadMap(const YAML::Node& node) {
  ASSIGN_OR_RETURN(const YamlMap map, YamlMap::Make(source_, node, "", {}));
  std::vector<std::string> given;
  for (const std::string_view type_key : kTypeKeys) {
    if (map.Find(type_key) != nullptr) given.emplace_back(type_key);
  }
  if (given.empty()) return NoTypeKey(node, map);
  if (given.size() > 1) {
    return map.ErrorAt(given[1], absl::StrFormat("give either %s or %s", given[0], given[1]));
  }
  BotSpec bot;
  if (is_selfplay_ && map.Find(kWeight) != nullptr) {
    ASSIGN_OR_RETURN(const OptionValue weight, map.ReadOption(kWeight, BotWeightOption()));
    bot.weight = std::get<double>(weight);
  }
  RETURN_IF_ERROR(map.ReadText("bot", &bot.bot));
  if (IsUserSupplied(bot)) {
    const bool is_plugin = bot.bot == kPluginBot;
    return map.ErrorAt(
        "bot", absl::StrFormat("%s is not a bundled bot; expected the key %s instead", bot.bot,
                               is_plugin ? "library, as in library: ./mine.so"
                                         : "command, as in command: [python3, "
                                           "bot.py], and dir, its folder"));
  }
  if (given[0] == "library") RETURN_IF_ERROR(ReadPlugin(map, &bot));
  if (given[0] == "command") RETURN_IF_ERROR(ReadProcess(map, &bot));
  BotManifest manifest;
  if (given[0] == "bundle") RETURN_IF_ERROR(ReadBundle(map, &bot, &manifest));
  for (const std::string_view key : kProcessKeys) {
    if (given[0] == "command" || map.Find(key) == nullptr) continue;
    return map.ErrorAt(key, absl::StrFormat("%s without command; expected a command too", key));
  }
  const bool is_bundle = !bot.bundle.empty();
  if (is_bundle) RETURN_IF_ERROR(CheckDeclared(map, bot, manifest));
  RETURN_IF_ERROR(ReadOptions(map, &bot));
  if (!is_bundle) RETURN_IF_ERROR(ReadFile(map, &bot));
  ASSIGN_OR_RETURN(bot.name, ReadName(map, given[0], is_bundle ? manifest.name : BotText(bot)));
  if (is_bundle) bot.name = VersionedBotName(bot.name, manifest, bot.digest);
  RETURN_IF_ERROR(Check(map, given[0], bot));
  return bot;
}

absl::Status BotReader::NoTypeKey(const YAML::Node& node, const YamlMap& map) const {
  for (const auto& [key, entry] : map.entries()) {
    const std::string meant = IsOwnKey(key) ? "" : MeantKey(key);
    if (!meant.empty()) {
      return source_.ErrorAt(entry.key_mark, absl::StrFormat("unknown key %s%s", key, meant));
    }
  }
  return source_.ErrorAt(node.Mark(),
                         "a bot without the key bot; expected an entry such as {name: p2, bot: "
                         "paranoid}, or one with library, command or bundle");
}

absl::Status BotReader::ReadOptions(const YamlMap& map, BotSpec* bot) const {
  for (const auto& [key, entry] : map.entries()) {
    if (IsOwnKey(key) || (key == kWeight && is_selfplay_)) continue;
    if (const BotLimitKey* const limit = FindBotLimit(*bot, key)) {
      ASSIGN_OR_RETURN(const OptionValue value, map.ReadOption(key, *limit->option));
      limit->set(bot->limits, value);
    } else {
      RETURN_IF_ERROR(map.ReadText(key, &bot->options[key]));
    }
  }
  return absl::OkStatus();
}

absl::Status BotReader::CheckDeclared(const YamlMap& map, const BotSpec& bot,
                                      const BotManifest& manifest) const {
  if (const std::string_view option = FileOptionOf(manifest.type); !option.empty()) {
    // Its other options are known here.
    if (map.Find(option) == nullptr) return absl::OkStatus();
    return map.ErrorAt(option, absl::StrFormat("%s has its own %s; expected no %s",
                                               BundleText(manifest), option, option));
  }
  if (manifest.options.empty()) return absl::OkStatus();
  std::vector<std::string_view> declared;
  for (const auto& [option, value] : manifest.options) declared.push_back(option);
  for (const auto& [key, entry] : map.entries()) {
    if (IsOwnKey(key) || FindBotLimit(bot, key) || manifest.options.contains(key)) continue;
    std::string expected = MeantKey(key);
    if (expected.empty()) expected = ExpectedOneOf(key, declared);
    return source_.ErrorAt(entry.key_mark, absl::StrFormat("%s has no option %s%s",
                                                           BundleText(manifest), key, expected));
  }
  return absl::OkStatus();
}

std::string BotReader::AbsolutePath(const std::string& path) const {
  const std::filesystem::path folder = std::filesystem::path(file_name_).parent_path();
  return std::filesystem::absolute(folder / path).lexically_normal().string();
}

absl::Status BotReader::ReadPlugin(const YamlMap& map, BotSpec* bot) {
  bot->bot = kPluginBot;
  std::string file;
  RETURN_IF_ERROR(map.ReadText("library", &file));
  bot->library = AbsolutePath(file);
  return SetDigest(map, "library", bot);
}

absl::Status BotReader::ReadProcess(const YamlMap& map, BotSpec* bot) {
  bot->bot = kProcessBot;
  RETURN_IF_ERROR(map.ReadTexts("command", "[python3, bot.py]", &bot->command));
  std::string sandbox;
  RETURN_IF_ERROR(map.ReadText("sandbox", &sandbox));
  if (!sandbox.empty() && sandbox != "none") {
    return map.ErrorAt("sandbox", absl::StrFormat("unknown sandbox %s; expected none, or nothing "
                                                  "for the usual one",
                                                  Quote(sandbox)));
  }
  bot->is_sandboxed = sandbox.empty();
  if (map.Find("dir") == nullptr) return absl::OkStatus();
  std::string dir;
  RETURN_IF_ERROR(map.ReadText("dir", &dir));
  bot->dir = AbsolutePath(dir);
  return SetDigest(map, "dir", bot);
}

// Reads the model or network of a bot outside a bundle. A missing model is reported later.
absl::Status BotReader::ReadFile(const YamlMap& map, BotSpec* bot) {
  const std::string file = FileOf(*bot);
  if (file.empty()) return absl::OkStatus();
  const std::string_view option = FileOptionOf(bot->bot);
  bot->options[std::string(option)] = AbsolutePath(file);
  return SetDigest(map, option, bot);
}

absl::Status BotReader::ReadBundle(const YamlMap& map, BotSpec* bot, BotManifest* manifest) {
  std::string text;
  RETURN_IF_ERROR(map.ReadText("bundle", &text));
  const bool is_folder = text.starts_with('.') || text.find('/') != std::string::npos;
  absl::StatusOr<FoundBundle> found = hooks_.find_bundle(is_folder ? AbsolutePath(text) : "", text);
  if (!found.ok()) return map.ErrorAt("bundle", Message(found.status()));
  *manifest = found->manifest;
  const std::vector<std::string>& games = manifest->games;
  if (std::find(games.begin(), games.end(), game_) == games.end()) {
    std::string list;
    for (const std::string& game : games) list += (list.empty() ? "" : ", ") + game;
    return map.ErrorAt("bundle", absl::StrFormat("%s does not play %s; it plays %s",
                                                 BundleText(*manifest), game_, list));
  }
  bot->bot = manifest->type;
  bot->bundle = BundleText(*manifest);
  bot->command = manifest->command;
  bot->library = manifest->library;
  bot->options = manifest->options;
  if (!manifest->file.empty()) {
    bot->options[std::string(FileOptionOf(bot->bot))] = manifest->file;
  }
  bot->digest = found->digest;
  bot->dir = found->dir;
  return absl::OkStatus();
}

absl::Status BotReader::SetDigest(const YamlMap& map, std::string_view key, BotSpec* bot) {
  absl::StatusOr<std::string> digest = hooks_.digest_bot(*bot);
  if (!digest.ok()) return map.ErrorAt(key, Message(digest.status()));
  bot->digest = *std::move(digest);
  return absl::OkStatus();
}

absl::StatusOr<std::string> BotReader::ReadName(const YamlMap& map, std::string_view type_key,
                                                const std::string& usual) {
  std::string name = usual;
  if (type_key != "bot" && type_key != "bundle" && map.Find("name") == nullptr) {
    return map.ErrorAt(type_key, "a user-supplied bot needs a name; expected the key name too");
  }
  RETURN_IF_ERROR(map.ReadText("name", &name));
  if (const absl::Status status = CheckBotName(name); !status.ok()) {
    return map.ErrorAt(map.Find("name") ? "name" : type_key, Message(status));
  }
  return name;
}

// Checks the bot alone and then with each option, to report where the fault is. If the bot alone
// fails, an option may be a misspelled required key.
absl::Status BotReader::Check(const YamlMap& map, std::string_view type_key, const BotSpec& bot) {
  BotSpec bare = bot;
  bare.options.clear();
  const auto file = bot.options.find(std::string(FileOptionOf(bot.bot)));
  if (file != bot.options.end()) bare.options.insert(*file);
  if (const absl::Status status = hooks_.check_bot(game_, bare); !status.ok()) {
    for (const auto& [option, value] : bot.options) {
      const auto entry = map.entries().find(option);
      const std::string meant = entry == map.entries().end() ? "" : MeantKey(option);
      if (meant.empty()) continue;
      return source_.ErrorAt(
          entry->second.key_mark,
          absl::StrFormat("unknown key %s%s (%s)", option, meant, Message(status)));
    }
    return map.ErrorAt(type_key, Message(status));
  }
  for (const auto& [option, value] : bot.options) {
    BotSpec one = bare;
    one.options[option] = value;
    if (const absl::Status status = hooks_.check_bot(game_, one); !status.ok()) {
      const bool is_given = map.Find(option) != nullptr;
      return map.ErrorAt(
          is_given ? std::string_view(option) : type_key,
          absl::StrFormat("%s%s", Message(status), is_given ? MeantKey(option) : ""));
    }
  }
  if (const absl::Status status = hooks_.check_bot(game_, bot); !status.ok()) {
    return map.ErrorAt(type_key, Message(status));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BotSpec> ReadBotEntry(const YamlSource& source, const YAML::Node& node,
                                     std::string_view game, const std::string& file_name,
                                     const TournamentHooks& hooks, bool is_selfplay) {
  return BotReader(source, game, file_name, hooks, is_selfplay).Read(node);
}

}  // namespace triarch
