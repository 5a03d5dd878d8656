#ifndef TRIARCH_SPEC_OPENING_LINES_H_
#define TRIARCH_SPEC_OPENING_LINES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/tournament_spec.h"

// Openings that are given, tried by the rules and brought into their canonical form.
namespace triarch {

// A position from which play can go on under the match's rules, in any form that the game reads.
// InvalidArgument if it is none.
absl::StatusOr<Openings::Line> LineFromPosition(std::string_view game, std::string_view position,
                                                DrawRules rules = {});

// The first `plies` moves (all, if not given) of each game of a TPGN text; a game without FEN tag
// begins at `start`. InvalidArgument ("line N: …") if the text holds no game, or one that is not of
// this game, breaks the rules, or is over by then.
absl::StatusOr<std::vector<Openings::Line>> LinesFromTpgn(const AnyState& start,
                                                          std::string_view tpgn,
                                                          std::optional<int64_t> plies,
                                                          DrawRules rules = {});

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPENING_LINES_H_
