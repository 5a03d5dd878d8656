// Reads and writes positions and moves of Triumvirate as JSON (rules §9).

#ifndef TRIARCH_CORE_TRIUMVIRATE_JSON_H_
#define TRIARCH_CORE_TRIUMVIRATE_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/json.h"
#include "core/triumvirate/position.h"

namespace triarch::triumvirate {

std::string ToJson(const Position& position);
absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text);
std::string MoveToJson(const Position& position, Move move);

static_assert(HasJson<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_JSON_H_
