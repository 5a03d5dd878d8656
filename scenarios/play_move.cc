#include "scenarios/play_move.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/played_game.h"
#include "core/record/tpgn.h"
#include "core/record/tpgn_words.h"
#include "scenarios/json_move.h"

namespace triarch {
namespace {

// Returns the seat with that letter if it is still in the game.
absl::StatusOr<Seat> SeatOf(const AnyState& state, std::string_view letter) {
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

void Note(RecordedEvent event, RecordedEvents* events) {
  if (events != nullptr) events->push_back(std::move(event));
}

void NoteSpecial(RecordedEvent::Kind kind, Seat seat, Termination why, RecordedEvents* events) {
  RecordedEvent event;
  event.kind = kind;
  event.seat = seat;
  event.why = why;
  Note(std::move(event), events);
}

void Leave(AnyState& state, Seat seat, Termination why, RecordedEvents* events) {
  const bool is_resignation = why == Termination::kResignation;
  NoteSpecial(is_resignation ? RecordedEvent::Kind::kResign : RecordedEvent::Kind::kForfeit, seat,
              why, events);
  state.Eliminate(seat, why);
}

absl::Status Claim(AnyState& state, Seat seat, RecordedEvents* events) {
  const Seat turn = state.to_move();
  if (seat != turn) {
    return absl::InvalidArgumentError("it is " + state.info().seat_name(turn) + "'s turn");
  }
  if (!state.ClaimDraw()) return absl::InvalidArgumentError("there is no draw to claim");
  NoteSpecial(RecordedEvent::Kind::kClaimDraw, seat, RecordedEvent().why, events);
  return absl::OkStatus();
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
absl::Status PlayComment(AnyState& state, std::string_view comment, RecordedEvents* events) {
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
  if (event == tpgn::kClaimsDraw && !state.outcome()) return Claim(state, SeatAt(i), events);
  if (!why) return absl::OkStatus();
  if (state.outcome()) return IsOver(*state.outcome());
  if (!state.is_in(SeatAt(i))) {
    return absl::InvalidArgumentError(info.seat_name(SeatAt(i)) + " is out of the game");
  }
  Leave(state, SeatAt(i), *why, events);
  return absl::OkStatus();
}

// Plays texts without JSON. `number` counts the moves.
absl::Status PlayText(AnyState& state, const std::vector<std::string>& texts,
                      RecordedEvents* events, int* number) {
  ASSIGN_OR_RETURN(const TpgnGame game, ReadMoves(texts));
  for (const TpgnItem& item : game.items) {
    absl::Status status;
    if (item.kind == TpgnItem::Kind::kMove) {
      ++*number;
      status = PlayMove(state, item.text, events);
    } else if (item.kind == TpgnItem::Kind::kComment) {
      status = PlayComment(state, item.text, events);
    }
    if (!status.ok()) {
      const bool is_comment = item.kind == TpgnItem::Kind::kComment;
      const std::string message(status.message());
      // Some messages begin with the move itself.
      const std::string text = message.starts_with(Quote(item.text)) ? "" : " " + Quote(item.text);
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s %d%s: %s", is_comment ? "comment after move" : "move", *number, text, message));
    }
  }
  return absl::OkStatus();
}

absl::Status PlayJson(AnyState& state, const std::string& object, RecordedEvents* events,
                      int number) {
  absl::Status status = state.outcome() ? IsOver(*state.outcome()) : absl::OkStatus();
  if (status.ok()) {
    const absl::StatusOr<std::string> move = JsonMoveText(state, object);
    status = move.ok() ? PlayMove(state, *move, events) : move.status();
  }
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrFormat("move %d %s: %s", number, Quote(object), std::string(status.message())));
}

}  // namespace

absl::Status PlayMove(AnyState& state, std::string_view text, RecordedEvents* events) {
  constexpr std::string_view kResign = "resign:";
  constexpr std::string_view kClaim = "claim:";
  if (state.outcome()) return IsOver(*state.outcome());
  if (text.starts_with(kResign)) {
    ASSIGN_OR_RETURN(const Seat seat, SeatOf(state, text.substr(kResign.size())));
    Leave(state, seat, Termination::kResignation, events);
    return absl::OkStatus();
  }
  state.JudgeTurn();
  if (state.outcome()) return IsOver(*state.outcome());
  if (text.starts_with(kClaim)) {
    ASSIGN_OR_RETURN(const Seat seat, SeatOf(state, text.substr(kClaim.size())));
    return Claim(state, seat, events);
  }
  const AnyState::Moves moves = state.LegalMoves();
  ASSIGN_OR_RETURN(const size_t number, state.FindMove(moves, text));
  RecordedEvent event;
  PlayRecorded(moves, number, &state, &event);
  Note(std::move(event), events);
  return absl::OkStatus();
}

absl::Status PlayMoves(AnyState& state, const std::vector<std::string>& texts,
                       RecordedEvents* events) {
  int number = 0;
  std::vector<std::string> run;  // of texts without JSON: a comment may extend over several
  for (const std::string& text : texts) {
    if (!IsJsonMove(text)) {
      run.push_back(text);
      continue;
    }
    RETURN_IF_ERROR(PlayText(state, run, events, &number));
    run.clear();
    RETURN_IF_ERROR(PlayJson(state, text, events, ++number));
  }
  return PlayText(state, run, events, &number);
}

}  // namespace triarch
