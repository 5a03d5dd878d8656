// Rewrites the tournament file of a league for its next season.

#ifndef TRIARCH_SPEC_NEXT_SEASON_H_
#define TRIARCH_SPEC_NEXT_SEASON_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Returns the text of the file with the bots in the order of `names`, which are those of the spec,
// and with the spec's seed plus one, so that the season is another tournament. Everything else
// stays: comments above a bot keep their place, those behind it move with it.
//
// InvalidArgument, "file:line:column: what was wrong; what was expected": the file is not that of
// the spec, or its list of bots is written in a way that cannot be reordered.
absl::StatusOr<std::string> NextSeasonFile(std::string_view text, std::string_view file_name,
                                           const TournamentSpec& spec,
                                           std::span<const std::string> names);

}  // namespace triarch

#endif  // TRIARCH_SPEC_NEXT_SEASON_H_
