// Reads one entry of a tournament file's list of bots.

#ifndef TRIARCH_SPEC_BOT_ENTRY_H_
#define TRIARCH_SPEC_BOT_ENTRY_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "spec/tournament_draft.h"
#include "spec/yaml_map.h"

namespace triarch {

// Reads a word ("paranoid:depth=2") or a map ({name: p2, bot: paranoid, depth: 2}), in self-play
// with a weight. Errors give the location in the file.
absl::StatusOr<BotSpec> ReadBotEntry(const YamlSource& source, const YAML::Node& node,
                                     std::string_view game, const std::string& file_name,
                                     const TournamentHooks& hooks, bool is_selfplay);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_ENTRY_H_
