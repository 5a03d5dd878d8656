// Draws the pieces of the SVG pictures.

#ifndef TRIARCH_CORE_GAME_SVG_PIECES_H_
#define TRIARCH_CORE_GAME_SVG_PIECES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/game/outcome.h"
#include "core/game/position.h"

// What the games' SVG pictures share. The pieces are paths of our own, so that a picture looks the
// same wherever it is shown; only the labels need a font, any one.
namespace triarch {

// The style of DrawPieceShape, but for its colours: those are a class of the picture's own, with
// fill and stroke, and the stroke of its ".line" on dark ones.
inline constexpr std::string_view kPieceStyle =
    ".piece{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}"
    ".line{fill:none}";

// Pieces by number: 0 to 5 are pawn, knight, bishop, rook, queen and king.
std::string_view PieceName(size_t type);
// The piece around (0, 0), about 32 times `scale` high; `color` is the class of its colours.
std::string DrawPieceShape(size_t type, char color, double scale);
// The class "turn": points to the right, its left end at x, its middle at height 0.
std::string DrawTurnMark(double x);
std::string DrawSvgText(std::string_view kind, double x, double y, std::string_view text);
// As text between tags.
std::string EscapeXml(std::string_view text);

// What is said of a game that is over.
inline std::string OverCaption(const Outcome& outcome, const GameInfo& info) {
  return absl::StrFormat("The game is over: %s, result %s",
                         std::string(ToString(outcome.termination)),
                         ResultText(outcome.place, info.seats));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_SVG_PIECES_H_
