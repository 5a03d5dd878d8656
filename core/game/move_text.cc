#include "core/game/move_text.h"

#include "absl/status/status.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {

absl::Status CheckPromotion(std::string_view text) {
  if (text.size() <= 2 || text[text.size() - 2] != '=') return absl::OkStatus();
  if (kPromotionLetters.find(text.back()) != std::string_view::npos) return absl::OkStatus();
  return absl::InvalidArgumentError("a pawn becomes Q, R, B or N, not " +
                                    Quote(text.substr(text.size() - 1)));
}

absl::StatusOr<WrittenMove> SplitMove(std::string_view text) {
  WrittenMove written;
  constexpr std::string_view kEnPassant = " e.p.";
  if (text.ends_with(kEnPassant)) {
    written.says_en_passant = true;
    text.remove_suffix(kEnPassant.size());
  }
  RETURN_IF_ERROR(CheckPromotion(text));
  if (text.size() > 2 && text[text.size() - 2] == '=') {
    written.promotion = kPromotionLetters.find(text.back());
    text.remove_suffix(2);
  }
  const size_t middle = text.find_first_of("-x");
  if (middle == std::string_view::npos) {
    return absl::InvalidArgumentError(Quote(text) + " is not a move");
  }
  written.says_capture = text[middle] == 'x';
  written.from = text.substr(0, middle);
  written.to = text.substr(middle + 1);
  return written;
}

}  // namespace triarch
