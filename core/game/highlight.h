// Highlights the cells of boards in a terminal: those of the last move and the targets of moves.

#ifndef TRIARCH_CORE_GAME_HIGHLIGHT_H_
#define TRIARCH_CORE_GAME_HIGHLIGHT_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_format.h"
#include "core/game/board.h"
#include "core/game/canvas.h"
#include "core/game/picture.h"

namespace triarch {

// A cell is highlighted by a tint or, without colour, by a sign.
struct Highlight {
  int tint;
  std::string_view sign;
  std::string_view color;  // the tint's name
  std::string_view meaning;
};

inline constexpr Highlight kLastHighlight = {kLastTint, kLastSign, "yellow", "last move"};
inline constexpr std::array<Highlight, kMoveMarks> kMoveHighlights = {  // by MoveMark
    {{114, "o", "green", "target"},
     {111, "&", "blue", "castling"},
     {209, "!", "red", "capture"},
     {176, "=", "violet", "promotion"}}};

// Returns the highlight of the cell or pin with that name, or null.
inline const Highlight* MoveHighlight(const MoveMarks& moves, std::string_view name) {
  const auto found = moves.find(name);
  return found == moves.end() ? nullptr : &kMoveHighlights[static_cast<size_t>(found->second)];
}

// The highlight of each cell, or null. The target of a move goes before a cell of the last move.
template <HasBoard P>
using Highlights = std::array<const Highlight*, static_cast<size_t>(P::kCells)>;

template <HasBoard P>
Highlights<P> HighlightsOf(const P& position, const BoardStyle& style,
                           std::optional<typename P::Move> last_move) {
  using Cell = std::remove_cvref_t<decltype(last_move->from())>;
  Highlights<P> highlights{};
  for (int i = 0; i < P::kCells; ++i) {
    const Highlight*& highlight = highlights[static_cast<size_t>(i)];
    if (!style.moves.empty()) highlight = MoveHighlight(style.moves, CellText(position, i));
    if (highlight == nullptr && last_move && last_move->marks(Cell::At(i))) {
      highlight = &kLastHighlight;
    }
  }
  return highlights;
}

// Returns the legend of a board's highlights: one line of text for each kind, or "" without any.
inline std::string HighlightLines(const BoardStyle& style, bool has_last_move) {
  const auto mark_of = [&](const Highlight& highlight) {
    return std::string(style.is_colored ? highlight.color : highlight.sign);
  };
  std::string text;
  if (has_last_move) text += absl::StrFormat("last move   %s\n", mark_of(kLastHighlight));
  std::string moves;
  for (size_t i = 0; i < kMoveMarks; ++i) {
    bool is_used = false;
    for (const auto& [name, mark] : style.moves) is_used |= static_cast<size_t>(mark) == i;
    if (!is_used) continue;
    moves += (moves.empty() ? "" : ", ") + mark_of(kMoveHighlights[i]) + " " +
             std::string(kMoveHighlights[i].meaning);
  }
  if (!moves.empty()) text += absl::StrFormat("moves       %s\n", moves);
  return text;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_HIGHLIGHT_H_
