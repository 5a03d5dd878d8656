// Reads and writes starts, positions, cells and moves of Triumvirate as text.

#ifndef TRIARCH_CORE_TRIUMVIRATE_TEXT_H_
#define TRIARCH_CORE_TRIUMVIRATE_TEXT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/text.h"
#include "core/triumvirate/position.h"

namespace triarch::triumvirate {

// The starts: "document" (the default, also "") and "server" (§2, Ruling 1).
std::span<const std::string_view> Starts(GameTag<Position>);
absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name);

// 3PF (rules §7). An error of Parse reads "CODE field N: message".
absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text);
std::string ToString(const Position& position);

// The result of validating a 3PF text (§7).
struct Validation {
  bool ok = true;
  std::string error_code;  // "BAD_CELL"
  int field = 0;           // 1..7
  std::string message;
};
Validation Validate3pf(std::string_view text);

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
char* WriteMove(const Position& position, Move move, char* text);
char* WriteTpgn(const Position& position, Move move, char* text);
inline std::span<const std::string_view> MoveForms(GameTag<Position>) { return kMoveForms; }
inline std::string MoveInForm(const Position& position, Move move, size_t form) {
  return form == 0 ? MoveToString(position, move) : MoveToTpgn(position, move);
}

inline bool IsCell(GameTag<Position>, std::string_view text) {
  return Cell::Parse(text).has_value();
}
inline std::optional<Cell> FindCell(const Position&, std::string_view name) {
  return Cell::Parse(name);
}
inline std::string CellText(const Position&, int cell) { return Cell::At(cell).ToString(); }
inline std::string MoveStart(const Position&, Move move) { return move.from().ToString(); }
inline std::optional<std::string> FindStart(const Position&, std::string_view text) {
  return IsCell(kGame<Position>, text) ? std::optional(std::string(text)) : std::nullopt;
}

static_assert(HasText<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_TEXT_H_
