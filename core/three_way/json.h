// Reads and writes positions and moves of Three-Way Chess as JSON.

#ifndef TRIARCH_CORE_THREE_WAY_JSON_H_
#define TRIARCH_CORE_THREE_WAY_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/json.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

std::string ToJson(const Position& position);
absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text);
std::string MoveToJson(const Position& position, Move move);

static_assert(HasJson<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_JSON_H_
