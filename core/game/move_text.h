// Splits a move's text into its parts.

#ifndef TRIARCH_CORE_GAME_MOVE_TEXT_H_
#define TRIARCH_CORE_GAME_MOVE_TEXT_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"

// The parts of a move as it is written: "E2-E4", "e4xd5", "a7-a8=Q", "e5xd6 e.p.".
namespace triarch {

// A move from one cell to another, before the rules are asked. The views are into the text.
struct WrittenMove {
  std::string_view from;
  std::string_view to;
  bool says_capture = false;        // x
  bool says_en_passant = false;     // e.p.
  std::optional<size_t> promotion;  // 0..3: knight, bishop, rook, queen
};

// The letters of what a pawn becomes, by WrittenMove::promotion.
inline constexpr std::string_view kPromotionLetters = "NBRQ";

// The error says what is wrong, not how a move is written.
absl::StatusOr<WrittenMove> SplitMove(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_MOVE_TEXT_H_
