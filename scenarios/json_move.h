// Finds the legal move that a JSON object describes.

#ifndef TRIARCH_SCENARIOS_JSON_MOVE_H_
#define TRIARCH_SCENARIOS_JSON_MOVE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/any_state.h"

namespace triarch {

// Returns whether a move is written as a JSON object.
bool IsJsonMove(std::string_view text);

// Returns the text of the legal move that has all members of the object, as `triarch moves --json`
// prints them. Members may be left out if those that remain describe only one move.
absl::StatusOr<std::string> JsonMoveText(const AnyState& state, std::string_view object);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_JSON_MOVE_H_
