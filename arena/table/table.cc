#include "arena/table/table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn_words.h"

namespace triarch::arena {
namespace {

using Kind = Event::Kind;

Decision Refuse(Refused why, std::string text, int attempts_left = 0) {
  return {.events = {}, .refusal = Refusal{why, std::move(text), attempts_left}};
}

Decision Grant(Event event) { return {.events = {std::move(event)}, .refusal = {}}; }

Event At(Kind kind, Seat seat, int64_t now_ms) {
  return {.kind = kind, .time_ms = now_ms, .seat = seat};
}

absl::Status Corrupt(const Table& table, std::string_view what) {
  return absl::DataLossError(
      absl::StrFormat("table %s, event %d: %s", table.id(), table.event_count(), what));
}

// Returns the index of the first of the texts that names a legal move, or the last one's error.
absl::StatusOr<size_t> FindAnyMove(const AnyState& state, const AnyState::Moves& moves,
                                   const std::vector<std::string>& texts) {
  absl::StatusOr<size_t> found = absl::InvalidArgumentError("no move is given");
  for (const std::string& text : texts) {
    found = state.FindMove(moves, text);
    if (found.ok()) break;
  }
  return found;
}

// Returns whether a ply of a game was the seat's, and the move that one of the texts names.
bool HasPlayed(const AnyState& start, const GameRecord& record, Seat seat, int64_t ply,
               const std::vector<std::string>& texts) {
  AnyState state = start;
  for (const RecordedEvent& event : record.events) {
    if (event.kind == RecordedEvent::Kind::kMove && ply-- == 0) {
      const AnyState::Moves moves = state.LegalMoves();
      const absl::StatusOr<size_t> number = FindAnyMove(state, moves, texts);
      return event.seat == seat && number.ok() &&
             state.MoveToTpgn(moves, *number) == event.move.text();
    }
    if (event.kind == RecordedEvent::Kind::kMove) {
      if (!state.Play(event.move.text()).ok()) return false;
    } else if (event.kind != RecordedEvent::Kind::kClaimDraw) {
      state.Eliminate(event.seat, event.why);
    }
  }
  return false;
}

// Returns the names for the record, which must differ.
PerSeat<std::string> RecordedNames(const PerSeat<std::optional<Occupant>>& occupants,
                                   size_t seats) {
  PerSeat<std::string> names;
  for (size_t i = 0; i < seats; ++i) {
    std::string& name = names[SeatAt(i)];
    name = occupants[SeatAt(i)]->name;
    for (int copy = 2; std::count(names.begin(), names.begin() + i, name) != 0; ++copy) {
      name = absl::StrFormat("%s (%d)", occupants[SeatAt(i)]->name, copy);
    }
  }
  return names;
}

}  // namespace

std::string HouseBotName(std::string_view word, const GameInfo& info, Seat seat) {
  std::string type(word.substr(0, word.find(':')));
  if (!type.empty() && type[0] >= 'a' && type[0] <= 'z') {
    type[0] = static_cast<char>(type[0] - 'a' + 'A');
  }
  return type + "Bot-" + info.seat_name(seat);
}

absl::StatusOr<std::string> CheckName(std::string_view text) {
  const std::string_view name = Trim(text);
  if (name.empty()) return absl::InvalidArgumentError("the name is empty");
  if (!IsPlainText(name) || name.find_first_of("\"\\{}") != std::string_view::npos) {
    return absl::InvalidArgumentError(
        "the name has control characters, quotes, backslashes or braces");
  }
  if (const size_t length = CountCharacters(name); length > kNameMax) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the name has %d characters; expected at most %d", length, kNameMax));
  }
  return std::string(name);
}

// ---- Following events.

absl::StatusOr<Table> Table::Open(std::string id, const Event& opened) {
  if (opened.kind != Kind::kOpened) {
    return absl::DataLossError(
        absl::StrFormat("table %s: its first event is not %s", id, ToString(Kind::kOpened)));
  }
  const TableSettings& settings = opened.settings;
  const DrawRules rules{.draws = settings.draws};
  absl::StatusOr<AnyState> start = settings.position.empty()
                                       ? AnyState::Start(settings.game, "", rules)
                                       : AnyState::Parse(settings.game, settings.position, rules);
  if (!start.ok()) {
    return absl::DataLossError(absl::StrFormat("table %s: %s", id, start.status().message()));
  }
  return Table(std::move(id), settings, *std::move(start), opened.time_ms);
}

absl::Status Table::Apply(const Event& event) {
  const bool may_follow = event.kind == Kind::kWantsRematch || event.kind == Kind::kSaid;
  if (is_over() && !may_follow) return Corrupt(*this, "the game is over");
  if (Index(event.seat) >= seat_count()) return Corrupt(*this, "there is no such seat");
  switch (event.kind) {
    case Kind::kOpened:
      return Corrupt(*this, "it is open");
    case Kind::kJoined:
      RETURN_IF_ERROR(ApplyJoined(event));
      break;
    case Kind::kLeft:
      if (stage_ != Stage::kWaiting || !occupants_[event.seat]) {
        return Corrupt(*this, "nobody can leave");
      }
      lost_tokens_.emplace_back(occupants_[event.seat]->token_hash, event.seat);
      occupants_[event.seat].reset();
      if (player_count() == 0) waiting_since_ms_ = 0;
      break;
    case Kind::kClosed:
      stage_ = Stage::kClosed;
      ended_ms_ = event.time_ms;
      break;
    case Kind::kWantsRematch:
      if (stage_ != Stage::kFinished) return Corrupt(*this, "there is nothing to repeat");
      wants_rematch_[event.seat] = true;
      break;
    case Kind::kSaid:
      if (is_closed() || !occupants_[event.seat]) return Corrupt(*this, "nobody can say that");
      chat_.Add(event, state().move_number(), occupants_[event.seat]->name);
      break;
    default:
      RETURN_IF_ERROR(ApplyDuringGame(event));
  }
  ++event_count_;
  if (event.kind != Kind::kSaid) changed_at_ = event_count_;
  return absl::OkStatus();
}

absl::Status Table::ApplyJoined(const Event& event) {
  if (stage_ != Stage::kWaiting || occupants_[event.seat]) {
    return Corrupt(*this, "the seat is not free");
  }
  occupants_[event.seat] = event.occupant;
  if (waiting_since_ms_ == 0 && !event.occupant.is_house_bot()) waiting_since_ms_ = event.time_ms;
  return is_full() ? Begin(event.time_ms) : absl::OkStatus();
}

absl::Status Table::Begin(int64_t now_ms) {
  GameSpec spec;
  spec.game = settings_.game;
  spec.position = settings_.position;
  spec.seed = settings_.seed;
  spec.draw_rules = {.draws = settings_.draws};
  spec.time_control.movetime_ms = settings_.move_ms;
  const PerSeat<std::string> names = RecordedNames(occupants_, seat_count());
  for (size_t i = 0; i < seat_count(); ++i) spec.seats[SeatAt(i)].name = names[SeatAt(i)];
  ASSIGN_OR_RETURN(PlayedGame game, PlayedGame::Begin(spec));
  game_.emplace(std::move(game));
  stage_ = Stage::kPlaying;
  BeginTurn(now_ms);
  return absl::OkStatus();
}

void Table::BeginTurn(int64_t now_ms) {
  attempts_ = 0;
  turn_since_ms_ = now_ms;
  turn_until_ms_ = now_ms + settings_.move_ms;
}

absl::Status Table::ApplyDuringGame(const Event& event) {
  if (stage_ != Stage::kPlaying) return Corrupt(*this, "the game has not begun");
  const Seat mover = state().to_move();
  switch (event.kind) {
    case Kind::kMoved:
      RETURN_IF_ERROR(ApplyMoved(event));
      break;
    case Kind::kMissed:
      if (event.seat != mover) return Corrupt(*this, "an attempt out of turn");
      ++attempts_;
      return absl::OkStatus();
    case Kind::kResigned:
    case Kind::kForfeited:
      if (!state().is_in(event.seat)) return Corrupt(*this, "the seat is out");
      game_->Leave(event.seat,
                   event.kind == Kind::kResigned ? Termination::kResignation : event.why);
      if (state().to_move() != mover) BeginTurn(event.time_ms);
      break;
    case Kind::kClaimedDraw:
      if (event.seat != mover || !game_->ClaimDraw()) return Corrupt(*this, "there is no draw");
      break;
    default:  // kReplaced
      if (!occupants_[event.seat]) return Corrupt(*this, "the seat is empty");
      lost_tokens_.emplace_back(occupants_[event.seat]->token_hash, event.seat);
      occupants_[event.seat] = event.occupant;
      is_replacement_[event.seat] = true;
      game_->Rename(event.seat, RecordedNames(occupants_, seat_count())[event.seat]);
      if (event.seat == mover) BeginTurn(event.time_ms);
  }
  EndIfOver(event.time_ms);
  return absl::OkStatus();
}

absl::Status Table::ApplyMoved(const Event& event) {
  const AnyState::Moves legal = moves();
  const absl::StatusOr<size_t> number = state().FindMove(legal, event.move);
  if (event.seat != state().to_move() || !number.ok()) return Corrupt(*this, "an illegal move");
  previous_move_ = std::exchange(last_move_, state().MoveToJson(legal, *number));
  chat_.Add(event, state().move_number(), occupants_[event.seat]->name);
  int& timeouts = timeouts_[event.seat];
  timeouts = event.forced == Forced::kTimeout ? timeouts + 1 : 0;
  const int64_t used_ms = std::max<int64_t>(event.time_ms - turn_since_ms_, 0);
  SeatCost& cost = game_->cost(event.seat);
  ++cost.moves;
  cost.time_us += used_ms * 1'000;
  game_->Play(legal, *number, std::nullopt).clock_ms = used_ms;
  if (event.forced != Forced::kNo) game_->NoteFallback();
  BeginTurn(event.time_ms);
  return absl::OkStatus();
}

void Table::EndIfOver(int64_t now_ms) {
  if (!state().outcome()) return;
  stage_ = Stage::kFinished;
  ended_ms_ = now_ms;
}

void Table::NoteRestart(int64_t now_ms) {
  const int64_t grace_until = now_ms + kRestartGraceMs;
  turn_until_ms_ =
      std::clamp(turn_until_ms_, grace_until, now_ms + settings_.move_ms + kRestartGraceMs);
  if (waiting_since_ms_ != 0) waiting_since_ms_ = std::min(waiting_since_ms_, now_ms);
}

// ---- Questions.

std::optional<Table::Holder> Table::FindToken(std::string_view token_hash) const {
  for (size_t i = 0; i < seat_count(); ++i) {
    const std::optional<Occupant>& occupant = occupants_[SeatAt(i)];
    if (occupant && !occupant->is_house_bot() && occupant->token_hash == token_hash) {
      return Holder{.seat = SeatAt(i)};
    }
  }
  for (const auto& [hash, seat] : lost_tokens_) {
    if (hash == token_hash) return Holder{.seat = seat, .is_lost = true};
  }
  return std::nullopt;
}

bool Table::can_claim_draw() const {
  if (stage_ != Stage::kPlaying || settings_.draws == Draws::kAutomatic) return false;
  return AnyState(state()).ClaimDraw();
}

bool Table::is_full() const {
  return std::all_of(occupants_.begin(), occupants_.begin() + seat_count(),
                     [](const auto& occupant) { return occupant.has_value(); });
}

size_t Table::player_count() const {
  return static_cast<size_t>(
      std::count_if(occupants_.begin(), occupants_.end(),
                    [](const auto& occupant) { return occupant && !occupant->is_house_bot(); }));
}

std::optional<int64_t> Table::deadline_ms() const {
  if (stage_ == Stage::kPlaying) {
    if (house_turn()) return std::nullopt;
    return turn_until_ms_;
  }
  if (stage_ != Stage::kWaiting || waiting_since_ms_ == 0) return std::nullopt;
  return waiting_since_ms_ + settings_.fill_ms;
}

std::optional<Seat> Table::house_turn() const {
  if (stage_ != Stage::kPlaying) return std::nullopt;
  const Seat mover = state().to_move();
  if (!occupants_[mover]->is_house_bot()) return std::nullopt;
  return mover;
}

// ---- Decisions.

Decision Table::Join(const JoinRequest& request, int64_t now_ms) const {
  if (stage_ != Stage::kWaiting) return Refuse(Refused::kFull, "the game has begun");
  if (settings_.is_rated && !request.occupant.is_claimed) {
    return Refuse(Refused::kForbidden, "the table is rated; join with the key of an account");
  }
  for (size_t i = 0; i < seat_count(); ++i) {
    const std::optional<Occupant>& other = occupants_[SeatAt(i)];
    if (!other || other->is_house_bot() || !request.occupant.is_claimed || !other->is_claimed) {
      continue;
    }
    if (other->name == request.occupant.name ||
        (settings_.is_rated && !other->owner.empty() && other->owner == request.occupant.owner)) {
      return Refuse(Refused::kForbidden, other->name == request.occupant.name
                                             ? "this player sits at the table"
                                             : "a player of the same owner sits at the table");
    }
  }
  std::vector<Seat> free;
  std::vector<Seat> reserved;
  for (size_t i = 0; i < seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    if (!occupants_[seat]) (settings_.house_bots[seat].empty() ? free : reserved).push_back(seat);
  }
  if (free.empty()) return Refuse(Refused::kFull, "no seat is free");
  const auto wish =
      std::find_first_of(request.wishes.begin(), request.wishes.end(), free.begin(), free.end());
  Event event = At(Kind::kJoined, wish == request.wishes.end() ? free[0] : *wish, now_ms);
  event.occupant = request.occupant;
  Decision decision = Grant(std::move(event));
  if (free.size() > 1) return decision;
  for (const Seat seat : reserved) {
    decision.events.push_back(
        SeatHouseBot(seat, settings_.house_bots[seat], Kind::kJoined, now_ms));
  }
  return decision;
}

Event Table::SeatHouseBot(Seat seat, std::string_view word, Kind kind, int64_t now_ms) const {
  Event event = At(kind, seat, now_ms);
  // In the ratings, a bot is the same bot in every seat.
  event.occupant = {
      .name = settings_.is_rated ? std::string(word) : HouseBotName(word, info(), seat),
      .type = PlayerType::kBot,
      .house_bot = std::string(word)};
  return event;
}

Decision Table::Fill(const std::vector<std::string>& house_bots, int64_t now_ms) const {
  Decision decision;
  size_t next = 0;
  if (stage_ != Stage::kWaiting) return decision;
  for (size_t i = 0; i < seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    if (occupants_[seat]) continue;
    const std::string& reserved = settings_.house_bots[seat];
    const std::string& word =
        reserved.empty() ? house_bots[std::min(next++, house_bots.size() - 1)] : reserved;
    decision.events.push_back(SeatHouseBot(seat, word, Kind::kJoined, now_ms));
  }
  return decision;
}

std::optional<Refusal> Table::CheckPlaying(const Holder& holder) const {
  if (holder.is_lost) return Refusal{Refused::kSeatLost, "the seat is no longer yours"};
  if (stage_ == Stage::kWaiting) {
    return Refusal{Refused::kNotStarted, "the game has not begun"};
  }
  if (is_over()) return Refusal{Refused::kGameOver, "the game is over"};
  return std::nullopt;
}

std::optional<Refusal> Table::CheckTurn(const Holder& holder) const {
  if (std::optional<Refusal> refusal = CheckPlaying(holder)) return refusal;
  if (holder.seat == state().to_move()) return std::nullopt;
  const bool is_in = state().is_in(holder.seat);
  return Refusal{Refused::kNotYourTurn,
                 is_in ? absl::StrFormat("it is %s's turn", info().seat_name(state().to_move()))
                       : std::string("you are out of the game")};
}

Decision Table::Move(const Holder& holder, const MoveRequest& request, int64_t now_ms) const {
  if (!holder.is_lost && request.ply && game_ && *request.ply >= 0 && *request.ply < plies() &&
      HasPlayed(start_, game_->record(), holder.seat, *request.ply, request.texts)) {
    return {};
  }
  if (std::optional<Refusal> refusal = CheckTurn(holder)) {
    return {.events = {}, .refusal = std::move(refusal)};
  }
  if (request.ply && *request.ply != plies()) {
    return Refuse(Refused::kStale, absl::StrFormat("the ply is %d, not %d", plies(), *request.ply));
  }
  if (request.move_number && *request.move_number != state().move_number()) {
    return Refuse(Refused::kStale, absl::StrFormat("the move number is %d, not %d",
                                                   state().move_number(), *request.move_number));
  }
  const absl::StatusOr<std::string> message = CheckMessage(request.message);
  if (!message.ok()) return Refuse(Refused::kInvalid, std::string(message.status().message()));
  const AnyState::Moves legal = moves();
  const absl::StatusOr<size_t> number = FindAnyMove(state(), legal, request.texts);
  if (number.ok()) {
    Event event = At(Kind::kMoved, holder.seat, now_ms);
    event.move = state().MoveToTpgn(legal, *number);
    event.message = *message;
    return Grant(std::move(event));
  }
  const int left = kAttemptsMax - attempts_ - 1;
  Decision decision =
      Refuse(Refused::kIllegalMove, std::string(number.status().message()), std::max(left, 0));
  if (left > 0) {
    Event event = At(Kind::kMissed, holder.seat, now_ms);
    event.move = Quote(request.texts.empty() ? "" : request.texts[0]);
    decision.events.push_back(std::move(event));
  } else {
    decision.events.push_back(ForceMove(Forced::kIllegalMoves, now_ms));
    decision.refusal->text += "; a random move was played";
  }
  return decision;
}

Event Table::ForceMove(Forced why, int64_t now_ms) const {
  Random random(DeriveSeed(settings_.seed, static_cast<uint64_t>(event_count_)));
  const AnyState::Moves legal = moves();
  const size_t number = random.Below(static_cast<uint32_t>(legal.size()));
  Event event = At(Kind::kMoved, state().to_move(), now_ms);
  event.move = state().MoveToTpgn(legal, number);
  event.forced = why;
  return event;
}

Decision Table::Resign(const Holder& holder, int64_t now_ms) const {
  if (holder.is_lost) return Refuse(Refused::kSeatLost, "the seat is no longer yours");
  if (stage_ == Stage::kWaiting) {
    Decision decision = Grant(At(Kind::kLeft, holder.seat, now_ms));
    if (player_count() == 1) decision.events.push_back({.kind = Kind::kClosed, .time_ms = now_ms});
    return decision;
  }
  if (is_over() || !state().is_in(holder.seat)) return {};
  return Grant(At(Kind::kResigned, holder.seat, now_ms));
}

Decision Table::ClaimDraw(const Holder& holder, int64_t now_ms) const {
  if (std::optional<Refusal> refusal = CheckTurn(holder)) {
    return {.events = {}, .refusal = std::move(refusal)};
  }
  if (!can_claim_draw()) return Refuse(Refused::kForbidden, "no draw can be claimed");
  return Grant(At(Kind::kClaimedDraw, holder.seat, now_ms));
}

Decision Table::WantRematch(const Holder& holder, int64_t now_ms) const {
  if (holder.is_lost) return Refuse(Refused::kSeatLost, "the seat is no longer yours");
  if (stage_ != Stage::kFinished) {
    return Refuse(Refused::kForbidden, "there is no rematch before the end of the game");
  }
  if (wants_rematch_[holder.seat]) return {};
  return Grant(At(Kind::kWantsRematch, holder.seat, now_ms));
}

Decision Table::Say(const Holder& holder, std::string_view message, int64_t now_ms) const {
  if (holder.is_lost) return Refuse(Refused::kSeatLost, "the seat is no longer yours");
  if (is_closed()) return Refuse(Refused::kGameOver, "the table is closed");
  const absl::StatusOr<std::string> text = chat_.Check(holder.seat, message);
  if (!text.ok()) {
    return Refuse(
        absl::IsResourceExhausted(text.status()) ? Refused::kForbidden : Refused::kInvalid,
        std::string(text.status().message()));
  }
  if (text->empty()) return {};
  Event event = At(Kind::kSaid, holder.seat, now_ms);
  event.message = *text;
  return Grant(std::move(event));
}

Decision Table::Close(int64_t now_ms) const {
  if (is_over()) return {};
  return Grant({.kind = Kind::kClosed, .time_ms = now_ms});
}

Decision Table::OnDeadline(const std::vector<std::string>& house_bots, int64_t now_ms) const {
  const std::optional<int64_t> deadline = deadline_ms();
  if (!deadline || now_ms < *deadline) return {};
  if (stage_ == Stage::kWaiting) {
    return settings_.is_private ? Close(now_ms) : Fill(house_bots, now_ms);
  }
  const Seat mover = state().to_move();
  if (timeouts_[mover] + 1 < kTimeoutsMax) return Grant(ForceMove(Forced::kTimeout, now_ms));
  if (settings_.is_rated) {
    Event event = At(Kind::kForfeited, mover, now_ms);
    event.why = Termination::kTimeForfeit;
    return Grant(std::move(event));
  }
  Decision decision = Grant(SeatHouseBot(mover, house_bots.at(0), Kind::kReplaced, now_ms));
  // House bots do not play on among themselves.
  if (player_count() == 1) decision.events.push_back({.kind = Kind::kClosed, .time_ms = now_ms});
  return decision;
}

Decision Table::MoveHouseBot(int64_t asked_at, std::optional<size_t> move, int64_t now_ms) const {
  const std::optional<Seat> seat = house_turn();
  if (!seat || asked_at != changed_at_) return Refuse(Refused::kStale, "the game has gone on");
  if (!move) return Grant(At(Kind::kResigned, *seat, now_ms));
  const AnyState::Moves legal = moves();
  if (*move >= legal.size()) return Refuse(Refused::kIllegalMove, "no such move");
  Event event = At(Kind::kMoved, *seat, now_ms);
  event.move = state().MoveToTpgn(legal, *move);
  return Grant(std::move(event));
}

}  // namespace triarch::arena
