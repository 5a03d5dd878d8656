// Splits a move's text into its parts.

#ifndef TRIARCH_CORE_GAME_MOVE_TEXT_H_
#define TRIARCH_CORE_GAME_MOVE_TEXT_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The parts of a written move: "E2-E4", "e4xd5", "a7-a8=Q", "e5xd6 e.p.".
namespace triarch {

// A move from one cell to another, not yet checked against the rules. The views point into the
// text.
struct WrittenMove {
  std::string_view from;
  std::string_view to;
  bool says_capture = false;        // x
  bool says_en_passant = false;     // e.p.
  std::optional<size_t> promotion;  // 0..3: knight, bishop, rook, queen
};

// The letters of promotion pieces, indexed by WrittenMove::promotion.
inline constexpr std::string_view kPromotionLetters = "NBRQ";

// Returns an error if the text ends with "=" and a character that is not one of these letters.
absl::Status CheckPromotion(std::string_view text);

// Splits the text of a move. The error says what is wrong; it does not explain the notation.
absl::StatusOr<WrittenMove> SplitMove(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_MOVE_TEXT_H_
