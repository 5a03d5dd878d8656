#include "core/record/tpgn_words.h"

#include <algorithm>

namespace triarch::tpgn {
namespace {

constexpr std::string_view kTime = "time";

}  // namespace

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
