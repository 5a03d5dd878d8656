#include "spec/bot_manifest.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/game_spec.h"
#include "spec/bot_limits.h"
#include "spec/suggestion.h"
#include "spec/yaml_map.h"

namespace triarch {
namespace {

// Parsing a hostile manifest may take several hundred times this much memory.
constexpr size_t kManifestBytesMax = 64 << 10;

constexpr std::array<std::string_view, 10> kKeys = {
    "name", "version", "type", "command", "library", "model", "net", "games", "options", "files"};
constexpr std::array<std::string_view, 6> kTypes = {kProcessBot, kPluginBot, kTorchBot,
                                                    "paranoid",  "maxn",     "mcts"};
constexpr std::array<std::string_view, 4> kManifestKeys = {"command", "library", kModelOption,
                                                           kNetOption};

// Returns the key of a type's command or file.
std::string_view KeyOf(std::string_view type) {
  if (type == kProcessBot) return "command";
  return type == kPluginBot ? "library" : FileOptionOf(type);
}
constexpr size_t kWordSizeMax = 30;
constexpr size_t kOptionsMax = 100;
constexpr size_t kCommandMax = 100;  // in words
constexpr size_t kPatternsMax = 100;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '+' || c == '-';
}

class ManifestReader {
 public:
  ManifestReader(const YamlSource& source, const YamlMap& map) : source_(source), map_(map) {}

  absl::StatusOr<BotManifest> Read() {
    for (const std::string_view key : {"name", "version", "type", "games"}) {
      RETURN_IF_ERROR(CheckIsThere(key));
    }
    RETURN_IF_ERROR(ReadWord("name", &manifest_.name));
    RETURN_IF_ERROR(ReadWord("version", &manifest_.version));
    RETURN_IF_ERROR(ReadType());
    RETURN_IF_ERROR(ReadGames());
    RETURN_IF_ERROR(ReadOptions());
    RETURN_IF_ERROR(ReadFiles());
    return manifest_;
  }

 private:
  absl::Status CheckIsThere(std::string_view key) const {
    if (map_.Find(key) != nullptr) return absl::OkStatus();
    return source_.ErrorAt(YAML::Mark(),
                           absl::StrFormat("the key %s is missing; expected a manifest such as "
                                           "{name: mine, version: 1.0, type: process, "
                                           "command: [python3, bot.py], games: "
                                           "[tri-d]}",
                                           key));
  }
  absl::Status ReadWord(std::string_view key, std::string* word) const {
    RETURN_IF_ERROR(map_.ReadText(key, word));
    if (word->size() <= kWordSizeMax && word->front() != '.' && word->front() != '-' &&
        std::all_of(word->begin(), word->end(), IsWordCharacter)) {
      return absl::OkStatus();
    }
    return map_.ErrorAt(key, absl::StrFormat("%s is %s; expected 1 to %d letters, digits and . _ + "
                                             "-, not beginning with . or -",
                                             key, Quote(*word), static_cast<int>(kWordSizeMax)));
  }
  absl::Status ReadType() {
    RETURN_IF_ERROR(map_.ReadText("type", &manifest_.type));
    const auto type = std::find(kTypes.begin(), kTypes.end(), manifest_.type);
    if (type == kTypes.end()) {
      return map_.ErrorAt("type", absl::StrFormat("unknown type %s%s", Quote(manifest_.type),
                                                  ExpectedOneOf(manifest_.type, kTypes)));
    }
    const std::string_view own = KeyOf(manifest_.type);
    for (const std::string_view key : kManifestKeys) {
      if (key == own || map_.Find(key) == nullptr) continue;
      return map_.ErrorAt(
          key, absl::StrFormat("%s in a bot of type %s; expected %s", key, manifest_.type, own));
    }
    if (manifest_.type == kPluginBot) return ReadFile(own, &manifest_.library);
    return manifest_.type == kProcessBot ? ReadCommand() : ReadFile(own, &manifest_.file);
  }
  absl::Status ReadFile(std::string_view key, std::string* path) {
    RETURN_IF_ERROR(CheckIsThere(key));
    RETURN_IF_ERROR(map_.ReadText(key, path));
    const absl::Status status = CheckBundlePath(*path);
    if (status.ok()) return status;
    return map_.ErrorAt(key, std::string(status.message()));
  }
  absl::Status ReadCommand() {
    RETURN_IF_ERROR(CheckIsThere("command"));
    RETURN_IF_ERROR(map_.ReadTexts("command", "[python3, bot.py]", &manifest_.command));
    if (manifest_.command.size() <= kCommandMax) return absl::OkStatus();
    return map_.ErrorAt("command", "the command has too many words");
  }
  absl::Status ReadGames() {
    RETURN_IF_ERROR(map_.ReadTexts("games", "[triumvirate, tri-d]", &manifest_.games));
    std::vector<std::string_view> known;
    for (const GameInfo* game : AllGames()) known.push_back(game->name);
    for (const std::string& game : manifest_.games) {
      if (std::find(known.begin(), known.end(), game) != known.end()) continue;
      return map_.ErrorAt(
          "games", absl::StrFormat("unknown game %s%s", Quote(game), ExpectedOneOf(game, known)));
    }
    return absl::OkStatus();
  }
  absl::Status ReadOptions() {
    const YAML::Node* const node = map_.Find("options");
    if (node == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const YamlMap options, YamlMap::Make(source_, *node, "options", {}));
    if (options.entries().size() > kOptionsMax) {
      return map_.ErrorAt("options", "there are too many options");
    }
    for (const auto& [key, entry] : options.entries()) {
      if (FindBotLimit({.name = {}, .bot = manifest_.type}, key) != nullptr) {
        return options.ErrorAt(key, key +
                                        " is a limit that tournaments set for any bot; expected "
                                        "another name for the option");
      }
      RETURN_IF_ERROR(options.ReadText(key, &manifest_.options[key]));
      if (manifest_.file.empty() || key != FileOptionOf(manifest_.type)) continue;
      return options.ErrorAt(key, key + " among the options; expected it beside them");
    }
    return absl::OkStatus();
  }
  // Every pattern is compared with every file of the bundle.
  absl::Status ReadFiles() {
    RETURN_IF_ERROR(map_.ReadTexts("files", "[bot.py, \"*.bin\"]", &manifest_.files));
    if (manifest_.files.size() <= kPatternsMax) return absl::OkStatus();
    return map_.ErrorAt("files",
                        absl::StrFormat("files lists %d patterns; expected at most %d, such as "
                                        "data for everything in a folder",
                                        manifest_.files.size(), kPatternsMax));
  }

  const YamlSource& source_;
  const YamlMap& map_;
  BotManifest manifest_;
};

// Checks that the bundle has the files that its manifest lists, and no others.
absl::Status CheckFiles(const Bundle& bundle, std::string_view where, const BotManifest& manifest) {
  for (const std::string& pattern : manifest.files) {
    const auto& files = bundle.files();
    const bool is_there = std::any_of(files.begin(), files.end(), [&](const auto& file) {
      return file.first != kManifestFile && Matches({pattern}, file.first);
    });
    if (is_there) continue;
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: files: %s matches no file in the bundle (some files never belong to a bot, see "
        "docs/bots.md)",
        where, Quote(pattern)));
  }
  for (const auto& [path, file] : bundle.files()) {
    if (Matches(manifest.files, path)) continue;
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: files does not include %s, which is in the bundle", where, Quote(path)));
  }
  return absl::OkStatus();
}

// Checks that a program or library is in the bundle.
absl::Status CheckIsIn(const Bundle& bundle, std::string_view where, std::string_view key,
                       std::string_view path, bool is_run) {
  const auto fail = [&](const char* what) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: %s: there is no %s %s in the bundle", where, key, what, Quote(path)));
  };
  const Bundle::File* const file = bundle.Find(path);
  if (file == nullptr) return fail("file");
  return !is_run || file->is_executable ? absl::OkStatus() : fail("executable file");
}

}  // namespace

absl::StatusOr<BotManifest> ParseBotManifest(std::string_view text, std::string_view file_name) {
  const YamlSource source(file_name);
  ASSIGN_OR_RETURN(const YAML::Node document, source.Parse(text));
  ASSIGN_OR_RETURN(const YamlMap map, YamlMap::Make(source, document, "", kKeys));
  return ManifestReader(source, map).Read();
}

absl::StatusOr<BotManifest> ManifestOf(const Bundle& bundle, std::string_view where) {
  const std::string name = absl::StrFormat("%s/%s", where, kManifestFile);
  const Bundle::File* const file = bundle.Find(kManifestFile);
  if (file == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrFormat("there is no %s; expected a file with name, version, type, games", name));
  }
  if (file->bytes.size() > kManifestBytesMax) {
    return absl::InvalidArgumentError(absl::StrFormat("%s: %d bytes; expected at most %d", name,
                                                      file->bytes.size(), kManifestBytesMax));
  }
  ASSIGN_OR_RETURN(BotManifest manifest, ParseBotManifest(file->bytes, name));
  RETURN_IF_ERROR(CheckFiles(bundle, name, manifest));
  if (!manifest.library.empty()) {
    RETURN_IF_ERROR(CheckIsIn(bundle, name, "library", manifest.library, false));
  }
  if (!manifest.file.empty()) {
    RETURN_IF_ERROR(CheckIsIn(bundle, name, FileOptionOf(manifest.type), manifest.file, false));
  }
  if (!manifest.command.empty() && manifest.command[0].starts_with("./")) {
    RETURN_IF_ERROR(
        CheckIsIn(bundle, name, "command", std::string_view(manifest.command[0]).substr(2), true));
  }
  return manifest;
}

absl::StatusOr<FilePatterns> FilePatternsOf(const std::string& folder) {
  const std::string path = absl::StrFormat("%s/%s", folder, kManifestFile);
  std::ifstream file(path, std::ios::binary);
  if (!file) return FilePatterns();
  std::string text(kManifestBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kManifestBytesMax) return FilePatterns();  // ManifestOf reports it
  ASSIGN_OR_RETURN(BotManifest manifest, ParseBotManifest(text, path));
  return std::move(manifest.files);
}

absl::StatusOr<Bundle> ReadBundleFolder(const std::string& folder) {
  ASSIGN_OR_RETURN(const FilePatterns patterns, FilePatternsOf(folder));
  return Bundle::FromFolder(folder, patterns);
}

}  // namespace triarch
