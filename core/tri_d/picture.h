// Draws positions of Tri-D chess as SVG and for terminals.

#ifndef TRIARCH_CORE_TRI_D_PICTURE_H_
#define TRIARCH_CORE_TRI_D_PICTURE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/game/picture.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

std::string ToSvg(const Position& position, std::optional<Move> last_move = {},
                  const SvgStyle& style = {});
absl::StatusOr<std::string> ToBoard(const Position& position, const BoardStyle& style,
                                    std::optional<Move> last_move = {});

static_assert(HasPictures<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_PICTURE_H_
