#include "scenarios/play_move.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"

namespace triarch {
namespace {

// Returns the seat that "resign:w" names, if it may resign.
absl::StatusOr<Seat> ResigningSeat(const AnyState& state, std::string_view letter) {
  const GameInfo& info = state.info();
  std::string letters;
  for (size_t i = 0; i < info.seats; ++i) {
    if (letter == std::string_view(&info.seat_letters[i], 1)) {
      if (state.is_in(SeatAt(i))) return SeatAt(i);
      return absl::InvalidArgumentError(
          absl::StrFormat("%s is out of the game", std::string(info.seat_names[i])));
    }
    letters += (letters.empty() ? "" : ", ") + std::string(1, info.seat_letters[i]);
  }
  return absl::InvalidArgumentError("no such seat; expected one of " + letters);
}

absl::Status IsOver(const Outcome& outcome) {
  return absl::InvalidArgumentError("the game is over: " +
                                    std::string(ToString(outcome.termination)));
}

}  // namespace

absl::Status PlayMove(AnyState& state, std::string_view text) {
  constexpr std::string_view kResign = "resign:";
  if (state.outcome()) return IsOver(*state.outcome());
  if (!text.starts_with(kResign)) {
    state.JudgeTurn();
    if (state.outcome()) return IsOver(*state.outcome());
    return state.Play(text);
  }
  const absl::StatusOr<Seat> seat = ResigningSeat(state, text.substr(kResign.size()));
  if (!seat.ok()) return seat.status();
  state.Eliminate(*seat, Termination::kResignation);
  return absl::OkStatus();
}

}  // namespace triarch
