// Asks a bot of any kind for its decisions in one game of an arena.

#ifndef TRIARCH_ARENA_CLIENT_SEATED_BOT_H_
#define TRIARCH_ARENA_CLIENT_SEATED_BOT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/client/followed_game.h"
#include "core/base/event_loop.h"
#include "core/play/player.h"
#include "core/record/game_fault.h"
#include "core/record/game_spec.h"

namespace triarch::arena {

// How long a bot may think.
struct TimeRules {
  std::optional<int64_t> nodes = {};
  std::optional<int64_t> depth = {};
  std::optional<int64_t> move_ms = {};
  // Whether the bot may use most of the arena's time for the move; otherwise a small part, because
  // it would always use what it gets. Ignored with `move_ms`.
  bool may_take_long = false;
};

// A bot's time for one move: when it should answer, and when a program that has not is stopped.
struct MoveTime {
  std::chrono::milliseconds allowed;
  std::chrono::milliseconds margin;
};
// Divides the arena's time for the move, of which that is left.
MoveTime TimeFor(const TimeRules& rules, std::chrono::milliseconds left);

// A player in its seat of one game. Used by one thread.
class SeatedBot {
 public:
  // All references must outlive it. Setting `stop` makes Begin and Ask return soon.
  SeatedBot(Player& player, const FollowedGame& game, Seat seat, const GameSpec& spec,
            const TimeRules& rules, const std::atomic<bool>& stop);
  ~SeatedBot();
  SeatedBot(const SeatedBot&) = delete;
  SeatedBot& operator=(const SeatedBot&) = delete;

  // Begins the game. Returns an error of this machine, such as a program that does not start. Call
  // it once, first.
  absl::Status Begin();
  // Asks for a decision in the position of the game, in which it is this seat's turn. Returns none
  // if the bot has a fault, or after a stop. An illegal answer or a wrong claim of a draw is a
  // fault.
  std::optional<Decision> Ask(std::chrono::milliseconds left);
  // Returns the bot's fault, if it has one.
  const std::optional<GameFault>& fault() const { return fault_; }

 private:
  std::optional<Decision> AskOnce(const AnyState::Moves& moves, const SearchLimits& limits);
  void RunLoop(const std::function<bool()>& is_done);
  void NoteFault(Termination why, std::string message);

  Player& player_;
  const FollowedGame& game_;
  const Seat seat_;
  const GameSpec spec_;
  const TimeRules rules_;
  const std::atomic<bool>& stop_;
  std::optional<EventLoop> loop_;  // of a bot that answers later
  bool has_begun_ = false;
  std::optional<GameFault> fault_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_CLIENT_SEATED_BOT_H_
