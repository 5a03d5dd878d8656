// Reads and writes starts, positions, cells and moves of Three-Way Chess as text.

#ifndef TRIARCH_CORE_THREE_WAY_TEXT_H_
#define TRIARCH_CORE_THREE_WAY_TEXT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/text.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

// The starts: only "standard" (also "").
std::span<const std::string_view> Starts(GameTag<Position>);
absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name);

// HexFEN (rules §6). An error of Parse reads "CODE field N: message".
absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text);
std::string ToString(const Position& position);

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
char* WriteMove(const Position& position, Move move, char* text);
char* WriteTpgn(const Position& position, Move move, char* text);
inline std::span<const std::string_view> MoveForms(GameTag<Position>) { return kMoveForms; }
inline std::string MoveInForm(const Position& position, Move move, size_t form) {
  return form == 0 ? MoveToString(position, move) : MoveToTpgn(position, move);
}

// Returns whether the text is a cell name in lower case, as moves are written. ParseMove accepts
// either case.
inline bool IsCell(GameTag<Position>, std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  return cell && cell->ToString() == text;
}
inline std::optional<Cell> FindCell(const Position&, std::string_view name) {
  return Cell::Parse(name);
}
inline std::string CellText(const Position&, int cell) { return Cell::At(cell).ToString(); }
inline std::string MoveStart(const Position&, Move move) { return move.from().ToString(); }
inline std::optional<std::string> FindStart(const Position&, std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  return cell ? std::optional(cell->ToString()) : std::nullopt;
}

static_assert(HasText<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_TEXT_H_
