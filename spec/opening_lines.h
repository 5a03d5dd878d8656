// Checks openings by the rules and converts them to canonical form.

#ifndef TRIARCH_SPEC_OPENING_LINES_H_
#define TRIARCH_SPEC_OPENING_LINES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Reads a position in any form of the game. InvalidArgument: it is invalid, or play cannot continue
// from it under the match's rules.
absl::StatusOr<Openings::Line> LineFromPosition(std::string_view game, std::string_view position,
                                                DrawRules rules = {});

// Reads the first `plies` moves (by default all) of each game in a TPGN text. Games without a FEN
// tag begin at `start`. InvalidArgument ("line N: …"): the text has no game, or a game is of
// another variant, breaks the rules, or is over after these moves.
absl::StatusOr<std::vector<Openings::Line>> LinesFromTpgn(const AnyState& start,
                                                          std::string_view tpgn,
                                                          std::optional<int64_t> plies,
                                                          DrawRules rules = {});

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPENING_LINES_H_
