// Draws positions of Triumvirate as SVG and for terminals.

#ifndef TRIARCH_CORE_TRIUMVIRATE_PICTURE_H_
#define TRIARCH_CORE_TRIUMVIRATE_PICTURE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/game/picture.h"
#include "core/triumvirate/position.h"

namespace triarch::triumvirate {

std::string ToSvg(const Position& position, std::optional<Move> last_move = {},
                  const SvgStyle& style = {});
absl::StatusOr<std::string> ToBoard(const Position& position, const BoardStyle& style,
                                    std::optional<Move> last_move = {});

static_assert(HasPictures<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_PICTURE_H_
