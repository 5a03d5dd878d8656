#include "worker/match/match.h"

#include <algorithm>
#include <chrono>
#include <utility>

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

  absl::Status PlayOpening() { return game_.PlayOpening(spec_.opening); }

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
        game_.Leave(seat, Termination::kCrash);
      }
    }
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
                                 .stop = &stop_};
    for (int answers = 1;; ++answers) {
      const std::optional<Decision> decision = Ask(seat, moves, limits);
      if (stop_.load(std::memory_order_relaxed)) return false;
      if (Obey(seat, moves, decision, timer_.Elapsed(seat))) return true;
      if (answers == kAnswersMax) {
        game_.Leave(seat, Termination::kIllegalMove);
        return true;
      }
    }
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
      game_.Leave(seat, Termination::kCrash);
    } else if (clock_.IsOverstepped(seat, used)) {
      game_.Leave(seat, Termination::kTimeForfeit);
    } else if (decision->kind == Decision::Kind::kResign) {
      game_.Leave(seat, Termination::kResignation);
    } else if (decision->kind == Decision::Kind::kClaimDraw) {
      return game_.ClaimDraw();
    } else if (decision->move >= moves.size()) {
      game_.Leave(seat, Termination::kIllegalMove);
    } else {
      PlayMove(seat, moves, *decision, used);
    }
    return true;
  }

  void PlayMove(Seat seat, const AnyState::Moves& moves, const Decision& decision, Duration used) {
    RecordedEvent& event = game_.Play(moves, decision.move, Opinion(decision, seats_));
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
