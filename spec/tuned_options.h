// Reads which options of a bot to tune, and completes them with what the bot declares.

#ifndef TRIARCH_SPEC_TUNED_OPTIONS_H_
#define TRIARCH_SPEC_TUNED_OPTIONS_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/tune_spec.h"
#include "spec/tournament_draft.h"
#include "spec/yaml_map.h"

namespace triarch {

// Reads the map of a tournament file: {risk: {min: 0, max: 1, step: 0.05, start: 0.2}}. Errors give
// the location in the file.
absl::StatusOr<std::vector<TournamentDraft::TunedDraft>> ReadTunedOptions(const YamlSource& source,
                                                                          const YAML::Node& node);

// Reads the flag --option: "risk", "risk=0..1" or "risk=0..1:0.05". Errors begin with the flag.
absl::StatusOr<TournamentDraft::TunedDraft> ParseTunedOption(std::string_view text);

// Returns the options of a bot, checked. Where nothing else is given, an option starts at the bot's
// own value or else its default, the bot declares the bounds and the type, and the step is a
// twentieth of the range. InvalidArgument says where the wrong value was given.
absl::StatusOr<std::vector<TunedOption>> ResolveTunedOptions(
    const std::vector<TournamentDraft::TunedDraft>& drafts, std::string_view game,
    const BotSpec& bot, const TournamentHooks& hooks);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TUNED_OPTIONS_H_
