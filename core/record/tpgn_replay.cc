// Plays parsed TPGN games by the rules and checks their tags.

#include <algorithm>

#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/played_game.h"
#include "core/record/spec_words.h"
#include "core/record/tpgn.h"
#include "core/record/tpgn_words.h"

namespace triarch {
namespace {

using ItemKind = TpgnItem::Kind;

absl::Status TagError(std::string_view tag, const std::string& message) {
  return absl::InvalidArgumentError("tag " + std::string(tag) + ": " + message);
}

// Returns the game of the Variant tag, or the default game if there is no such tag.
absl::StatusOr<const GameInfo*> FindVariant(const TpgnGame& game) {
  const std::optional<std::string_view> variant = game.tag("Variant");
  if (!variant) return FindGame("");
  std::string known;
  for (const GameInfo* info : AllGames()) {
    if (info->variant == *variant) return info;
    known += known.empty() ? "" : ", ";
    known += info->variant;
  }
  return TagError("Variant", "unknown " + Quote(*variant) + "; known: " + known);
}

// Reads a tag that contains a count; 0 if absent.
absl::StatusOr<uint64_t> ReadCount(const TpgnGame& game, std::string_view name) {
  const std::optional<std::string_view> text = game.tag(name);
  if (!text) return uint64_t{0};
  const std::optional<uint64_t> value = ParseUint64(*text);
  if (!value) return TagError(name, "expected a number, not " + Quote(*text));
  return *value;
}

// Reads "3.17": match and game, counted from 1. Other events number their rounds differently.
void ReadRound(std::string_view text, GameRecord* record) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return;
  const std::optional<int64_t> match = ParseInt64(text.substr(0, dot));
  const std::optional<int64_t> number = ParseInt64(text.substr(dot + 1));
  if (!match || !number || *match < 1 || *number < 1) return;
  record->match = *match - 1;
  record->index = *number - 1;
}

absl::Status ReadStart(const TpgnGame& game, GameRecord* record) {
  const std::optional<std::string_view> fen = game.tag("FEN");
  const std::optional<std::string_view> set_up = game.tag("SetUp");
  if (set_up && *set_up != "0" && *set_up != "1") {
    return TagError("SetUp", "expected 0 or 1, not " + Quote(*set_up));
  }
  if (set_up && (*set_up == "1") != fen.has_value()) {
    return TagError("SetUp", fen ? "0, but there is a FEN" : "1, but there is no FEN");
  }
  if (fen && fen->empty()) return TagError("FEN", "it is empty");
  record->position = fen.value_or("");
  return absl::OkStatus();
}

absl::Status ReadDrawRules(const TpgnGame& game, const GameInfo& info, GameRecord* record) {
  const std::string_view draws = game.tag("Draws").value_or(ToString(Draws::kAutomatic));
  const std::optional<Draws> parsed = ParseDraws(draws);
  if (!parsed) {
    return TagError("Draws", "expected automatic or claimed, not " + Quote(draws));
  }
  record->draw_rules.draws = *parsed;
  const std::string_view material = game.tag("InsufficientMaterial").value_or(OnOff(false));
  const std::optional<bool> is_on = ParseOnOff(material);
  if (!is_on) {
    return TagError("InsufficientMaterial", "expected on or off, not " + Quote(material));
  }
  if (*is_on && !info.has_material_option) {
    return TagError("InsufficientMaterial", "it is not an option of " + std::string(info.variant) +
                                                ", whose rules decide it");
  }
  record->draw_rules.insufficient_material = *is_on;
  return absl::OkStatus();
}

// Reads all tags except those about the ending.
absl::StatusOr<GameRecord> ReadTags(const TpgnGame& game, const GameInfo& info) {
  GameRecord record;
  record.game = info.name;
  record.event = game.tag("Event").value_or("");
  record.date = game.tag("Date").value_or("");
  record.time_control = game.tag("TimeControl").value_or("");
  ReadRound(game.tag("Round").value_or(""), &record);
  for (size_t i = 0; i < info.seats; ++i) {
    const Seat seat = SeatAt(i);
    record.bots[seat] = game.tag(info.seat_names[i]).value_or(tpgn::kUnknown);
    record.time_controls[seat] = game.tag(tpgn::TimeControlTagOf(info, seat)).value_or("");
  }
  ASSIGN_OR_RETURN(record.seed, ReadCount(game, "Seed"));
  RETURN_IF_ERROR(ReadStart(game, &record));
  RETURN_IF_ERROR(ReadDrawRules(game, info, &record));
  return record;
}

absl::StatusOr<AnyState> StartOf(const GameRecord& record) {
  if (record.position.empty()) return AnyState::Start(record.game, "", record.draw_rules);
  absl::StatusOr<AnyState> state = AnyState::Parse(record.game, record.position, record.draw_rules);
  if (!state.ok()) return TagError("FEN", std::string(state.status().message()));
  return state;
}

// Returns the text after "[%name " up to the bracket.
std::optional<std::string_view> FindAnnotation(std::string_view comment, std::string_view opening) {
  const size_t begin = comment.find(opening);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = comment.substr(begin + opening.size());
  const size_t end = rest.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  return Trim(rest.substr(0, end));
}

// Returns the text after the annotations in brackets.
std::string_view WithoutAnnotations(std::string_view comment) {
  const size_t bracket = comment.rfind(']');
  return Trim(bracket == std::string_view::npos ? comment : comment.substr(bracket + 1));
}

// Parses "0:00:01.2"; returns nullopt if it is not a clock time.
std::optional<int64_t> ParseClock(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const std::optional<int64_t> hours = ParseInt64(parts[0]);
  const std::optional<int64_t> minutes = ParseInt64(parts[1]);
  const std::optional<double> seconds = ParseDouble(parts[2]);
  if (!hours || !minutes || !seconds) return std::nullopt;
  if (*hours < 0 || *hours > 9999 || *minutes < 0 || *minutes > 59) return std::nullopt;
  if (*seconds < 0 || *seconds >= 60) return std::nullopt;
  return (*hours * 60 + *minutes) * 60'000 + static_cast<int64_t>(*seconds * 1000 + 0.5);
}

std::optional<PerSeat<double>> ParseEval(std::string_view text, size_t seats) {
  const std::vector<std::string_view> parts = Split(text, ',');
  if (parts.size() != seats) return std::nullopt;
  PerSeat<double> eval;
  for (size_t i = 0; i < seats; ++i) {
    const std::optional<double> share = ParseDouble(parts[i]);
    if (!share) return std::nullopt;
    eval[SeatAt(i)] = *share;
  }
  return eval;
}

// A game during replay: the position, and the slot of the next item of the movetext.
class TpgnReplay {
 public:
  TpgnReplay(const GameInfo& info, GameRecord record, AnyState state)
      : info_(info), record_(std::move(record)), state_(std::move(state)) {
    round_ = record_.first_round = state_.move_number();
    state_.JudgeTurn();
  }

  absl::Status Take(const TpgnItem& item);
  absl::StatusOr<GameRecord> Finish(const TpgnGame& game) &&;

 private:
  std::string SeatName(Seat seat) const { return info_.seat_name(seat); }
  absl::Status ErrorAt(Seat seat, const std::string& message) const {
    return absl::InvalidArgumentError("move " + std::to_string(round_) + ", " + SeatName(seat) +
                                      ": " + message);
  }
  absl::Status ErrorHere(const std::string& message) const {
    return ErrorAt(SeatAt(slot_), message);
  }

  absl::Status TakeMove(const TpgnItem& item);
  absl::Status TakeSkip(const TpgnItem& item);
  absl::Status TakeUnrecorded(const TpgnItem& item);
  absl::Status TakeComment(const TpgnItem& item);
  absl::Status TakeEvent(Seat seat, std::string_view what);
  absl::Status TakeForfeit(Seat seat, std::string_view word);
  absl::Status TakeClaim(Seat seat);
  void TakeInfo(std::string_view comment);
  void TakeAnnotation(std::string_view comment);
  void Note(RecordedEvent::Kind kind, Seat seat, Termination why);

  absl::Status CheckNumber(const TpgnItem& item) const;
  absl::Status CheckSuffix(char suffix, const RecordedEvent& event) const;
  absl::Status CheckTag(const TpgnGame& game, std::string_view name,
                        const std::string& by_rules) const;
  absl::Status CheckEnding(const TpgnGame& game) const;
  absl::Status CheckEndings(const TpgnGame& game) const;
  absl::Status CheckCounts(const TpgnGame& game);
  absl::Status Adjudicate(const TpgnGame& game, Termination why);
  void GoOn();

  const GameInfo& info_;
  GameRecord record_;
  AnyState state_;
  int64_t round_ = 1;
  size_t slot_ = 0;
  bool is_rest_unrecorded_ = false;
};

absl::Status TpgnReplay::Take(const TpgnItem& item) {
  switch (item.kind) {
    case ItemKind::kMove:
      return TakeMove(item);
    case ItemKind::kSkip:
      return TakeSkip(item);
    case ItemKind::kUnrecorded:
      return TakeUnrecorded(item);
    case ItemKind::kComment:
      return TakeComment(item);
  }
  return absl::OkStatus();
}

// Checks that a number matches the slot. Without numbers, slots simply follow each other.
absl::Status TpgnReplay::CheckNumber(const TpgnItem& item) const {
  if (item.slot != 0 || item.round == 0) return absl::OkStatus();
  if (slot_ == 0 && item.round == round_) return absl::OkStatus();
  return ErrorHere("expected " + std::string(slot_ == 0 ? "this number" : "a move or \"--\"") +
                   ", not number " + std::to_string(item.round));
}

absl::Status TpgnReplay::TakeMove(const TpgnItem& item) {
  if (is_rest_unrecorded_) return ErrorHere("there is a move after \"...\"");
  RETURN_IF_ERROR(CheckNumber(item));
  if (state_.outcome()) return ErrorHere("there is a move after the end of the game");
  const Seat mover = state_.to_move();
  if (Index(mover) != slot_) {
    return ErrorHere("there is a move, but " + SeatName(mover) + " is to move");
  }
  const AnyState::Moves moves = state_.LegalMoves();
  const absl::StatusOr<size_t> number = state_.FindMove(moves, item.text);
  if (!number.ok()) return ErrorHere(std::string(number.status().message()));
  RecordedEvent event;
  PlayRecorded(moves, *number, &state_, &event);
  RETURN_IF_ERROR(CheckSuffix(item.suffix, event));
  record_.events.push_back(std::move(event));
  ++record_.plies;
  // With two seats no slot is skipped: two consecutive moves of one seat share a slot.
  const bool shares_slot =
      info_.seats == 2 && !state_.outcome() && Index(state_.to_move()) == slot_;
  if (!shares_slot) GoOn();
  return absl::OkStatus();
}

// A mate is a check too, so "+" is accepted for it.
absl::Status TpgnReplay::CheckSuffix(char suffix, const RecordedEvent& event) const {
  if (suffix == '+' && !event.is_check && !event.is_elimination) {
    return ErrorHere("\"+\" after " + std::string(event.move) + ", but no opponent is in check");
  }
  if (suffix == '#' && !event.is_elimination) {
    return ErrorHere("\"#\" after " + std::string(event.move) + ", but no seat was eliminated");
  }
  return absl::OkStatus();
}

absl::Status TpgnReplay::TakeSkip(const TpgnItem& item) {
  if (is_rest_unrecorded_) return ErrorHere("there is \"" + item.text + "\" after \"...\"");
  RETURN_IF_ERROR(CheckNumber(item));
  const bool is_due =
      !state_.outcome() && Index(state_.to_move()) == slot_ && round_ >= state_.move_number();
  if (is_due) return ErrorHere("there is \"" + item.text + "\", but it is this player's turn");
  GoOn();
  return absl::OkStatus();
}

absl::Status TpgnReplay::TakeUnrecorded(const TpgnItem& item) {
  is_rest_unrecorded_ = true;
  return CheckNumber(item);
}

absl::Status TpgnReplay::TakeComment(const TpgnItem& item) {
  const std::string_view text = item.text;
  for (size_t i = 0; i < info_.seats; ++i) {
    const std::string_view name = info_.seat_names[i];
    if (text.starts_with(name)) return TakeEvent(SeatAt(i), text.substr(name.size()));
  }
  TakeAnnotation(text);
  return absl::OkStatus();
}

// Executes the event in a comment. `what` is the text after the seat's name; if it is not an event,
// the comment is free text.
absl::Status TpgnReplay::TakeEvent(Seat seat, std::string_view what) {
  const bool is_forfeit = what.starts_with(tpgn::kForfeits);
  const bool is_resignation = what == tpgn::kResigns;
  const bool is_claim = what == tpgn::kClaimsDraw;
  if (is_rest_unrecorded_ || !(is_forfeit || is_resignation || is_claim)) {
    return absl::OkStatus();
  }
  if (state_.outcome()) {
    // The match may have claimed the same draw automatically.
    const Termination end = state_.outcome()->termination;
    const bool is_claimable = end == Termination::kThreefoldRepetition ||
                              end == Termination::kSeventyFiveMoves ||
                              end == Termination::kFiftyMoves;
    if (is_claim && is_claimable) return absl::OkStatus();
    return ErrorAt(seat, "the comment follows the end of the game");
  }
  if (!state_.is_in(seat)) return ErrorAt(seat, "this player is already out");
  if (is_claim) return TakeClaim(seat);
  if (is_forfeit) return TakeForfeit(seat, what.substr(tpgn::kForfeits.size()));
  state_.Eliminate(seat, Termination::kResignation);
  Note(RecordedEvent::Kind::kResign, seat, Termination::kResignation);
  return absl::OkStatus();
}

absl::Status TpgnReplay::TakeForfeit(Seat seat, std::string_view word) {
  const std::optional<Termination> why = tpgn::ParseForfeitWord(word);
  if (!why) {
    return ErrorAt(seat, "expected forfeits: time, illegal_move or crash, not " + Quote(word));
  }
  state_.Eliminate(seat, *why);
  Note(RecordedEvent::Kind::kForfeit, seat, *why);
  return absl::OkStatus();
}

absl::Status TpgnReplay::TakeClaim(Seat seat) {
  if (seat != state_.to_move()) {
    return ErrorAt(seat,
                   "a draw is claimed out of turn; " + SeatName(state_.to_move()) + " is to move");
  }
  if (!state_.ClaimDraw()) return ErrorAt(seat, "there is no draw to claim");
  Note(RecordedEvent::Kind::kClaimDraw, seat, Termination::kResignation);
  return absl::OkStatus();
}

void TpgnReplay::Note(RecordedEvent::Kind kind, Seat seat, Termination why) {
  RecordedEvent& event = record_.events.emplace_back();
  event.kind = kind;
  event.seat = seat;
  event.why = why;
}

// Adds what the bot said about the last move. Its line is not played: that was done when the game
// was recorded.
void TpgnReplay::TakeInfo(std::string_view comment) {
  std::vector<MoveInfo>& infos = record_.infos;
  const int64_t ply = record_.plies - 1;
  const bool has_some = !infos.empty() && infos.back().ply == ply;
  MoveInfo info = has_some ? infos.back() : MoveInfo{.ply = ply};
  const auto number = [&](std::string_view opening, int64_t* to) {
    if (const auto text = FindAnnotation(comment, opening)) *to = ParseInt64(*text).value_or(0);
  };
  number(tpgn::kDepth, &info.depth);
  number(tpgn::kNodes, &info.nodes);
  if (const auto line = FindAnnotation(comment, tpgn::kLine)) info.line = *line;
  if (const auto explanation = FindAnnotation(comment, tpgn::kExplanation)) {
    info.explanation = tpgn::FromAnnotation(*explanation);
  }
  Sanitize(&info);
  if (info.is_empty()) return;
  if (has_some) infos.pop_back();
  infos.push_back(std::move(info));
}

// Clocks, scores and infos belong to the preceding move. Everything else is free text.
void TpgnReplay::TakeAnnotation(std::string_view comment) {
  if (is_rest_unrecorded_ || record_.events.empty()) return;
  RecordedEvent& event = record_.events.back();
  if (event.kind != RecordedEvent::Kind::kMove) return;
  for (const std::string_view opening : {"[%emt ", "[%clk "}) {
    if (const auto clock = FindAnnotation(comment, opening)) event.clock_ms = ParseClock(*clock);
  }
  if (const auto eval = FindAnnotation(comment, "[%eval ")) {
    event.eval = ParseEval(*eval, info_.seats);
  }
  TakeInfo(comment);
  if (!event.is_fallback && WithoutAnnotations(comment) == tpgn::kFallback) {
    event.is_fallback = true;
    ++record_.fallbacks;
  }
}

void TpgnReplay::GoOn() {
  if (++slot_ < info_.seats) return;
  slot_ = 0;
  ++round_;
}

absl::Status TpgnReplay::CheckTag(const TpgnGame& game, std::string_view name,
                                  const std::string& by_rules) const {
  const std::optional<std::string_view> value = game.tag(name);
  if (!value || *value == by_rules) return absl::OkStatus();
  return TagError(name, "it says " + Quote(*value) + ", but the rules say " + Quote(by_rules));
}

// Requires: the game is over.
absl::Status TpgnReplay::CheckEnding(const TpgnGame& game) const {
  const Outcome& outcome = *state_.outcome();
  const std::string result = ResultText(outcome.place, info_.seats);
  if (game.result != result) {
    return TagError("Result",
                    "it says " + Quote(game.result) + ", but the rules say " + Quote(result));
  }
  RETURN_IF_ERROR(CheckTag(game, "Termination", std::string(ToString(outcome.termination))));
  RETURN_IF_ERROR(CheckTag(game, "Placement", PlacementText(outcome.place, info_.seats)));
  return CheckEndings(game);
}

// The rules decide how a seat was eliminated and whether one won alone. For the others (seats that
// share a draw, or were out before the start), writers use different words.
absl::Status TpgnReplay::CheckEndings(const TpgnGame& game) const {
  const std::optional<std::string_view> value = game.tag("Endings");
  if (!value) return absl::OkStatus();
  const std::string by_rules = tpgn::EndingsText(*state_.outcome(), state_.endings(), info_.seats);
  const std::vector<std::string_view> written = Split(*value, '/');
  const std::vector<std::string_view> ours = Split(by_rules, '/');
  bool agrees = written.size() == ours.size();
  for (size_t i = 0; agrees && i < ours.size(); ++i) {
    const bool is_told = state_.endings()[SeatAt(i)].has_value() || ours[i] == "winner";
    agrees = !is_told || written[i] == ours[i];
  }
  return agrees ? absl::OkStatus() : CheckTag(game, "Endings", by_rules);
}

// Ends a game by adjudication, as the match did: the survivors share a draw, or one of them wins.
// The tags say which.
absl::Status TpgnReplay::Adjudicate(const TpgnGame& game, Termination why) {
  const AnyState running = state_;
  state_.Adjudicate(why);
  const absl::Status as_draw = CheckEnding(game);
  if (as_draw.ok()) return as_draw;
  const AnyState drawn = std::move(state_);
  for (size_t i = 0; i < info_.seats; ++i) {
    if (!running.is_in(SeatAt(i))) continue;
    state_ = running;
    state_.AdjudicateWin(SeatAt(i), why);
    if (CheckEnding(game).ok()) return absl::OkStatus();
  }
  state_ = drawn;
  return as_draw;
}

absl::Status TpgnReplay::CheckCounts(const TpgnGame& game) {
  const auto plies = static_cast<uint64_t>(record_.plies);
  ASSIGN_OR_RETURN(const uint64_t opening_plies, ReadCount(game, "OpeningPlies"));
  if (is_rest_unrecorded_) {
    record_.opening_plies = static_cast<int64_t>(std::min(opening_plies, plies));
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(CheckTag(game, "PlyCount", std::to_string(plies)));
  if (opening_plies > plies) return TagError("OpeningPlies", "more plies than the game has");
  record_.opening_plies = static_cast<int64_t>(opening_plies);
  return absl::OkStatus();
}

absl::StatusOr<GameRecord> TpgnReplay::Finish(const TpgnGame& game) && {
  if (game.tag("Result").value_or(game.result) != game.result) {
    return TagError("Result", "it says " + Quote(*game.tag("Result")) +
                                  ", but the moves end with " + Quote(game.result));
  }
  RETURN_IF_ERROR(CheckCounts(game));
  const bool is_over = state_.outcome().has_value();
  if (is_rest_unrecorded_ && !is_over) return std::move(record_);
  const std::string_view termination = game.tag("Termination").value_or("");
  if (!is_over && game.result == tpgn::kUnfinished) {
    if (!termination.empty() && termination != ToString(Termination::kAbandoned)) {
      return TagError("Termination", "it says " + Quote(termination) + ", but there is no result");
    }
    return std::move(record_);
  }
  if (is_over) {
    RETURN_IF_ERROR(CheckEnding(game));
  } else if (const auto why = ParseTermination(termination); why && IsAdjudication(*why)) {
    RETURN_IF_ERROR(Adjudicate(game, *why));
  } else {
    return TagError("Result",
                    "it says " + Quote(game.result) + ", but by the rules the game is not over");
  }
  record_.is_finished = true;
  record_.outcome = *state_.outcome();
  record_.endings = state_.endings();
  return std::move(record_);
}

}  // namespace

absl::StatusOr<GameRecord> ReplayTpgn(const TpgnGame& game) {
  ASSIGN_OR_RETURN(const GameInfo* info, FindVariant(game));
  ASSIGN_OR_RETURN(GameRecord record, ReadTags(game, *info));
  ASSIGN_OR_RETURN(AnyState state, StartOf(record));
  TpgnReplay replay(*info, std::move(record), std::move(state));
  for (const TpgnItem& item : game.items) RETURN_IF_ERROR(replay.Take(item));
  return std::move(replay).Finish(game);
}

}  // namespace triarch
