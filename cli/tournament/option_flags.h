// Adds the tournament options as flags of a command, and checks them.

#ifndef TRIARCH_CLI_TOURNAMENT_OPTION_FLAGS_H_
#define TRIARCH_CLI_TOURNAMENT_OPTION_FLAGS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "cli/command.h"
#include "core/record/tournament_spec.h"
#include "spec/option.h"
#include "spec/tournament_draft.h"

namespace triarch {

// The texts of flags, by option key.
using OptionTexts = std::map<std::string_view, std::string>;

// Adds a flag for each option that `is_wanted`. `texts` must live as long as the command line.
void AddOptionFlags(const Command& command, absl::FunctionRef<bool(const Option&)> is_wanted,
                    OptionTexts* texts);
// Checks that an argument is one bot: commas separate bots.
absl::Status CheckOneBot(std::string_view argument, const std::string& bot);
// Checks where the spec's output goes. `file` is the tournament file, or empty.
absl::Status CheckOutput(const TournamentSpec& spec, const std::string& file = "");
// Sets the options from the flags, overriding those of a file.
absl::Status SetOptionFlags(const OptionTexts& texts, TournamentDraft* draft);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_OPTION_FLAGS_H_
