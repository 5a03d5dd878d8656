// Collects a tournament's options from file and flags, and turns them into a checked spec.

#ifndef TRIARCH_SPEC_TOURNAMENT_DRAFT_H_
#define TRIARCH_SPEC_TOURNAMENT_DRAFT_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/bot_manifest.h"
#include "core/record/declared_option.h"
#include "core/record/tournament_spec.h"
#include "spec/option_values.h"

namespace triarch {

// A bundle that a tournament file names.
struct FoundBundle {
  BotManifest manifest;
  std::string digest;
  std::string dir;  // its folder; empty if each worker has its own copy
};

// The caller's part in reading a tournament.
struct TournamentHooks {
  // Checks that such a bot with such options exists and plays the game. The message names the
  // option, not the file.
  std::function<absl::Status(std::string_view game, const BotSpec&)> check_bot;
  // Returns the digest of the bot's files; empty if it has no files.
  std::function<absl::StatusOr<std::string>(const BotSpec&)> digest_bot;
  // Finds the bundle in a folder (an absolute path) or, if that is empty, by name: "mine",
  // "mine@1.2".
  std::function<absl::StatusOr<FoundBundle>(const std::string& folder, const std::string& name)>
      find_bundle;
  // Returns the text of a file.
  std::function<absl::StatusOr<std::string>(const std::string& path)> read_file;
  // Returns what the bot declares about an option with numbers. InvalidArgument: it has no such
  // option, or one whose values are no numbers.
  std::function<absl::StatusOr<DeclaredOption>(std::string_view game, const BotSpec&,
                                               const std::string& option)>
      declared_option;
};

// The given options, each within its bounds, not yet checked together.
struct TournamentDraft {
  // A value with the beginning of messages about it: "t.yaml:3:9: " or "--seed: ".
  template <class T>
  struct Placed {
    T value;
    std::string where;
  };
  // An option to tune. Messages about it, or about what it lacks, begin with `where`.
  struct TunedDraft {
    std::string name;
    std::string where;
    std::optional<Placed<double>> min = {};
    std::optional<Placed<double>> max = {};
    std::optional<Placed<double>> step = {};
    std::optional<Placed<double>> start = {};
    std::optional<bool> is_integer = {};
  };

  std::string file;   // path of the tournament file; empty if none
  std::string start;  // begins messages about missing keys: "t.yaml:1:1: "
  OptionValues values;
  std::map<std::string_view, std::string> where;  // by key
  // Values with a structure.
  std::vector<Placed<BotSpec>> bots;
  std::vector<Placed<std::string>> positions;
  std::vector<SelfplaySpec::TemperatureStep> temperature;
  std::vector<TunedDraft> tuned;
};

// Sets an option from a flag, overriding the file. InvalidArgument begins with the flag's name.
absl::Status SetFlag(const Option& option, std::string_view text, TournamentDraft* draft);
// Sets the bots from comma-separated words: "random,v1=./v1/bot.py". Requires: other flags are
// already set, because bots depend on the game.
// `where` begins messages about them.
absl::Status SetBotFlags(std::string_view words, const TournamentHooks& hooks,
                         TournamentDraft* draft, std::string_view where = "--bots: ");

// Returns the tournament. InvalidArgument says where the wrong value was given.
absl::StatusOr<TournamentSpec> ResolveDraft(const TournamentDraft& draft,
                                            const TournamentHooks& hooks);

// InvalidArgument: no such game.
absl::Status CheckGameName(std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TOURNAMENT_DRAFT_H_
