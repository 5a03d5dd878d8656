// Writes positions as JSON for the web page (docs/web-api.md).

#ifndef TRIARCH_ARENA_API_POSITION_JSON_H_
#define TRIARCH_ARENA_API_POSITION_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"

namespace triarch::arena {

// Returns the position with what a picture of it needs.
nlohmann::ordered_json PositionJson(const AnyState& state);

// Returns the position in which a game begins.
absl::StatusOr<nlohmann::ordered_json> StartJson(const GameInfo& info);

// Returns the cells of a game and their neighbors at its start, as the text of a JSON object.
absl::StatusOr<std::string> GeometryText(const GameInfo& info);

// Returns the cells that a picture marks after a move: the one that the piece left, then those that
// it entered. A board move in Tri-D leaves and enters all cells of a board. Requires: `after` is
// `before` after a move.
std::vector<std::string> CellsOfMove(const AnyState& before, const AnyState& after);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_POSITION_JSON_H_
