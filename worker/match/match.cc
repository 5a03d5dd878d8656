#include "worker/match/match.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/claim_bounds.h"
#include "core/record/played_game.h"
#include "worker/match/time_control.h"
#include "worker/match/turn_timer.h"

namespace triarch {
namespace {

using TimePoint = GameClock::TimePoint;
using Duration = GameClock::Duration;

// A false claim of a draw is passed over and the player asked again, once a turn. A player that
// then insists is not answering.
constexpr int kAnswersMax = 2;

// The player's opinion, if it is one. What is none is not recorded: a report that has it is false.
std::optional<PerSeat<double>> Opinion(const Decision& decision, size_t seats) {
  return decision.eval && AreShares(*decision.eval, seats) ? decision.eval : std::nullopt;
}

// The game so far, for TurnFacts.
class GameHistory {
 public:
  // Of a game that begins. `start` is its start.
  GameHistory(const GameSpec& spec, const AnyState& start)
      : opening_(spec.opening),
        text_(spec.position.empty() ? "startpos" : "fen " + start.ToString()) {}

  // Before the opening is played.
  absl::Status AddOpening(AnyState state) {
    for (const std::string& move : opening_) {
      const AnyState::Moves moves = state.LegalMoves();
      ASSIGN_OR_RETURN(const size_t number, state.FindMove(moves, move));
      Add(state.MoveToString(moves, number));
      state.Play(moves, number);
    }
    return absl::OkStatus();
  }
  void Add(const std::string& move) {
    text_ += has_moves_ ? " " : " moves ";
    text_ += move;
    has_moves_ = true;
  }
  // Somebody left the game: no moves lead here from the start.
  void BeginAt(const AnyState& state) {
    text_ = "fen " + state.ToString();
    has_moves_ = false;
  }
  const std::string& text() const { return text_; }

 private:
  const std::vector<std::string>& opening_;
  std::string text_;
  bool has_moves_ = false;
};

// One game being played.
class RunningGame {
 public:
  RunningGame(const GameSpec& spec, const PerSeat<Player*>& players, const std::atomic<bool>& stop,
              TimePoint (*now)(), PlayedGame game)
      : spec_(spec),
        players_(players),
        stop_(stop),
        seats_(game.state().info().seats),
        clock_(spec.time_control),
        timer_(now, clock_.is_timed()),
        game_(std::move(game)) {}

  absl::Status PlayOpening() {
    RETURN_IF_ERROR(game_.PlayOpening(spec_.opening));
    bool tells_facts = false;
    for (size_t i = 0; i < seats_; ++i) tells_facts |= players_[SeatAt(i)]->wants_facts();
    if (!tells_facts) return absl::OkStatus();
    ASSIGN_OR_RETURN(const PlayedGame start, PlayedGame::Begin(spec_));
    history_.emplace(spec_, start.state());
    return history_->AddOpening(start.state());
  }

  // Plays to the end. False if the game was abandoned on the way.
  bool PlayToEnd() {
    StartPlayers();
    while (!game_.state().outcome()) {
      if (!PlayTurn()) return false;
    }
    return true;
  }

  GameRecord TakeRecord() {
    for (size_t i = 0; i < seats_; ++i) {
      const Duration total = timer_.total(SeatAt(i));
      game_.cost(SeatAt(i)).time_us =
          std::chrono::duration_cast<std::chrono::microseconds>(total).count();
    }
    return std::move(game_).TakeRecord();
  }

 private:
  // A player that cannot even begin forfeits before its first move.
  void StartPlayers() {
    for (size_t i = 0; i < seats_ && !game_.state().outcome(); ++i) {
      const Seat seat = SeatAt(i);
      if (!game_.state().is_in(seat)) continue;
      try {
        players_[seat]->NewGame(seat, DeriveSeed(spec_.seed, i + 1));
      } catch (...) {
        Leave(seat, Termination::kCrash);
      }
    }
  }

  void Leave(Seat seat, Termination why) {
    game_.Leave(seat, why);
    if (history_) history_->BeginAt(game_.state());
  }

  // False if the game was abandoned meanwhile: what the player then answered counts for nothing.
  bool PlayTurn() {
    const Seat seat = game_.state().to_move();
    const AnyState::Moves moves = game_.state().LegalMoves();
    DCHECK(moves.size() > 0);
    timer_.Begin(seat);
    const SearchLimits limits = {.nodes = spec_.time_control.nodes,
                                 .depth = spec_.time_control.depth,
                                 .deadline = clock_.Deadline(seat, timer_.began()),
                                 .stop = &stop_,
                                 .facts = history_ ? &TellFacts(seat) : nullptr};
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

  const TurnFacts& TellFacts(Seat seat) {
    facts_.position = history_->text();
    facts_.seat = seat;
    facts_.can_claim =
        game_.state().Visit([](const auto& state) { return state.claimable().has_value(); });
    if (const std::optional<Duration> allowed = clock_.Allowed(seat)) {
      facts_.flag = timer_.began() + *allowed;
      facts_.late = *facts_.flag + clock_.margin();
    }
    const auto ms = [](Duration time) {
      return std::chrono::duration_cast<std::chrono::milliseconds>(time);
    };
    if (spec_.time_control.movetime_ms) {
      facts_.move_time = std::chrono::milliseconds(*spec_.time_control.movetime_ms);
    }
    if (clock_.has_clocks()) {
      facts_.clocks.emplace();
      for (size_t i = 0; i < seats_; ++i) (*facts_.clocks)[SeatAt(i)] = ms(clock_.left(SeatAt(i)));
      facts_.increment = std::chrono::milliseconds(spec_.time_control.increment_ms);
    }
    return facts_;
  }

  // The player's answer; empty if it threw.
  std::optional<Decision> Ask(Seat seat, const AnyState::Moves& moves, const SearchLimits& limits) {
    try {
      return players_[seat]->Choose(game_.state(), moves, limits);
    } catch (...) {
      return std::nullopt;
    }
  }

  // Does what the player answered, or makes it forfeit. False after a false claim: nothing changed.
  bool Obey(Seat seat, const AnyState::Moves& moves, const std::optional<Decision>& decision,
            Duration used) {
    if (!decision) {
      Leave(seat, Termination::kCrash);
    } else if (decision->kind == Decision::Kind::kForfeit) {
      Leave(seat, decision->why);
    } else if (clock_.IsOverstepped(seat, used)) {
      Leave(seat, Termination::kTimeForfeit);
    } else if (decision->kind == Decision::Kind::kResign) {
      Leave(seat, Termination::kResignation);
    } else if (decision->kind == Decision::Kind::kClaimDraw) {
      return game_.ClaimDraw();
    } else if (decision->move >= moves.size()) {
      Leave(seat, Termination::kIllegalMove);
    } else {
      PlayMove(seat, moves, *decision, used);
    }
    return true;
  }

  void PlayMove(Seat seat, const AnyState::Moves& moves, const Decision& decision, Duration used) {
    if (history_) history_->Add(game_.state().MoveToString(moves, decision.move));
    RecordedEvent& event = game_.Play(moves, decision.move, Opinion(decision, seats_));
    if (decision.is_fallback) game_.NoteFallback();
    clock_.Charge(seat, used);
    event.clock_ms = clock_.shown_ms(seat);
    SeatCost& cost = game_.cost(seat);
    ++cost.moves;
    cost.nodes =
        std::min(cost.nodes + std::clamp(decision.nodes, int64_t{0}, kFigureMax), kFigureMax);
    timer_.End(seat, used);
  }

  const GameSpec& spec_;
  const PerSeat<Player*>& players_;
  const std::atomic<bool>& stop_;
  const size_t seats_;
  GameClock clock_;
  TurnTimer timer_;
  PlayedGame game_;
  std::optional<GameHistory> history_;  // if facts are told
  TurnFacts facts_;
};

}  // namespace

absl::StatusOr<std::optional<GameRecord>> PlayGame(const GameSpec& spec,
                                                   const PerSeat<Player*>& players,
                                                   const std::atomic<bool>& stop,
                                                   std::chrono::steady_clock::time_point (*now)()) {
  ASSIGN_OR_RETURN(PlayedGame played, PlayedGame::Begin(spec));
  RunningGame game(spec, players, stop, now, std::move(played));
  RETURN_IF_ERROR(game.PlayOpening());
  if (!game.PlayToEnd()) return std::nullopt;
  return game.TakeRecord();
}

}  // namespace triarch
