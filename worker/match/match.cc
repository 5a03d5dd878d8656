#include "worker/match/match.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "worker/match/adjudicator.h"
#include "worker/match/time_control.h"
#include "worker/match/turn_timer.h"

namespace triarch {
namespace {

using TimePoint = GameClock::TimePoint;
using Duration = GameClock::Duration;

// A record has to come out the same whenever the game is played again.
constexpr std::string_view kDate = "????.??.??";
// Most games fit; a longer one grows its list once or twice.
constexpr size_t kEventsExpected = 512;
// A false claim of a draw is passed over and the player asked again, once a turn. A player that
// then insists is not answering.
constexpr int kAnswersMax = 2;

absl::StatusOr<AnyState> StartState(const GameSpec& spec) {
  ASSIGN_OR_RETURN(AnyState state,
                   spec.position.empty()
                       ? AnyState::Start(spec.game, "", spec.draw_rules())
                       : AnyState::Parse(spec.game, spec.position, spec.draw_rules()));
  if (state.outcome() || state.LegalMoves().size() == 0) {
    return absl::InvalidArgumentError("nobody can move in the position that the game starts from");
  }
  return state;
}

GameRecord MakeRecord(const GameSpec& spec, const AnyState& state) {
  GameRecord record;
  record.index = spec.index;
  record.match = spec.match;
  record.game = state.info().name;
  record.date = kDate;
  record.time_control = TimeControlTag(spec.time_control);
  record.seed = spec.seed;
  for (size_t i = 0; i < state.info().seats; ++i) {
    record.bots[SeatAt(i)] = spec.seats[SeatAt(i)].name;
  }
  if (!spec.position.empty()) {
    record.position = state.ToString();
    record.first_round = state.move_number();
  }
  record.draws = spec.draws;
  record.insufficient_material = spec.insufficient_material;
  record.events.reserve(kEventsExpected);
  return record;
}

// One game being played.
class RunningGame {
 public:
  RunningGame(const GameSpec& spec, const PerSeat<Player*>& players, const std::atomic<bool>& stop,
              TimePoint (*now)(), AnyState state)
      : spec_(spec),
        players_(players),
        stop_(stop),
        seats_(state.info().seats),
        clock_(spec.time_control),
        timer_(now, clock_.is_timed()),
        adjudicator_(spec.adjudication, seats_),
        record_(MakeRecord(spec, state)),
        state_(std::move(state)),
        survivors_(CountSurvivors()) {}

  absl::Status PlayOpening() {
    for (size_t i = 0; i < spec_.opening.size(); ++i) {
      const AnyState::Moves moves = state_.LegalMoves();
      const absl::StatusOr<size_t> number = state_.FindMove(moves, spec_.opening[i]);
      if (!number.ok()) {
        return absl::InvalidArgumentError(absl::StrFormat("move %d of the opening: %s", i + 1,
                                                          std::string(number.status().message())));
      }
      PlayMove(state_.to_move(), moves, *number, std::nullopt);
    }
    record_.opening_plies = record_.plies;
    return absl::OkStatus();
  }

  // Plays to the end. False if the game was abandoned on the way.
  bool PlayToEnd() {
    StartPlayers();
    while (!state_.outcome()) {
      if (!PlayTurn()) return false;
    }
    return true;
  }

  GameRecord TakeRecord() {
    record_.is_finished = true;
    record_.outcome = *state_.outcome();
    record_.endings = state_.endings();
    for (size_t i = 0; i < seats_; ++i) {
      const Duration total = timer_.total(SeatAt(i));
      record_.costs[SeatAt(i)].time_us =
          std::chrono::duration_cast<std::chrono::microseconds>(total).count();
    }
    return std::move(record_);
  }

 private:
  // A player that cannot even begin forfeits before its first move.
  void StartPlayers() {
    for (size_t i = 0; i < seats_ && !state_.outcome(); ++i) {
      const Seat seat = SeatAt(i);
      if (!state_.is_in(seat)) continue;
      try {
        players_[seat]->NewGame(seat, DeriveSeed(spec_.seed, i + 1));
      } catch (...) {
        Leave(seat, Termination::kCrash);
      }
    }
  }

  // False if the game was abandoned meanwhile: what the player then answered counts for nothing.
  bool PlayTurn() {
    const Seat seat = state_.to_move();
    const AnyState::Moves moves = state_.LegalMoves();
    DCHECK(moves.size() > 0);
    timer_.Begin(seat);
    const SearchLimits limits = {.nodes = spec_.time_control.nodes,
                                 .depth = spec_.time_control.depth,
                                 .deadline = clock_.Deadline(seat, timer_.began()),
                                 .stop = &stop_};
    for (int answers = 1;; ++answers) {
      const std::optional<Decision> decision = Ask(seat, moves, limits);
      if (stop_.load(std::memory_order_relaxed)) return false;
      if (Obey(seat, moves, decision, timer_.Elapsed(seat))) return true;
      if (answers == kAnswersMax) {
        Leave(seat, Termination::kIllegalMove);
        return true;
      }
    }
  }

  // The player's answer; empty if it threw.
  std::optional<Decision> Ask(Seat seat, const AnyState::Moves& moves, const SearchLimits& limits) {
    try {
      return players_[seat]->Choose(state_, moves, limits);
    } catch (...) {
      return std::nullopt;
    }
  }

  // Does what the player answered, or makes it forfeit. False after a false claim: nothing changed.
  bool Obey(Seat seat, const AnyState::Moves& moves, const std::optional<Decision>& decision,
            Duration used) {
    if (!decision) {
      Leave(seat, Termination::kCrash);
    } else if (clock_.IsOverstepped(seat, used)) {
      Leave(seat, Termination::kTimeForfeit);
    } else if (decision->kind == Decision::Kind::kResign) {
      Leave(seat, Termination::kResignation);
    } else if (decision->kind == Decision::Kind::kClaimDraw) {
      if (!state_.ClaimDraw()) return false;
      AddEvent(RecordedEvent::Kind::kClaimDraw, seat);
    } else if (decision->move >= moves.size()) {
      Leave(seat, Termination::kIllegalMove);
    } else {
      PlayMove(seat, moves, decision->move, decision->eval);
      Charge(seat, *decision, used);
    }
    return true;
  }

  void Charge(Seat seat, const Decision& decision, Duration used) {
    clock_.Charge(seat, used);
    record_.events.back().clock_ms = clock_.shown_ms(seat);
    ++record_.costs[seat].moves;
    record_.costs[seat].nodes += decision.nodes;
    timer_.End(seat, used);
  }

  void PlayMove(Seat seat, const AnyState::Moves& moves, size_t number,
                const std::optional<PerSeat<double>>& eval) {
    RecordedEvent& event = AddEvent(RecordedEvent::Kind::kMove, seat);
    event.move = state_.MoveToTpgn(moves, number);
    event.eval = eval;
    state_.Play(moves, number);
    const size_t survivors = CountSurvivors();
    event.is_elimination = survivors != survivors_;
    survivors_ = survivors;
    event.is_check = !event.is_elimination && IsOpponentInCheck(seat);
    ++record_.plies;
    adjudicator_.AddPly(eval);
    if (!state_.outcome()) Adjudicate();
  }

  void Leave(Seat seat, Termination why) {
    RecordedEvent& event =
        AddEvent(why == Termination::kResignation ? RecordedEvent::Kind::kResign
                                                  : RecordedEvent::Kind::kForfeit,
                 seat);
    event.why = why;
    state_.Eliminate(seat, why);
    survivors_ = CountSurvivors();
  }

  void Adjudicate() {
    const std::optional<Seat> winner = adjudicator_.winner();
    if (winner && state_.is_in(*winner)) {
      state_.AdjudicateWin(*winner);
    } else if (adjudicator_.is_draw()) {
      state_.Adjudicate();
    }
  }

  RecordedEvent& AddEvent(RecordedEvent::Kind kind, Seat seat) {
    RecordedEvent& event = record_.events.emplace_back();
    event.kind = kind;
    event.seat = seat;
    return event;
  }

  size_t CountSurvivors() const {
    size_t count = 0;
    for (size_t i = 0; i < seats_; ++i) count += state_.is_in(SeatAt(i)) ? 1 : 0;
    return count;
  }

  bool IsOpponentInCheck(Seat seat) const {
    for (size_t i = 0; i < seats_; ++i) {
      if (SeatAt(i) != seat && state_.in_check(SeatAt(i))) return true;
    }
    return false;
  }

  const GameSpec& spec_;
  const PerSeat<Player*>& players_;
  const std::atomic<bool>& stop_;
  const size_t seats_;
  GameClock clock_;
  TurnTimer timer_;
  Adjudicator adjudicator_;
  GameRecord record_;
  AnyState state_;
  size_t survivors_;  // before the move to come
};

}  // namespace

absl::StatusOr<std::optional<GameRecord>> PlayGame(const GameSpec& spec,
                                                   const PerSeat<Player*>& players,
                                                   const std::atomic<bool>& stop,
                                                   std::chrono::steady_clock::time_point (*now)()) {
  ASSIGN_OR_RETURN(AnyState state, StartState(spec));
  RunningGame game(spec, players, stop, now, std::move(state));
  RETURN_IF_ERROR(game.PlayOpening());
  if (!game.PlayToEnd()) return std::nullopt;
  return game.TakeRecord();
}

}  // namespace triarch
