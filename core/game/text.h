// Defines how a game reads and writes starts, positions, cells and moves as text.

#ifndef TRIARCH_CORE_GAME_TEXT_H_
#define TRIARCH_CORE_GAME_TEXT_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/position.h"

namespace triarch {

// The names of the move forms that every game has. MoveToString writes the first.
inline constexpr std::array<std::string_view, 2> kMoveForms = {"canonical", "tpgn"};

// The room that WriteMove needs. The longest move is "c1QL1-c2QL6=Q", and a game may write a few
// bytes more than it uses.
inline constexpr size_t kMoveTextMax = 16;

// Each game declares these functions in its text.h.
template <class P>
concept HasText = Position<P> && requires(const P p, const typename P::Move move,
                                          std::string_view text, size_t form, int cell, char* to) {
  // The names of the starts, the default first. Start also accepts "" for the default.
  { Starts(kGame<P>) } -> std::same_as<std::span<const std::string_view>>;
  { Start(kGame<P>, text) } -> std::same_as<absl::StatusOr<P>>;

  // The game's own text form (3PF, …). An error reads "CODE field N: message".
  { Parse(kGame<P>, text) } -> std::same_as<absl::StatusOr<P>>;
  { ToString(p) } -> std::same_as<std::string>;

  // Moves. ParseMove accepts every form of the game and returns a *legal* move.
  { ParseMove(p, text) } -> std::same_as<absl::StatusOr<typename P::Move>>;
  // Writes the canonical text of a move, "E2-E4" or "A7-A8=Q", and returns its end. Written in
  // place, because a process bot gets all legal moves on every turn. Requires: room for
  // kMoveTextMax bytes.
  { WriteMove(p, move, to) } -> std::same_as<char*>;
  // The same in TPGN without + or #: "E2xD3", "O-O". A tournament writes millions per second.
  { WriteTpgn(p, move, to) } -> std::same_as<char*>;
  // The forms in which moves can be written, the canonical one first; and a move in one of them.
  { MoveForms(kGame<P>) } -> std::same_as<std::span<const std::string_view>>;
  { MoveInForm(p, move, form) } -> std::same_as<std::string>;

  // Whether the text names a cell: the part of a canonical move before the dash.
  { IsCell(kGame<P>, text) } -> std::same_as<bool>;
  // The cell with that name, if it exists now; and the current name of the cell with that number.
  FindCell(p, text);
  { CellText(p, cell) } -> std::same_as<std::string>;
  // Where a move starts, as canonical moves write it: a cell (the king's, for castling) or another
  // movable part of the board. FindStart returns the start that a text names, if any.
  { MoveStart(p, move) } -> std::same_as<std::string>;
  { FindStart(p, text) } -> std::same_as<std::optional<std::string>>;
};

// Returns the canonical text of a move.
template <class P>
std::string MoveToString(const P& position, typename P::Move move) {
  char text[kMoveTextMax];
  return {text, WriteMove(position, move, text)};
}

// Returns the text of a move in TPGN, without + or #.
template <class P>
std::string MoveToTpgn(const P& position, typename P::Move move) {
  char text[kMoveTextMax];
  return {text, WriteTpgn(position, move, text)};
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_TEXT_H_
