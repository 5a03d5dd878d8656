// Collects what a tournament file and flags say, and turns it into a checked spec.

#ifndef TRIARCH_SPEC_TOURNAMENT_DRAFT_H_
#define TRIARCH_SPEC_TOURNAMENT_DRAFT_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/bot_manifest.h"
#include "core/record/tournament_spec.h"
#include "spec/option_values.h"

namespace triarch {

// A bundle that a tournament file names.
struct FoundBundle {
  BotManifest manifest;
  std::string digest;
  std::string dir;  // its folder; empty where each worker has its own copy
};

// What reading a tournament asks of its caller.
struct TournamentHooks {
  // Whether there is such a bot with such options that plays the game. The message names the
  // option, not the file.
  std::function<absl::Status(std::string_view game, const BotSpec&)> check_bot;
  // The digest of the bot's files; empty if it has none.
  std::function<absl::StatusOr<std::string>(const BotSpec&)> digest_bot;
  // The bundle in a folder (an absolute path) or, if that is empty, of a name: "mine", "mine@1.2".
  std::function<absl::StatusOr<FoundBundle>(const std::string& folder, const std::string& name)>
      find_bundle;
  // The text of a file.
  std::function<absl::StatusOr<std::string>(const std::string& path)> read_file;
};

// The options that were given, each in its own bounds, not yet checked together.
struct TournamentDraft {
  // Something that was read, and what begins a message about it: "t.yaml:3:9: " or "--seed: ".
  template <class T>
  struct Placed {
    T value;
    std::string where;
  };

  std::string file;   // path of the tournament file; empty if there is none
  std::string start;  // begins messages about what is missing: "t.yaml:1:1: "
  OptionValues values;
  std::map<std::string_view, std::string> where;  // by key
  // The values of structures.
  std::vector<Placed<BotSpec>> bots;
  std::vector<Placed<std::string>> positions;
  std::vector<SelfplaySpec::TemperatureStep> temperature;
};

// Sets an option from a flag, in place of what the file says. InvalidArgument begins with the
// flag's name.
absl::Status SetFlag(const Option& option, std::string_view text, TournamentDraft* draft);
// Sets the bots from words with commas between them: "random,paranoid:depth=2". Requires: other
// flags are set, as bots depend on the game.
absl::Status SetBotFlags(std::string_view words, const TournamentHooks& hooks,
                         TournamentDraft* draft);

// The tournament. InvalidArgument says where what is wrong was given.
absl::StatusOr<TournamentSpec> ResolveDraft(const TournamentDraft& draft,
                                            const TournamentHooks& hooks);

// InvalidArgument if there is no such game.
absl::Status CheckGameName(std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TOURNAMENT_DRAFT_H_
