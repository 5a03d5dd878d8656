// Turns a word of the command line into a bot: a bundled one, a path or a command.

#ifndef TRIARCH_SPEC_BOT_WORD_H_
#define TRIARCH_SPEC_BOT_WORD_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "spec/tournament_draft.h"

namespace triarch {

// A bot that a word names.
struct LocatedBot {
  BotSpec spec = {};          // without a digest, except for a bundle
  BotManifest manifest = {};  // only of a bundle: spec.bundle is not empty
};

// Finds the bot that a word (spec/bot_flag.h) names:
//
//   paranoid                        a bundled bot
//   ./mine/bot.py                   a program or script, which runs in its folder: by its #! line,
//                                   or with python3 (.py), node (.js, .mjs) or sh (.sh)
//   ./search.so                     a plugin
//   ./mine                          a folder with a bot.yaml
//   python3 ./mine/bot.py --fast    a command, which runs in the folder of the first file it names
//                                   outside the system's folders, or in the folder that the
//                                   option `dir` names
//
// Relative paths begin at `folder` (empty: the current folder). The option `sandbox=none` runs a
// program without a sandbox. Without a NAME, the word is the bot's name, which a command cannot be;
// if the bot `may_be_nameless`, its path or command stands for a name. InvalidArgument: there is no
// such bot; the message names the path.
absl::StatusOr<LocatedBot> LocateBot(std::string_view word, const std::string& folder,
                                     const TournamentHooks& hooks, bool may_be_nameless = false);

// Finds the bot and its digest, and checks that it plays the game with these options.
absl::StatusOr<BotSpec> ReadBotWord(std::string_view word, const std::string& folder,
                                    std::string_view game, const TournamentHooks& hooks);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_WORD_H_
