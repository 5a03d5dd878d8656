#include "arena/client/followed_game.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/spec_words.h"

namespace triarch::arena {
namespace {

using nlohmann::json;

// Returns a member that is a text; "" if it is missing or something else.
std::string TextOf(const json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

absl::Status FollowedGame::Apply(const json& event) {
  const std::string kind = event.is_object() ? TextOf(event, "kind") : "";
  const bool is_next = !kind.empty() && event.contains("n") && event["n"] == event_count_ &&
                       (kind == "opened") == (event_count_ == 0);
  if (!is_next) {
    return absl::DataLossError(
        absl::StrFormat("the arena's event %d is not the next one", event_count_));
  }
  if (kind == "opened") {
    RETURN_IF_ERROR(ApplyOpened(event));
  } else if (kind == "joined" || kind == "left" || kind == "replaced") {
    const std::optional<Seat> seat = FindSeat(TextOf(event, "seat"));
    if (!seat) return absl::DataLossError("the arena names a seat that the game does not have");
    players_[*seat] = kind == "left" ? "" : PrintableLine(TextOf(event, "name"));
    is_replaced_[*seat] |= kind == "replaced";
    if (!has_begun()) RETURN_IF_ERROR(BeginIfFull());
  } else {
    RETURN_IF_ERROR(ApplyInGame(kind, event));
  }
  ++event_count_;
  return absl::OkStatus();
}

absl::Status FollowedGame::ApplyOpened(const json& event) {
  spec_.game = TextOf(event, "game");
  ASSIGN_OR_RETURN(info_, FindGame(spec_.game));
  const std::string draws = TextOf(event, "draws");
  const std::optional<Draws> parsed = ParseDraws(draws);
  if (!parsed) return OtherRules("it claims draws in the way " + Quote(draws));
  spec_.draw_rules.draws = *parsed;
  const std::string position = TextOf(event, "position");
  ASSIGN_OR_RETURN(const AnyState usual, AnyState::Start(spec_.game, ""));
  if (position == usual.ToString()) return absl::OkStatus();
  const absl::StatusOr<AnyState> start = AnyState::Parse(spec_.game, position);
  if (!start.ok()) return OtherRules("it starts from the position " + Quote(position, 500));
  spec_.position = start->ToString();
  return absl::OkStatus();
}

absl::Status FollowedGame::BeginIfFull() {
  for (size_t i = 0; i < info_->seats; ++i) {
    if (players_[SeatAt(i)].empty()) return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(PlayedGame game, PlayedGame::Begin(spec_));
  game_.emplace(std::move(game));
  history_.emplace(spec_, state());
  return absl::OkStatus();
}

absl::Status FollowedGame::ApplyInGame(const std::string& kind, const json& event) {
  const std::optional<Seat> seat = FindSeat(TextOf(event, "seat"));
  if (kind == "moved") {
    if (!seat) return absl::DataLossError("the arena names a seat that the game does not have");
    return ApplyMoved(*seat, event);
  }
  if (kind == "resigned" || kind == "forfeited") {
    const std::optional<Termination> why =
        kind == "resigned" ? Termination::kResignation : ParseTermination(TextOf(event, "why"));
    if (!seat || !why || !has_begun() || is_over() || !state().is_in(*seat)) {
      return OtherRules(kind + ": that seat is out");
    }
    game_->Leave(*seat, *why);
    if (!is_over()) history_->BeginAt(state());
    return absl::OkStatus();
  }
  if (kind == "claimed_draw") {
    const bool is_draw = has_begun() && !is_over() && game_->ClaimDraw();
    return is_draw ? absl::OkStatus() : OtherRules("it grants a draw that ours do not");
  }
  // The others do not change the position: missed, wants_rematch, closed, and what is to come.
  return absl::OkStatus();
}

absl::Status FollowedGame::ApplyMoved(Seat seat, const json& event) {
  const std::string move = TextOf(event, "move");
  if (!has_begun() || is_over()) return OtherRules("its game goes on with " + Quote(move));
  if (seat != state().to_move()) return OtherRules("another seat plays " + Quote(move));
  const AnyState::Moves legal = state().LegalMoves();
  const absl::StatusOr<size_t> number = state().FindMove(legal, move);
  if (!number.ok()) return OtherRules("it allows the move " + Quote(move));
  history_->Add(state().MoveToString(legal, *number));
  game_->Play(legal, *number, std::nullopt);
  if (!TextOf(event, "forced").empty()) ++forced_[seat];
  return CheckPosition(TextOf(event, "position"));
}

absl::Status FollowedGame::CheckPosition(std::string_view position) const {
  if (!has_begun()) return absl::OkStatus();
  const std::string ours = state().ToString();
  if (position == ours) return absl::OkStatus();
  return OtherRules("its position is " + Quote(position, 500) + " where ours is " +
                    Quote(ours, 500));
}

absl::Status FollowedGame::OtherRules(const std::string& what) const {
  return absl::FailedPreconditionError(
      absl::StrFormat("the arena plays by other rules than this version of Triarch: after %d "
                      "plies, %s",
                      game_ ? plies() : 0, what));
}

std::optional<Seat> FollowedGame::FindSeat(std::string_view word) const {
  if (info_ == nullptr) return std::nullopt;
  for (size_t i = 0; i < info_->seats; ++i) {
    if (word == absl::AsciiStrToLower(info_->seat_name(SeatAt(i)))) return SeatAt(i);
  }
  return std::nullopt;
}

}  // namespace triarch::arena
