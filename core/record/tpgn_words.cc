#include "core/record/tpgn_words.h"

#include <algorithm>

namespace triarch::tpgn {
namespace {

constexpr std::string_view kTime = "time";
constexpr std::string_view kEscaped = "{}[]\\\n%;";
constexpr std::string_view kHex = "0123456789abcdef";

// Returns whether the character is harmless except at the beginning of a word, where a line may
// begin.
bool IsHarmlessWithin(char c) { return c == '%' || c == ';'; }

}  // namespace

std::string InAnnotation(std::string_view text) {
  std::string written;
  for (const char c : text) {
    const bool is_plain = kEscaped.find(c) == std::string_view::npos ||
                          (IsHarmlessWithin(c) && !written.empty() && written.back() != ' ');
    if (is_plain) {
      written += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    written += "\\x";
    written += kHex[byte >> 4];
    written += kHex[byte & 15];
  }
  return written;
}

std::string FromAnnotation(std::string_view text) {
  constexpr size_t kLength = 4;  // "\x7d"
  std::string read;
  while (!text.empty()) {
    const std::string_view code = text.substr(0, kLength);
    const size_t high = code.size() == kLength ? kHex.find(code[2]) : std::string_view::npos;
    const size_t low = code.size() == kLength ? kHex.find(code[3]) : std::string_view::npos;
    if (!code.starts_with("\\x") || high == std::string_view::npos ||
        low == std::string_view::npos) {
      read += text[0];
      text.remove_prefix(1);
      continue;
    }
    read += static_cast<char>(high << 4 | low);
    text.remove_prefix(kLength);
  }
  return read;
}

std::string TimeControlTagOf(const GameInfo& info, Seat seat) {
  return std::string(info.seat_names[Index(seat)]) + "TimeControl";
}

std::string_view ForfeitWord(Termination why) {
  return why == Termination::kTimeForfeit ? kTime : ToString(why);
}

std::optional<Termination> ParseForfeitWord(std::string_view word) {
  if (word == kTime) return Termination::kTimeForfeit;
  if (word == ToString(Termination::kIllegalMove)) return Termination::kIllegalMove;
  if (word == ToString(Termination::kCrash)) return Termination::kCrash;
  return std::nullopt;
}

std::string EndingsText(const Outcome& outcome, const PerSeat<std::optional<Termination>>& endings,
                        size_t seats) {
  const bool is_draw = std::count(outcome.place.begin(), outcome.place.end(), 1) > 1;
  std::string text;
  for (size_t i = 0; i < seats; ++i) {
    if (i != 0) text += '/';
    const uint8_t place = outcome.place[SeatAt(i)];
    if (endings[SeatAt(i)]) {
      text += ToString(*endings[SeatAt(i)]);
    } else if (place == 1) {
      text += is_draw ? "draw" : "winner";
    } else if (place == 2 && IsAdjudication(outcome.termination)) {
      text += ToString(outcome.termination);
    } else {
      text += "out";
    }
  }
  return text;
}

}  // namespace triarch::tpgn
