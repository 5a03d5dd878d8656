#include "core/record/replay.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/claim_bounds.h"
#include "core/record/odds.h"
#include "core/record/played_game.h"
#include "core/text.h"

// A coordinator replays thousands of games per second, so it builds messages only for faults.
namespace triarch {
namespace {

using EventKind = RecordedEvent::Kind;

absl::Status FieldError(std::string_view field, const std::string& what) {
  return absl::InvalidArgumentError(std::string(field) + ": " + what);
}

absl::Status CheckText(std::string_view field, const std::string& claimed,
                       const std::string& ours) {
  if (claimed.empty() || claimed == ours) return absl::OkStatus();
  return FieldError(field, "it says " + Quote(claimed) + ", expected " + Quote(ours));
}

template <class Number>
absl::Status CheckNumber(std::string_view field, Number claimed, Number ours) {
  if (claimed == ours) return absl::OkStatus();
  return FieldError(field,
                    "it says " + std::to_string(claimed) + ", expected " + std::to_string(ours));
}

// Accepts a missing number, which then counts as `absent`.
template <class Number>
absl::Status CheckNumberIfThere(std::string_view field, Number claimed, Number ours,
                                Number absent) {
  return claimed == absent ? absl::OkStatus() : CheckNumber(field, claimed, ours);
}

// Checks the parts of a record before the first move.
absl::Status CheckHead(const GameRecord& claimed, const GameRecord& ours) {
  RETURN_IF_ERROR(CheckNumber("index", claimed.index, ours.index));
  RETURN_IF_ERROR(CheckNumberIfThere("match", claimed.match, ours.match, int64_t{0}));
  RETURN_IF_ERROR(CheckText("game", claimed.game, ours.game));
  RETURN_IF_ERROR(CheckText("date", claimed.date, ours.date));
  RETURN_IF_ERROR(CheckText("time control", claimed.time_control, ours.time_control));
  RETURN_IF_ERROR(CheckNumberIfThere("seed", claimed.seed, ours.seed, uint64_t{0}));
  constexpr std::array<std::string_view, kSeatsMax> kBots = {"bot of seat 0", "bot of seat 1",
                                                             "bot of seat 2"};
  constexpr std::array<std::string_view, kSeatsMax> kTimes = {
      "time control of seat 0", "time control of seat 1", "time control of seat 2"};
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    RETURN_IF_ERROR(CheckText(kBots[i], claimed.bots[seat], ours.bots[seat]));
    RETURN_IF_ERROR(CheckText(kTimes[i], claimed.time_controls[seat], ours.time_controls[seat]));
  }
  RETURN_IF_ERROR(CheckText("position", claimed.position, ours.position));
  RETURN_IF_ERROR(
      CheckNumberIfThere("first round", claimed.first_round, ours.first_round, int64_t{1}));
  // A record that omits its draw rules has the defaults.
  if (claimed.draw_rules == DrawRules() || claimed.draw_rules == ours.draw_rules) {
    return absl::OkStatus();
  }
  return FieldError("draws", "the draw rules differ from the spec's");
}

// The text of a move begins with the cell or pin that it leaves, unless it is a castling.
std::string_view StartOf(std::string_view move) { return move.substr(0, move.find_first_of("-x")); }

// Returns the index of the legal move with that TPGN text, or moves.size(). `moves` are those from
// StartOf(text). Writing each of them takes long, so it writes only those to the right cell.
size_t FindTpgn(const AnyState& state, const AnyState::Moves& moves, std::string_view text) {
  return state.Visit([&]<class P>(const GameState<P>& game) {
    const P& position = game.position();
    const std::string_view start = StartOf(text);
    const std::string_view rest = text.substr(std::min(text.size(), start.size() + 1));
    const auto from = FindCell(position, start);
    const auto to = FindCell(position, rest.substr(0, rest.find('=')));
    size_t found = moves.size();
    size_t number = 0;
    moves.As<P>().ForEach([&](typename P::Move move) {
      const bool is_elsewhere = from && to && move.to() != *to;
      char written[kMoveTextMax];
      if (!is_elsewhere && text == std::string_view(written, WriteTpgn(position, move, written))) {
        found = number;
      }
      ++number;
    });
    return found;
  });
}

class Replay {
 public:
  Replay(const GameSpec& spec, const GameRecord& claimed, PlayedGame game)
      : spec_(spec), claimed_(claimed), controls_(TimeControlsOf(spec)), game_(std::move(game)) {}

  absl::StatusOr<GameRecord> Run() && {
    RETURN_IF_ERROR(TakeEvents());
    return Finish();
  }

  absl::StatusOr<GameRecord> RunUnfinished() && {
    RETURN_IF_ERROR(TakeEvents());
    GameRecord record = game_.record();
    record.opening_plies = std::min(record.plies, static_cast<int64_t>(spec_.opening.size()));
    return record;
  }

 private:
  absl::Status TakeEvents() {
    RETURN_IF_ERROR(CheckHead(claimed_, game_.record()));
    for (const RecordedEvent& event : claimed_.events) {
      const int64_t ply = game_.record().plies + 1;
      if (absl::Status status = Take(event); !status.ok()) {
        return FieldError("ply " + std::to_string(ply), std::string(status.message()));
      }
    }
    return absl::OkStatus();
  }
  const AnyState& state() const { return game_.state(); }
  std::string SeatName(Seat seat) const { return state().info().seat_name(seat); }
  bool is_in_opening() const {
    return static_cast<size_t>(game_.record().plies) < spec_.opening.size();
  }

  absl::Status Take(const RecordedEvent& event);
  absl::Status TakeMove(const RecordedEvent& claimed);
  absl::Status TakeSpecial(const RecordedEvent& claimed);
  absl::Status CheckMove(const RecordedEvent& claimed, const AnyState::Moves& moves,
                         size_t number) const;
  absl::Status CheckOpening(const AnyState::Moves& moves, size_t number) const;
  absl::Status CheckAnnotations(const RecordedEvent& claimed) const;
  absl::StatusOr<MoveInfo> TakeInfo(const AnyState::Moves& moves, size_t number);
  absl::Status CheckForfeit(const RecordedEvent& claimed);
  bool is_timed(Seat seat) const { return !controls_[seat].is_deterministic(); }
  absl::Status CheckCost(size_t seat);
  absl::Status CheckEnd(const GameRecord& ours) const;
  absl::StatusOr<GameRecord> Finish();

  const GameSpec& spec_;
  const GameRecord& claimed_;
  const PerSeat<TimeControl> controls_;
  PlayedGame game_;
  // Players that fail to start are eliminated before the first request for a move, in seat order.
  bool has_begun_ = false;
  size_t began_before_ = 0;  // the seats before this one have started
  size_t infos_ = 0;         // how many of the claimed infos were taken
};

absl::Status Replay::Take(const RecordedEvent& event) {
  if (state().outcome()) return absl::InvalidArgumentError("the game was already over");
  return event.kind == EventKind::kMove ? TakeMove(event) : TakeSpecial(event);
}

absl::Status Replay::TakeMove(const RecordedEvent& claimed) {
  const AnyState::Moves moves = state().LegalMovesFrom(StartOf(claimed.move));
  const size_t number = FindTpgn(state(), moves, claimed.move);
  RETURN_IF_ERROR(CheckMove(claimed, moves, number));
  const Seat seat = state().to_move();
  if (!is_in_opening()) {
    has_begun_ = true;
    ++game_.cost(seat).moves;
  }
  ASSIGN_OR_RETURN(MoveInfo info, TakeInfo(moves, number));
  RecordedEvent& ours = game_.Play(moves, number, claimed.eval, claimed.move);
  ours.clock_ms = claimed.clock_ms;
  if (claimed.is_fallback) game_.NoteFallback();
  game_.NoteInfo(std::move(info));
  if (ours.is_elimination != claimed.is_elimination || ours.is_check != claimed.is_check) {
    const std::string_view suffix = ours.is_elimination ? "with #"
                                    : ours.is_check     ? "with +"
                                                        : "without + or #";
    return absl::InvalidArgumentError(std::string(ours.move) + " must be written " +
                                      std::string(suffix));
  }
  return absl::OkStatus();
}

// Checks a move before it is played.
absl::Status Replay::CheckMove(const RecordedEvent& claimed, const AnyState::Moves& moves,
                               size_t number) const {
  if (number == moves.size()) {
    const AnyState::Moves all = state().LegalMoves();
    const absl::StatusOr<size_t> meant = state().FindMove(all, claimed.move);
    const std::string why = meant.ok() ? "it must be written " + state().MoveToTpgn(all, *meant)
                                       : std::string(meant.status().message());
    return absl::InvalidArgumentError(Quote(claimed.move) + ": " + why);
  }
  const Seat seat = state().to_move();
  if (claimed.seat != seat && claimed.seat != RecordedEvent().seat) {
    return absl::InvalidArgumentError("it is " + SeatName(seat) + "'s turn");
  }
  if (is_in_opening()) RETURN_IF_ERROR(CheckOpening(moves, number));
  return CheckAnnotations(claimed);
}

absl::Status Replay::CheckOpening(const AnyState::Moves& moves, size_t number) const {
  const std::string& text = spec_.opening[static_cast<size_t>(game_.record().plies)];
  if (state().MoveToString(moves, number) == text) return absl::OkStatus();
  const absl::StatusOr<size_t> given = state().FindMove(moves, text);  // in another notation
  if (given.ok() && *given == number) return absl::OkStatus();
  return absl::InvalidArgumentError("the opening has " + Quote(text));
}

absl::Status Replay::CheckAnnotations(const RecordedEvent& claimed) const {
  const bool is_answer = !is_in_opening();
  if (claimed.clock_ms.has_value() != (is_answer && is_timed(state().to_move()))) {
    return absl::InvalidArgumentError(claimed.clock_ms ? "the time control has no clock"
                                                       : "its clock is missing");
  }
  if (claimed.clock_ms && !IsFigure(*claimed.clock_ms)) {
    return absl::InvalidArgumentError("a clock cannot show " + std::to_string(*claimed.clock_ms));
  }
  if (claimed.eval && !is_answer) {
    return absl::InvalidArgumentError("opening moves have no evaluation");
  }
  if (claimed.is_fallback && !is_answer) {
    return absl::InvalidArgumentError("the opening has no fallback moves");
  }
  if (claimed.eval && !AreShares(*claimed.eval, state().info().seats)) {
    return absl::InvalidArgumentError("the evaluation must consist of shares of the points");
  }
  return absl::OkStatus();
}

// Returns what the report says the bot said about the next move; empty if nothing.
absl::StatusOr<MoveInfo> Replay::TakeInfo(const AnyState::Moves& moves, size_t number) {
  // The option may have changed since the lease.
  if (!spec_.search_info || infos_ == claimed_.infos.size()) return MoveInfo();
  const MoveInfo& claimed = claimed_.infos[infos_];
  if (claimed.ply != game_.record().plies) return MoveInfo();
  ++infos_;
  if (is_in_opening()) return absl::InvalidArgumentError("no bot can explain the opening");
  MoveInfo info = claimed;
  Sanitize(&info);
  const std::string move = state().MoveToString(moves, number);
  if (info != claimed || (!info.line.empty() && LegalLine(state(), move, info.line) != info.line)) {
    return absl::InvalidArgumentError("the bot's expected line is illegal, or its text too long");
  }
  return info;
}

absl::Status Replay::TakeSpecial(const RecordedEvent& claimed) {
  if (is_in_opening()) return absl::InvalidArgumentError("the opening has a move there");
  if (Index(claimed.seat) >= state().info().seats || !state().is_in(claimed.seat)) {
    return absl::InvalidArgumentError("that seat is not in the game");
  }
  const bool is_forfeit = claimed.kind == EventKind::kForfeit;
  if (!is_forfeit) has_begun_ = true;
  RETURN_IF_ERROR(is_forfeit ? CheckForfeit(claimed) : absl::OkStatus());
  if (!is_forfeit && claimed.seat != state().to_move()) {
    return absl::InvalidArgumentError("it is " + SeatName(state().to_move()) + "'s turn, not " +
                                      SeatName(claimed.seat) + "'s");
  }
  if (claimed.kind == EventKind::kClaimDraw) {
    if (!game_.ClaimDraw()) return absl::InvalidArgumentError("there is no draw to claim");
  } else {
    game_.Leave(claimed.seat, is_forfeit ? claimed.why : Termination::kResignation);
  }
  if (claimed == game_.record().events.back()) return absl::OkStatus();
  return absl::InvalidArgumentError("a resignation, forfeit or claim has other fields set");
}

absl::Status Replay::CheckForfeit(const RecordedEvent& claimed) {
  if (!IsForfeit(claimed.why)) {
    return absl::InvalidArgumentError("a seat cannot forfeit by " +
                                      std::string(ToString(claimed.why)));
  }
  if (claimed.why == Termination::kTimeForfeit && !is_timed(claimed.seat)) {
    return absl::InvalidArgumentError("the time control has no time limit");
  }
  const bool cannot_begin =
      !has_begun_ && claimed.why == Termination::kCrash && Index(claimed.seat) >= began_before_;
  if (cannot_begin) {
    began_before_ = Index(claimed.seat) + 1;
    return absl::OkStatus();
  }
  has_begun_ = true;
  if (claimed.seat == state().to_move()) return absl::OkStatus();
  return absl::InvalidArgumentError(SeatName(claimed.seat) + " forfeits, but it is " +
                                    SeatName(state().to_move()) + "'s turn");
}

absl::Status Replay::CheckCost(size_t seat) {
  const SeatCost& claimed = claimed_.costs[SeatAt(seat)];
  SeatCost& ours = game_.cost(SeatAt(seat));
  const int64_t cpu_us = claimed.cpu_us.value_or(0);
  if (claimed.moves != ours.moves || !IsFigure(claimed.nodes) || !IsFigure(claimed.time_us) ||
      !IsFigure(cpu_us)) {
    return FieldError(
        "costs of seat " + std::to_string(seat),
        absl::StrFormat("%s, %d nodes, %d µs, %d µs of processor time, but it made %s",
                        Counted(claimed.moves, "move"), claimed.nodes, claimed.time_us, cpu_us,
                        Counted(ours.moves, "move")));
  }
  ours.nodes = claimed.nodes;
  ours.time_us = claimed.time_us;
  ours.cpu_us = claimed.cpu_us;
  return absl::OkStatus();
}

// Compares the ending by the rules with the reported ending.
absl::Status Replay::CheckEnd(const GameRecord& ours) const {
  const size_t seats = state().info().seats;
  if (!claimed_.is_finished) return FieldError("result", "the game is not finished");
  RETURN_IF_ERROR(CheckNumber("plies", claimed_.plies, ours.plies));
  RETURN_IF_ERROR(
      CheckNumberIfThere("opening plies", claimed_.opening_plies, ours.opening_plies, int64_t{0}));
  if (claimed_.outcome.termination != ours.outcome.termination) {
    return CheckText("termination", std::string(ToString(claimed_.outcome.termination)),
                     std::string(ToString(ours.outcome.termination)));
  }
  if (claimed_.outcome.place != ours.outcome.place) {
    return FieldError("places", "expected " + PlacementText(ours.outcome.place, seats) + ", not " +
                                    PlacementText(claimed_.outcome.place, seats));
  }
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const auto& ending = claimed_.endings[SeatAt(i)];
    const auto& by_rules = ours.endings[SeatAt(i)];
    if (ending == by_rules) continue;
    const auto word = [](const auto& of) { return of ? std::string(ToString(*of)) : "none"; };
    return FieldError("ending of seat " + std::to_string(i),
                      "expected " + word(by_rules) + ", not " + word(ending));
  }
  return absl::OkStatus();
}

absl::StatusOr<GameRecord> Replay::Finish() {
  if (is_in_opening()) return FieldError("events", "they end within the opening");
  if (!state().outcome()) return FieldError("events", "they end before the game is over");
  if (spec_.search_info && infos_ != claimed_.infos.size()) {
    return FieldError("infos", "out of order, or after the last move");
  }
  for (size_t i = 0; i < state().info().seats; ++i) RETURN_IF_ERROR(CheckCost(i));
  GameRecord record = std::move(game_).TakeRecord();
  record.opening_plies = static_cast<int64_t>(spec_.opening.size());
  record.event = claimed_.event;
  record.faults = claimed_.faults;
  RETURN_IF_ERROR(CheckEnd(record));
  return record;
}

}  // namespace

absl::StatusOr<GameRecord> ReplayRecord(const GameSpec& spec, const GameRecord& claimed) {
  ASSIGN_OR_RETURN(PlayedGame game, PlayedGame::Begin(spec));
  game.Reserve(claimed.events.size());
  return Replay(spec, claimed, std::move(game)).Run();
}

absl::StatusOr<GameRecord> ReplayUnfinished(const GameSpec& spec, const GameRecord& claimed) {
  ASSIGN_OR_RETURN(PlayedGame game, PlayedGame::Begin(spec));
  return Replay(spec, claimed, std::move(game)).RunUnfinished();
}

absl::StatusOr<GameRecord> CompleteRecord(const GameSpec& spec, GameRecord reported) {
  ASSIGN_OR_RETURN(const PlayedGame game, PlayedGame::Begin(spec));
  const GameRecord& head = game.record();
  reported.match = head.match;
  reported.game = head.game;
  reported.time_control = head.time_control;
  reported.time_controls = head.time_controls;
  reported.seed = head.seed;
  reported.bots = head.bots;
  reported.position = head.position;
  reported.first_round = head.first_round;
  reported.draw_rules = head.draw_rules;
  reported.opening_plies = static_cast<int64_t>(spec.opening.size());
  if (!spec.search_info) reported.infos.clear();
  return reported;
}

}  // namespace triarch
