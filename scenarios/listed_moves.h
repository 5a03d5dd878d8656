// Reads the legal moves that another program lists, and looks a scenario's move up in them.

#ifndef TRIARCH_SCENARIOS_LISTED_MOVES_H_
#define TRIARCH_SCENARIOS_LISTED_MOVES_H_

#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/any_state.h"

namespace triarch {

// Reads the answer to `go perft 1`: a line "E2-E4: 1" for each legal move, then "Nodes searched: N"
// with their number. Ignores other lines. The error says what is wrong.
absl::StatusOr<std::set<std::string>> ReadListedMoves(std::string_view answer);

// Returns whether the program lists the move. Moves that our rules allow are compared by what they
// do, so the two texts may have different forms; other moves are compared as text, where "x", ":"
// and "-" are the same.
bool IsListed(const AnyState& state, const std::set<std::string>& listed, std::string_view move);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_LISTED_MOVES_H_
