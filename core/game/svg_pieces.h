// Draws the pieces of the SVG pictures.

#ifndef TRIARCH_CORE_GAME_SVG_PIECES_H_
#define TRIARCH_CORE_GAME_SVG_PIECES_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/game/outcome.h"
#include "core/game/picture.h"
#include "core/game/position.h"

// The common parts of the games' SVG pictures. The pieces are paths instead of characters, so a
// picture looks the same everywhere; only the labels need a font, and any font will do.
namespace triarch {

// The style of DrawPieceShape without its colours. Each picture defines a class per colour with
// fill and stroke and, for dark pieces, the stroke of its ".line". Also the style of the turn mark,
// of the cells of the last move, of the marks of moves, of the bots' names and of the legend.
inline constexpr std::string_view kPieceStyle =
    ".piece{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}"
    ".line{fill:none}.turn{fill:#1f6f4a}.last{fill:#f0c64a}"
    ".player{fill-opacity:.85}.legend{font-size:14px}"
    ".target,.castling,.promotion{fill:#1e63c4;stroke:#fff;stroke-width:1}"
    ".capture{fill:none;stroke:#1e63c4;stroke-width:3.5}";

// A mark in a picture, with its meaning for the legend.
struct SvgMark {
  std::string_view sign;  // occurs in the picture's text if the mark does
  std::string_view meaning;
};
inline constexpr SvgMark kLastMoveMark = {" last\"", "yellow: last move"};

// Returns the name of a piece; 0 to 5 are pawn, knight, bishop, rook, queen and king.
std::string_view PieceName(size_t type);
// Draws the piece around (0, 0), about 32 times `scale` high; `color` is the class of its colours.
std::string DrawPieceShape(size_t type, char color, double scale);
// Draws a mark of class "turn" that points right. Its left end is at x, its middle at height 0.
std::string DrawTurnMark(double x);
// Draws a mark around (x, y): a dot, a square, a ring or a triangle, by MoveMark.
std::string DrawMoveMark(MoveMark mark, double x, double y);
// Draws the meanings of the marks of moves that occur in the picture, centred at x.
std::string DrawMoveLegend(std::string_view picture, double x, double y);
// Draws a bot's name centred at x. Where it would extend beyond left or right, it is moved, made
// smaller and at last broken into two lines.
std::string DrawPlayerName(std::string_view name, double x, double y, double left, double right);
// Draws the meanings of the marks that occur in the picture, centred at x.
std::string DrawLegend(std::string_view picture, std::span<const SvgMark> marks, double x,
                       double y);
std::string DrawSvgText(std::string_view kind, double x, double y, std::string_view text);
// Escapes the text for use between tags.
std::string EscapeXml(std::string_view text);

// Returns the caption of a finished game.
inline std::string OverCaption(const Outcome& outcome, const GameInfo& info) {
  return absl::StrFormat("The game is over: %s, result %s",
                         std::string(ToString(outcome.termination)),
                         ResultText(outcome.place, info.seats));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_SVG_PIECES_H_
