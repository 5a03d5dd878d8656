// Reads and writes starts, positions, cells and moves of Tri-D chess as text.

#ifndef TRIARCH_CORE_TRI_D_TEXT_H_
#define TRIARCH_CORE_TRI_D_TEXT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/text.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

// The starts: "document" (the default, also "") and "meder" (§2).
std::span<const std::string_view> Starts(GameTag<Position>);
absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name);

// TFEN (rules §8). An error of Parse reads "CODE field N: message".
absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text);
std::string ToString(const Position& position);

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
char* WriteMove(const Position& position, Move move, char* text);
inline char* WriteTpgn(const Position& position, Move move, char* text) {
  return WriteMove(position, move, text);
}
// The move forms (§9): "canonical", "document" (from D, with cells named by board) and "short"
// (from M, with + # e.p.).
std::span<const std::string_view> MoveForms(GameTag<Position>);
std::string MoveInForm(const Position& position, Move move, size_t form);

// Returns "c1W" or "a8QL6": the level of an attack board's cell is the pin of the board.
std::string CellName(const Layout& layout, Cell cell);
// Returns the existing cell with that name, if any. The name may also use the board ("a8BQL").
std::optional<Cell> FindCell(const Layout& layout, std::string_view name);
inline std::optional<Cell> FindCell(const Position& position, std::string_view name) {
  return FindCell(position.layout(), name);
}
inline std::string CellText(const Position& position, int cell) {
  return CellName(position.layout(), Cell::At(cell));
}

// Returns whether the text names one of the 96 cells that can exist. Names by board are not
// accepted because they depend on the position.
bool IsCell(GameTag<Position>, std::string_view text);
// Returns the start cell, or the pin that a board leaves.
std::string MoveStart(const Position& position, Move move);
// Accepts names of boards instead of their pins, alone and in names of cells. Also finds cells that
// do not exist now, and pins without a board.
std::optional<std::string> FindStart(const Position& position, std::string_view text);

static_assert(HasText<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_TEXT_H_
