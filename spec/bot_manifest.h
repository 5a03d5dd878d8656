// Reads bot.yaml, the manifest that makes a folder a bundle.

#ifndef TRIARCH_SPEC_BOT_MANIFEST_H_
#define TRIARCH_SPEC_BOT_MANIFEST_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "bundle/bot_files.h"
#include "bundle/bundle.h"
#include "core/record/bot_manifest.h"

// Its keys:
//
//   name      the bot's name: letters, digits and . _ + -
//   version   the same characters
//   type      process, plugin or torch
//   command   process: [PROGRAM, ARGUMENT, …], run in the folder
//   library   plugin: a file in the folder
//   model     torch: a file in the folder
//   games     a list of the games that it plays
//   options   a map of defaults, which a tournament may override
//   files     a list of patterns of the files that belong to the bot (bundle/bot_files.h)
namespace triarch {

// Every fault is InvalidArgument, in one line: "file:line:column: what was wrong; what was
// expected".
absl::StatusOr<BotManifest> ParseBotManifest(std::string_view text, std::string_view file_name);

// Reads the manifest of a bundle and checks that the files it names exist. `where` names the bundle
// in messages.
absl::StatusOr<BotManifest> ManifestOf(const Bundle& bundle, std::string_view where);

// Reads a bundle from a folder with a bot.yaml: the files that belong to the bot.
absl::StatusOr<Bundle> ReadBundleFolder(const std::string& folder);

// Returns the patterns of the files that belong to the bot in a folder: those of its bot.yaml, or
// none if it has no bot.yaml.
absl::StatusOr<FilePatterns> FilePatternsOf(const std::string& folder);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_MANIFEST_H_
