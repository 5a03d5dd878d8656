#ifndef TRIARCH_CORE_RECORD_BOT_MANIFEST_H_
#define TRIARCH_CORE_RECORD_BOT_MANIFEST_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// The file of a bundle that says what it is.
inline constexpr std::string_view kManifestFile = "bot.yaml";

// What a bundle says of itself: a bot of one's own that a coordinator can hand to its workers.
struct BotManifest {
  std::string name;                       // letters, digits and . _ + -
  std::string version;                    // likewise
  std::string type;                       // kPluginBot, kProcessBot or kTorchBot
  std::vector<std::string> command = {};  // of a process, which runs in the bundle's folder
  std::string library = {};               // of a plugin: a file of the bundle
  std::string model = {};                 // of a torch bot: a file of the bundle
  std::vector<std::string> games = {};    // that it plays: names of core/games.h, one at least
  std::map<std::string, std::string> options = {};  // what the bot is set to, unless told otherwise

  friend bool operator==(const BotManifest&, const BotManifest&) = default;
};

// "mine@1.2": how a tournament's spec names the bundle of a bot.
inline std::string BundleText(const BotManifest& manifest) {
  return manifest.name + "@" + manifest.version;
}

// The beginning of a digest that people are shown.
inline std::string ShortDigest(std::string_view digest) { return std::string(digest.substr(0, 8)); }

// "mine 1.2 (3fa94c1b)": the bot of that name in a tournament, wherever it is named. A changed
// bundle is another bot.
inline std::string VersionedBotName(std::string_view name, const BotManifest& manifest,
                                    std::string_view digest) {
  return std::string(name) + " " + manifest.version + " (" + ShortDigest(digest) + ")";
}

// The name by itself, of such a name or of any other bot's.
inline std::string_view GivenBotName(std::string_view name) {
  return name.substr(0, name.find(' '));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_BOT_MANIFEST_H_
