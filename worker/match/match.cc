#include "worker/match/match.h"

#include <string>
#include <utility>

#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/event_loop.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/played_game.h"
#include "worker/match/loop_game.h"
#include "worker/match/running_game.h"

namespace triarch {
namespace {

// Begins the game with all players. A player that fails to begin forfeits before its first move.
void StartPlayers(const GameSpec& spec, const PerSeat<SyncPlayer*>& players, RunningGame& game) {
  for (size_t i = 0; i < game.seats() && !game.is_over(); ++i) {
    const Seat seat = SeatAt(i);
    if (!game.state().is_in(seat)) continue;
    const absl::Status begun = BeginGame(*players[seat], spec, seat);
    if (!begun.ok()) game.Forfeit(seat, Termination::kCrash, std::string(begun.message()));
  }
}

// Plays the game with synchronous players. Returns false if the game was abandoned; answers given
// after that are ignored.
bool PlayToEnd(const PerSeat<SyncPlayer*>& players, const std::atomic<bool>& stop,
               RunningGame& game) {
  AnyState::Moves moves = game.state().LegalMoves();
  while (!game.is_over()) {
    DCHECK(moves.size() > 0);
    SyncPlayer& player = *players[game.state().to_move()];
    const SearchLimits limits = game.BeginTurn(stop);
    bool is_settled = false;
    while (!is_settled) {
      const absl::StatusOr<Decision> decision = AskPlayer(player, game.state(), moves, limits);
      if (stop.load(std::memory_order_relaxed)) return false;
      is_settled = game.Answer(moves, decision);
    }
  }
  return true;
}

constexpr std::chrono::milliseconds kLook{50};

// Plays the game in its own event loop.
absl::StatusOr<std::optional<GameRecord>> PlayInLoop(const GameSpec& spec,
                                                     const PerSeat<PlayerRef>& players,
                                                     const std::atomic<bool>& stop,
                                                     RunningGame::TimePoint (*now)()) {
  EventLoop loop;
  LoopMoves moves;
  LoopGame game(spec, players, stop, loop, moves, now,
                {.think = [&loop, &game] { loop.Post([&game] { game.Think(); }); },
                 .end = [&loop] { loop.Stop(); }});
  RETURN_IF_ERROR(game.Begin());
  // Checks `stop` periodically. (Slots notify the game and need no timer.)
  EventLoop::Timer look(loop, [&] {
    stop.load(std::memory_order_relaxed) ? game.Abandon()
                                         : look.Set(EventLoop::Clock::now() + kLook);
  });
  look.Set(EventLoop::Clock::now() + kLook);
  loop.Post([&game] { game.Start(); });
  loop.Run();
  return game.TakeRecord();
}

}  // namespace

absl::StatusOr<std::optional<GameRecord>> PlayGame(const GameSpec& spec,
                                                   const PerSeat<PlayerRef>& players,
                                                   const std::atomic<bool>& stop,
                                                   std::chrono::steady_clock::time_point (*now)(),
                                                   LiveMoves* live) {
  const std::optional<PerSeat<SyncPlayer*>> sync = AllSync(players);
  if (!sync) return PlayInLoop(spec, players, stop, now);
  ASSIGN_OR_RETURN(PlayedGame played, PlayedGame::Begin(spec));
  RunningGame game(spec, std::move(played), now, /*is_one_thread=*/true);
  game.ShowIn(live);
  RETURN_IF_ERROR(game.PlayOpening(WantContext(players)));
  StartPlayers(spec, *sync, game);
  if (!PlayToEnd(*sync, stop, game)) return std::nullopt;
  game.DescribeFaults(players);
  return game.TakeRecord();
}

}  // namespace triarch
