// Describes the name, version, type and files of a bundle, a user-supplied bot.

#ifndef TRIARCH_CORE_RECORD_BOT_MANIFEST_H_
#define TRIARCH_CORE_RECORD_BOT_MANIFEST_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// The file in a bundle that holds its manifest.
inline constexpr std::string_view kManifestFile = "bot.yaml";

// A bot that a coordinator can send to its workers.
struct BotManifest {
  std::string name;     // letters, digits and . _ + -
  std::string version;  // the same characters
  std::string type;     // kPluginBot, kProcessBot or one that reads a file (FileOptionOf)
  std::vector<std::string> command = {};            // process: run in the bundle's folder
  std::string library = {};                         // plugin: a file of the bundle
  std::string file = {};                            // a model or network: a file of the bundle
  std::vector<std::string> games = {};              // names of the games it plays, at least one
  std::map<std::string, std::string> options = {};  // defaults, which a tournament may override
  std::vector<std::string> files = {};              // patterns of its files; empty for all

  friend bool operator==(const BotManifest&, const BotManifest&) = default;
};

// Returns how a spec names a bundle: "mine@1.2".
inline std::string BundleText(const BotManifest& manifest) {
  return manifest.name + "@" + manifest.version;
}

// Returns the start of a digest, for display.
inline std::string ShortDigest(std::string_view digest) { return std::string(digest.substr(0, 8)); }

// Returns the name of a bundle's bot in a tournament: "mine 1.2 (3fa94c1b)". A changed bundle is
// a different bot.
inline std::string VersionedBotName(std::string_view name, const BotManifest& manifest,
                                    std::string_view digest) {
  return std::string(name) + " " + manifest.version + " (" + ShortDigest(digest) + ")";
}

// Returns such a name without its version, and any other name unchanged.
inline std::string_view GivenBotName(std::string_view name) {
  return name.substr(0, name.find(' '));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_BOT_MANIFEST_H_
