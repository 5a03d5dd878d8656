// Defines how a game draws SVG pictures and boards for terminals.

#ifndef TRIARCH_CORE_GAME_PICTURE_H_
#define TRIARCH_CORE_GAME_PICTURE_H_

#include <concepts>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/position.h"

namespace triarch {

// How a board is drawn in a terminal.
struct BoardStyle {
  bool is_colored = true;  // ANSI escapes
  std::string_view names;  // a naming scheme of the game; "" is the default
};

// Each game declares these functions in its picture.h.
template <class P>
concept HasPictures = Position<P> && requires(const P p) {
  { ToSvg(p) } -> std::same_as<std::string>;
  { ToBoard(p, BoardStyle{}) } -> std::same_as<absl::StatusOr<std::string>>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PICTURE_H_
