// Draws characters with colours, for boards in a terminal.

#ifndef TRIARCH_CORE_GAME_CANVAS_H_
#define TRIARCH_CORE_GAME_CANVAS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/game/seat.h"

// Also provides the text next to and below a board.
namespace triarch {

inline constexpr int kNoColor = -1;

// Colours are numbers of the 256-colour palette.
struct Ink {
  int foreground = kNoColor;
  int background = kNoColor;
  bool is_bold = false;

  friend bool operator==(const Ink&, const Ink&) = default;
};

// Pawn, knight, bishop, rook, queen, king.
inline constexpr std::array<std::string_view, 6> kPieceGlyphs = {"♙", "♘", "♗", "♖", "♕", "♔"};

// How boards mark the cells of the last move: by this tint, or without colour by an asterisk.
inline constexpr int kLastTint = 221;
inline constexpr std::string_view kLastSign = "*";

// A grid of coloured characters. Drawing outside it has no effect.
class Canvas {
 public:
  // The size is in characters.
  Canvas(int width, int height);

  void Set(int column, int line, std::string_view text, Ink ink = {});
  // Writes ASCII text, one character per column.
  void Write(int column, int line, std::string_view text, Ink ink = {});
  // Draws a character as two dots, one above the other; kNoColor omits a dot.
  void SetDots(int column, int line, int upper, int lower);
  std::string ToText() const;

 private:
  struct Spot {
    std::string text = " ";
    Ink ink;

    bool is_blank() const { return text == " " && ink.background == kNoColor; }
  };

  int width_;
  int height_;
  std::vector<Spot> spots_;  // line by line
};

// Returns "White", "White (to move)" or "White (out)".
template <Position P>
std::string SeatLabel(const P& position, Seat seat) {
  std::string text = P::kInfo.seat_name(seat);
  if (!position.is_in(seat)) text += " (out)";
  if (position.to_move() == seat && !position.outcome()) text += " (to move)";
  return text;
}

// Returns the name and `text_of(seat)` for each seat: "White KQ, Black -, Red out".
template <Position P, class F>
std::string PerSeatText(F text_of) {
  std::string text;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    text += (i == 0 ? "" : ", ") + P::kInfo.seat_name(SeatAt(i)) + " " + text_of(SeatAt(i));
  }
  return text;
}

template <Position P>
std::string ToMoveText(const P& position) {
  const std::optional<Outcome> outcome = position.outcome();
  if (!outcome) return P::kInfo.seat_name(position.to_move());
  return absl::StrFormat("none: the game is over (%s, result %s)",
                         std::string(ToString(outcome->termination)),
                         ResultText(outcome->place, P::kInfo.seats));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_CANVAS_H_
