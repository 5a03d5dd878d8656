#include "core/record/played_game.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/record/odds.h"
#include "core/record/time_control_tag.h"
#include "core/record/tpgn_words.h"
#include "core/text.h"

namespace triarch {
namespace {

static_assert(kMoveTextMax <= RecordedMove::kBytesMax);

// A game's list of events grows by this many or by a quarter, whichever is more. Doubling would
// waste memory in each of a worker's many games.
constexpr size_t kEventsMore = 64;

RecordedEvent& Append(std::vector<RecordedEvent>* events) {
  if (events->size() == events->capacity()) {
    events->reserve(events->size() + std::max(kEventsMore, events->size() / 4));
  }
  return events->emplace_back();
}

template <Position P>
size_t CountSurvivors(const P& position) {
  size_t count = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) count += position.is_in(SeatAt(i)) ? 1 : 0;
  return count;
}

template <Position P>
bool IsOpponentInCheck(const P& position, Seat seat) {
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (SeatAt(i) != seat && position.in_check(SeatAt(i))) return true;
  }
  return false;
}

absl::StatusOr<AnyState> StartState(const GameSpec& spec) {
  ASSIGN_OR_RETURN(AnyState state,
                   spec.position.empty()
                       ? AnyState::Start(spec.game, "", spec.draw_rules)
                       : AnyState::Parse(spec.game, spec.position, spec.draw_rules));
  if (state.outcome() || state.LegalMoves().size() == 0) {
    return absl::InvalidArgumentError("the start position has no legal move");
  }
  return state;
}

GameRecord MakeRecord(const GameSpec& spec, const AnyState& state) {
  GameRecord record;
  record.index = spec.index;
  record.match = spec.match;
  record.game = state.info().name;
  // Replaying the game on another day must yield the same record.
  record.date = tpgn::kUnknownDate;
  record.time_control = TimeControlTag(spec.time_control);
  record.seed = spec.seed;
  for (size_t i = 0; i < state.info().seats; ++i) {
    const BotSpec& bot = spec.seats[SeatAt(i)];
    record.bots[SeatAt(i)] = bot.name;
    const std::string tag = TimeControlTag(TimeControlOf(spec.time_control, bot));
    if (tag != record.time_control) record.time_controls[SeatAt(i)] = tag;
  }
  if (!spec.position.empty()) {
    record.position = state.ToString();
    record.first_round = state.move_number();
  }
  record.draw_rules = spec.draw_rules;
  return record;
}

// Describes the move that `play` plays. Writes its text unless it is given.
template <class Play>
void Describe(const AnyState::Moves& moves, size_t number, std::string_view text,
              const AnyState* state, RecordedEvent* event, Play play) {
  event->kind = RecordedEvent::Kind::kMove;
  size_t survivors = 0;
  state->Visit([&]<class P>(const GameState<P>& game) {
    event->seat = game.position().to_move();
    event->move = text;
    if (text.empty()) {
      event->move = RecordedMove::Written(
          [&](char* to) { return WriteTpgn(game.position(), moves.As<P>()[number], to); });
    }
    survivors = CountSurvivors(game.position());
  });
  play();
  state->Visit([&](const auto& game) {
    event->is_elimination = CountSurvivors(game.position()) != survivors;
    event->is_check = !event->is_elimination && IsOpponentInCheck(game.position(), event->seat);
  });
}

}  // namespace

void PlayRecorded(const AnyState::Moves& moves, size_t number, AnyState* state,
                  RecordedEvent* event) {
  Describe(moves, number, "", state, event, [&] { state->Play(moves, number); });
}

absl::StatusOr<PlayedGame> PlayedGame::Begin(const GameSpec& spec) {
  ASSIGN_OR_RETURN(AnyState state, StartState(spec));
  return PlayedGame(spec, std::move(state));
}

PlayedGame::PlayedGame(const GameSpec& spec, AnyState state)
    : adjudicator_(spec.adjudication), record_(MakeRecord(spec, state)), state_(std::move(state)) {}

absl::Status PlayedGame::PlayOpening(const std::vector<std::string>& opening) {
  for (size_t i = 0; i < opening.size(); ++i) {
    const AnyState::Moves moves = state_.LegalMoves();
    const absl::StatusOr<size_t> number = state_.FindMove(moves, opening[i]);
    if (!number.ok()) {
      return absl::InvalidArgumentError(absl::StrFormat("move %d of the opening: %s", i + 1,
                                                        std::string(number.status().message())));
    }
    Play(moves, *number, std::nullopt);
  }
  record_.opening_plies = record_.plies;
  return absl::OkStatus();
}

RecordedEvent& PlayedGame::Play(const AnyState::Moves& moves, size_t number,
                                const std::optional<PerSeat<double>>& eval, std::string_view text) {
  RecordedEvent& event = Append(&record_.events);
  Describe(moves, number, text, &state_, &event, [&] { state_.Play(moves, number); });
  AddPly(event, eval);
  return event;
}

RecordedEvent& PlayedGame::PlayAndList(AnyState::Moves& moves, size_t number,
                                       const std::optional<PerSeat<double>>& eval) {
  RecordedEvent& event = Append(&record_.events);
  Describe(moves, number, "", &state_, &event, [&] { state_.PlayAndList(moves, number); });
  AddPly(event, eval);
  return event;
}

void PlayedGame::AddPly(RecordedEvent& event, const std::optional<PerSeat<double>>& eval) {
  event.eval = eval;
  ++record_.plies;
  if (const std::optional<EarlyEnd> end = adjudicator_.AddPly(state_, eval)) End(*end);
}

void PlayedGame::NoteFallback() {
  record_.events.back().is_fallback = true;
  ++record_.fallbacks;
}

void PlayedGame::NoteInfo(MoveInfo info) {
  if (info.is_empty()) return;
  info.ply = record_.plies - 1;
  record_.infos.push_back(std::move(info));
}

void PlayedGame::Leave(Seat seat, Termination why) {
  RecordedEvent& event = AddEvent(why == Termination::kResignation ? RecordedEvent::Kind::kResign
                                                                   : RecordedEvent::Kind::kForfeit,
                                  seat);
  event.why = why;
  state_.Eliminate(seat, why);
}

bool PlayedGame::ClaimDraw() {
  const Seat seat = state_.to_move();
  if (!state_.ClaimDraw()) return false;
  AddEvent(RecordedEvent::Kind::kClaimDraw, seat);
  return true;
}

GameRecord PlayedGame::TakeRecord() && {
  DCHECK(state_.outcome());
  record_.is_finished = true;
  record_.outcome = *state_.outcome();
  record_.endings = state_.endings();
  return std::move(record_);
}

RecordedEvent& PlayedGame::AddEvent(RecordedEvent::Kind kind, Seat seat) {
  RecordedEvent& event = Append(&record_.events);
  event.kind = kind;
  event.seat = seat;
  return event;
}

void PlayedGame::End(const EarlyEnd& end) {
  if (end.winner) {
    state_.AdjudicateWin(*end.winner, end.why);
  } else {
    state_.Adjudicate(end.why);
  }
}

}  // namespace triarch
