#include "arena/client/table_player.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;

constexpr int kRefusalsMax = 3;       // of moves for one ply
constexpr double kUsualSeconds = 60;  // for a move without a time limit

milliseconds TimeLeft(const TableTurn& turn) {
  return milliseconds(static_cast<int64_t>(turn.seconds_left.value_or(kUsualSeconds) * 1'000));
}

}  // namespace

absl::Status TablePlayer::Play(const JoinWish& wish) {
  ASSIGN_OR_RETURN(taken_, parts_.client->Join(wish));
  game_.table = PrintableLine(taken_.table);
  game_.seat = PrintableLine(taken_.seat);
  parts_.log(absl::StrFormat("table %s: seated as %s%s", game_.table, game_.seat,
                             taken_.stage == "waiting" ? "; waiting for the others" : ""));
  const absl::Status played = PlayToEnd();
  if (!played.ok() && !is_out_) parts_.client->Leave(taken_.token);
  NoteGame();
  return played;
}

absl::Status TablePlayer::PlayToEnd() {
  std::optional<SeatedBot> bot;
  while (true) {
    const absl::StatusOr<TableTurn> turn = parts_.client->Turn(taken_.token);
    if (absl::IsPermissionDenied(turn.status())) {
      is_out_ = true;
      return Follow();
    }
    RETURN_IF_ERROR(turn.status());
    RETURN_IF_ERROR(Follow());
    if (turn->events == followed_.event_count()) {
      RETURN_IF_ERROR(followed_.CheckPosition(turn->position));
    }
    game_.result = turn->result;
    game_.is_closed = turn->is_over && !turn->result;
    if (turn->is_over) return absl::OkStatus();
    if (!followed_.has_begun() || is_out_) continue;
    if (!bot) {
      parts_.log(absl::StrFormat("table %s: the game begins", game_.table));
      spec_.game = followed_.spec().game;
      spec_.position = followed_.spec().position;
      spec_.draw_rules = followed_.spec().draw_rules;
      bot.emplace(*parts_.player, followed_, seat_, spec_, rules_, *parts_.stop);
      RETURN_IF_ERROR(bot->Begin());
    }
    if (*parts_.stop) return absl::CancelledError("interrupted");
    const bool is_turn =
        turn->is_yours && !followed_.is_over() && followed_.state().to_move() == seat_;
    if (is_turn) RETURN_IF_ERROR(TakeTurn(*bot, TimeLeft(*turn)));
  }
}

absl::Status TablePlayer::Follow() {
  ASSIGN_OR_RETURN(const TableEvents news,
                   parts_.client->Events(taken_.table, followed_.event_count()));
  const int64_t forced = followed_.forced(seat_);
  for (const nlohmann::json& event : news.events) RETURN_IF_ERROR(followed_.Apply(event));
  const std::optional<Seat> seat = followed_.FindSeat(taken_.seat);
  if (!seat) return absl::DataLossError("the game has no seat " + Quote(taken_.seat));
  seat_ = *seat;
  if (followed_.forced(seat_) > forced) {
    parts_.log(
        absl::StrFormat("table %s: the arena has played a random move for this seat", game_.table));
  }
  return absl::OkStatus();
}

absl::Status TablePlayer::TakeTurn(SeatedBot& bot, milliseconds left) {
  std::optional<Decision> decision;
  if (!bot.fault()) decision = bot.Ask(left);
  if (*parts_.stop) return absl::CancelledError("interrupted");
  if (!decision) {
    game_.fault = bot.fault();
    return ResignSeat();
  }
  switch (decision->kind) {
    case Decision::Kind::kResign:
      game_.has_resigned = true;
      return ResignSeat();
    case Decision::Kind::kClaimDraw: {
      const absl::Status claimed = parts_.client->Claim(taken_.token);
      // The game may have changed in the meantime, or the answer to the first try was lost.
      return absl::IsFailedPrecondition(claimed) ? absl::OkStatus() : claimed;
    }
    default:
      return SendMove(
          followed_.state().MoveToString(followed_.state().LegalMoves(), decision->move));
  }
}

absl::Status TablePlayer::SendMove(const std::string& move) {
  const int64_t ply = followed_.plies();
  const absl::Status sent = parts_.client->Move(taken_.token, move, ply);
  if (sent.ok()) return sent;
  // Perhaps the move came too late, the seat is lost or the game is over: the next turn says so. Or
  // another seat has resigned since the bot was asked, which changes the legal moves.
  const bool is_refused = absl::IsAborted(sent) || absl::IsPermissionDenied(sent) ||
                          absl::IsFailedPrecondition(sent) || absl::IsInvalidArgument(sent);
  refusals_ = ply == refused_ply_ ? refusals_ + 1 : 1;
  refused_ply_ = ply;
  if (is_refused && refusals_ < kRefusalsMax) return absl::OkStatus();
  return absl::Status(sent.code(), absl::StrFormat("the move %s at ply %d: %s", move, ply,
                                                   std::string(sent.message())));
}

absl::Status TablePlayer::ResignSeat() {
  is_out_ = true;
  const absl::Status resigned = parts_.client->Resign(taken_.token);
  // Of a seat that is out, or of a game that is over.
  const bool is_done = absl::IsFailedPrecondition(resigned) || absl::IsPermissionDenied(resigned);
  return is_done ? absl::OkStatus() : resigned;
}

void TablePlayer::NoteGame() {
  if (followed_.event_count() == 0) return;
  game_.number = seat_;
  game_.seats = followed_.info().seats;
  for (size_t i = 0; i < game_.seats; ++i) game_.players[SeatAt(i)] = followed_.player(SeatAt(i));
  game_.has_begun = followed_.has_begun();
  if (game_.has_begun) {
    const std::optional<Termination>& ending = followed_.state().endings()[seat_];
    game_.is_forfeited = ending && IsForfeit(*ending);
    game_.plies = followed_.plies();
  }
  game_.forced = followed_.forced(seat_);
  game_.is_lost = followed_.is_replaced(seat_);
}

}  // namespace triarch::arena
