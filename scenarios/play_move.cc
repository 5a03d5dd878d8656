#include "scenarios/play_move.h"

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"
#include "core/record/tpgn_words.h"

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

// Reads texts as the moves of one game.
absl::StatusOr<TpgnGame> ReadMoves(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (Trim(text).empty())
      return absl::InvalidArgumentError("expected a move, not " + Quote(text));
  }
  const std::string text = absl::StrJoin(texts, "\n") + "\n*\n";
  TpgnReader reader(text);
  ASSIGN_OR_RETURN(TpgnGame game, *reader.Next());
  if (!game.tags.empty()) {
    return absl::InvalidArgumentError("expected moves, not the tags of a game");
  }
  // A result in the texts ends the game; then only ours may follow.
  for (auto rest = reader.Next(); rest; rest = reader.Next()) {
    if (!rest->ok() || !(*rest)->items.empty()) {
      return absl::InvalidArgumentError("nothing may follow the result " + Quote(game.result));
    }
  }
  return game;
}

// Executes the event of a comment such as "Red resigns"; other comments have none.
absl::Status PlayComment(AnyState& state, std::string_view comment) {
  const GameInfo& info = state.info();
  size_t i = 0;
  while (i < info.seats && !comment.starts_with(info.seat_names[i])) ++i;
  if (i == info.seats) return absl::OkStatus();
  const std::string_view event = comment.substr(info.seat_names[i].size());
  std::optional<Termination> why;
  if (event == tpgn::kResigns) why = Termination::kResignation;
  if (event.starts_with(tpgn::kForfeits)) {
    why = tpgn::ParseForfeitWord(event.substr(tpgn::kForfeits.size()));
  }
  if (event == tpgn::kClaimsDraw && !state.outcome() && !state.ClaimDraw()) {
    return absl::InvalidArgumentError("there is no draw to claim");
  }
  if (!why) return absl::OkStatus();
  if (state.outcome()) return IsOver(*state.outcome());
  if (!state.is_in(SeatAt(i))) {
    return absl::InvalidArgumentError(info.seat_name(SeatAt(i)) + " is out of the game");
  }
  state.Eliminate(SeatAt(i), *why);
  return absl::OkStatus();
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

absl::Status PlayMoves(AnyState& state, const std::vector<std::string>& texts) {
  ASSIGN_OR_RETURN(const TpgnGame game, ReadMoves(texts));
  int number = 0;
  for (const TpgnItem& item : game.items) {
    absl::Status status;
    if (item.kind == TpgnItem::Kind::kMove) {
      ++number;
      status = PlayMove(state, item.text);
    } else if (item.kind == TpgnItem::Kind::kComment) {
      status = PlayComment(state, item.text);
    }
    if (!status.ok()) {
      const bool is_comment = item.kind == TpgnItem::Kind::kComment;
      const std::string message(status.message());
      // Some messages begin with the move itself.
      const std::string text = message.starts_with(Quote(item.text)) ? "" : " " + Quote(item.text);
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s %d%s: %s", is_comment ? "comment after move" : "move", number, text, message));
    }
  }
  return absl::OkStatus();
}

}  // namespace triarch
