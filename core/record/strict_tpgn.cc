#include "core/record/strict_tpgn.h"

#include <optional>

#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

absl::StatusOr<GameRecord> ReadOneGame(std::string_view tpgn) {
  TpgnReader reader(tpgn);
  const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next();
  if (!game) return absl::InvalidArgumentError("expected a game, not an empty text");
  if (!game->ok()) return game->status();
  return ReplayTpgn(**game);
}

// Replays the events and writes their moves in the canonical form.
absl::Status MakeStrict(GameRecord& record) {
  ASSIGN_OR_RETURN(AnyState state,
                   record.position.empty()
                       ? AnyState::Start(record.game, "", record.draw_rules)
                       : AnyState::Parse(record.game, record.position, record.draw_rules));
  state.JudgeTurn();
  for (RecordedEvent& event : record.events) {
    switch (event.kind) {
      case RecordedEvent::Kind::kMove: {
        const AnyState::Moves moves = state.LegalMoves();
        ASSIGN_OR_RETURN(const size_t number, state.FindMove(moves, event.move));
        event.move = state.MoveToString(moves, number);
        event.is_check = event.is_elimination = false;
        state.Play(moves, number);
        break;
      }
      case RecordedEvent::Kind::kResign:
      case RecordedEvent::Kind::kForfeit:
        state.Eliminate(event.seat, event.why);
        break;
      case RecordedEvent::Kind::kClaimDraw:
        break;  // it ends the game
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ToStrictTpgn(std::string_view tpgn) {
  ASSIGN_OR_RETURN(GameRecord record, ReadOneGame(tpgn));
  RETURN_IF_ERROR(MakeStrict(record));
  return WriteTpgn(record);
}

}  // namespace triarch
