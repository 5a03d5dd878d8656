// Reads and writes Tri-D chess as text: starts, positions, cells and moves.

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

// "document" (the default, also "") or "meder" (§2).
std::span<const std::string_view> Starts(GameTag<Position>);
absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name);

// TFEN (rules §8). An error of Parse reads "CODE field N: message".
absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text);
std::string ToString(const Position& position);

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
std::string MoveToString(const Position& position, Move move);
inline std::string MoveToTpgn(const Position& position, Move move) {
  return MoveToString(position, move);
}
// §9: "canonical", "document" (D's, with cells by board) or "short" (M's, with + # e.p.).
std::span<const std::string_view> MoveForms(GameTag<Position>);
std::string MoveInForm(const Position& position, Move move, size_t form);

// "c1W", "a8QL6": the level of an attack board's cell is the pin where the board stands.
std::string CellName(const Layout& layout, Cell cell);
// Returns the existing cell of that name, which may also use the board's name ("a8BQL"), if any.
std::optional<Cell> FindCell(const Layout& layout, std::string_view name);
inline std::optional<Cell> FindCell(const Position& position, std::string_view name) {
  return FindCell(position.layout(), name);
}
inline std::string CellText(const Position& position, int cell) {
  return CellName(position.layout(), Cell::At(cell));
}

// Whether the text names one of the 96 cells that can exist. The board's name needs a position.
bool IsCell(GameTag<Position>, std::string_view text);
// A cell, or the pin that a board leaves.
std::string MoveStart(const Position& position, Move move);
// Boards may stand for their pins, alone and in the names of cells. Cells and pins that can exist
// are found even if they do not exist now, or are free.
std::optional<std::string> FindStart(const Position& position, std::string_view text);

static_assert(HasText<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_TEXT_H_
