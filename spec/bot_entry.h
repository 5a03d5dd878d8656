#ifndef TRIARCH_SPEC_BOT_ENTRY_H_
#define TRIARCH_SPEC_BOT_ENTRY_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "spec/tournament_file.h"
#include "spec/yaml_map.h"

namespace triarch {

// One bot of a tournament file's list: a word or a map (see tournament_file.h). Errors have the
// place. `weight`, in self-play, is changed if the map has one; else null, and a weight is no key.
absl::StatusOr<BotSpec> ReadBotEntry(const YamlSource& source, const YAML::Node& node,
                                     std::string_view game, const std::string& file_name,
                                     const TournamentHooks& hooks, double* weight);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_ENTRY_H_
