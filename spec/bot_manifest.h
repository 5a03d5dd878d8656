#ifndef TRIARCH_SPEC_BOT_MANIFEST_H_
#define TRIARCH_SPEC_BOT_MANIFEST_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "bundle/bundle.h"
#include "core/record/bot_manifest.h"

// bot.yaml, by which a folder is a bundle:
//
//   name      of the bot: letters, digits and . _ + -
//   version   likewise
//   type      process, plugin or torch
//   command   of a process: [PROGRAM, ARGUMENT, …], run in the folder
//   library   of a plugin: a file of the folder
//   model     of a torch bot: a file of the folder
//   games     a list: the games that it plays
//   options   a map: what the bot is set to, unless a tournament says otherwise (default: nothing)
namespace triarch {

// InvalidArgument for every fault of the text, in one line:
// "file:line:column: what was wrong; what was expected".
absl::StatusOr<BotManifest> ParseBotManifest(std::string_view text, std::string_view file_name);

// The manifest in a bundle, and that what it names is there. `where` names the bundle in messages.
absl::StatusOr<BotManifest> ManifestOf(const Bundle& bundle, std::string_view where);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_MANIFEST_H_
