// Reads and writes positions and moves of Tri-D chess as JSON (rules §9).

#ifndef TRIARCH_CORE_TRI_D_JSON_H_
#define TRIARCH_CORE_TRI_D_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/json.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

std::string ToJson(const Position& position);
absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text);
std::string MoveToJson(const Position& position, Move move);

static_assert(HasJson<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_JSON_H_
