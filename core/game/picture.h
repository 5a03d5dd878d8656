// Defines how a game draws SVG pictures and boards for terminals.

#ifndef TRIARCH_CORE_GAME_PICTURE_H_
#define TRIARCH_CORE_GAME_PICTURE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/position.h"

namespace triarch {

// What a move does on its target. If several moves have the same target, the last of their values
// in this order counts.
enum class MoveMark : uint8_t { kTarget, kCastling, kCapture, kPromotion };
inline constexpr size_t kMoveMarks = 4;

// Where moves go: the names of cells or, for moves of Tri-D's boards, of pins.
using MoveMarks = std::map<std::string, MoveMark, std::less<>>;

// How a board is drawn in a terminal.
struct BoardStyle {
  bool is_colored = true;  // ANSI escapes
  std::string_view names;  // a naming scheme of the game; "" is the default
  MoveMarks moves = {};    // to mark, by the default names
};

// What an SVG picture shows beside the position.
struct SvgStyle {
  std::vector<std::string> players = {};  // the bots' names by seat; empty: none
  // Writes the name of each cell into it. Where the cells have room, they always show their names.
  bool has_cell_names = false;
  MoveMarks moves = {};         // to mark, by the default names
  std::string_view names = {};  // a naming scheme that ToBoard accepts; "" is the default
};

// Each game declares these functions in its picture.h. Both mark the cells of the last move.
template <class P>
concept HasPictures = Position<P> &&
    requires(const P p, const std::optional<typename P::Move> last_move) {
  { ToSvg(p, last_move, SvgStyle{}) } -> std::same_as<std::string>;
  { ToBoard(p, BoardStyle{}, last_move) } -> std::same_as<absl::StatusOr<std::string>>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PICTURE_H_
