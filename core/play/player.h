// Defines what a player is.

#ifndef TRIARCH_CORE_PLAY_PLAYER_H_
#define TRIARCH_CORE_PLAY_PLAYER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/base/dirichlet.h"
#include "core/game/seat.h"

namespace triarch {

class EventLoop;

// What a player outside of this process is told of the game beside. It sees no AnyState.
struct TurnContext {
  // The game so far: "startpos" or "fen TEXT", then " moves M1 M2 …" in canonical text.
  std::string_view position;
  Seat seat = Seat::kFirst;  // whose turn it is
  bool can_claim = false;    // whether a claimed draw would be granted
  std::optional<PerSeat<std::chrono::milliseconds>> clocks = {};  // what each has left
  std::chrono::milliseconds increment{0};
  std::optional<std::chrono::milliseconds> move_time = {};
  // When the turn began; where time does not limit, to the time that a few of the fastest turns
  // take.
  std::chrono::steady_clock::time_point began = {};
  // Where time limits: all the time that it has for the move, and when it is too late: the margin
  // after that.
  std::optional<std::chrono::nanoseconds> allowed = {};
  std::optional<std::chrono::nanoseconds> late = {};
};

// What a player thinks beside its answer. Cleared by who asks.
struct SearchInfo {
  bool wants_explanation = true;
  // Whether the player has brought the noise of the limits into its search itself.
  bool has_noise = false;
  // By number of the legal move, adding up to 1: how good the player finds each, as a distribution
  // to play and learn from. Empty if it has none.
  std::vector<float> policy = {};
  // Why it answers what it does, for people: one line or several. Empty if it does not say or is
  // not asked.
  std::string explanation = {};
};

// What limits one move. What is absent does not limit.
struct SearchLimits {
  std::optional<int64_t> nodes = {};
  std::optional<int64_t> depth = {};
  // Whether `nodes` holds in any case; else a bot's options may say otherwise.
  bool is_fast = false;
  // For players that search: what to mix into how they weigh the moves at the root.
  std::optional<DirichletNoise> noise = {};
  // The player is expected to answer before this; the game runner has set its margin aside.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  // Whether it is charged its processor time (Decision::cpu) and not that of the wall.
  bool charges_cpu = false;
  // Whether Decision::cpu is wanted of a player that answers at once; so it is if that is charged.
  bool reads_cpu = false;
  // Set when the game is abandoned: answer anything, soon. Never null in a game.
  const std::atomic<bool>* stop = nullptr;
  // For players that want it; else null.
  const TurnContext* context = nullptr;
  // Where the player says what it thinks, if it is asked; else null.
  SearchInfo* search_info = nullptr;
};

// What a player answers.
struct Decision {
  enum class Kind : uint8_t { kMove, kResign, kClaimDraw, kForfeit };
  Kind kind = Kind::kMove;
  size_t move = 0;                        // number in the list of legal moves that it was given
  bool is_fallback = false;               // a move for want of its own: what decides failed
  Termination why = Termination::kCrash;  // of a kForfeit: what it did wrong
  int64_t nodes = 0;                      // searched for it
  // Processor time since its last answer, if that is wanted. Set by who runs the player.
  std::optional<std::chrono::nanoseconds> cpu = {};
  // Expected share of the points per seat, adding up to 1, where the player has an opinion.
  std::optional<PerSeat<double>> eval;
};

class AsyncPlayer;

// What fills one seat during a game. Used by one thread at a time, for many games in turn.
class Player {
 public:
  virtual ~Player() = default;

  // Whether `Choose` is to be given context.
  virtual bool wants_context() const { return false; }
  // Of a player that answers later; else null.
  virtual AsyncPlayer* async() { return nullptr; }

  // A new game begins: forget the last one. All randomness comes from `seed`.
  virtual void NewGame(Seat seat, uint64_t seed) = 0;

  // It is this player's turn in a running game; `moves` are the legal moves of `state`, at least
  // one. A player that throws, or answers with a number out of range, forfeits.
  virtual Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                          const SearchLimits& limits) = 0;
};

// A player that answers later: it waits for something outside of this process, in an event loop. It
// is asked one thing at a time, all of a game in the loop's thread.
class AsyncPlayer : public Player {
 public:
  AsyncPlayer* async() final { return this; }
  bool wants_context() const final { return true; }

  // What takes long and needs no loop, before each game. Any thread, while no game is played. An
  // error is this machine's, not the player's: the game cannot be played here.
  virtual absl::Status Prepare() = 0;

  // As NewGame and Choose. `done` is called from the loop later, never from within the call. What
  // the arguments refer to stays until then, but for the moves.
  virtual void BeginGame(EventLoop& loop, Seat seat, uint64_t seed,
                         std::function<void(bool is_ready)> done) = 0;
  virtual void BeginTurn(const AnyState& state, const AnyState::Moves& moves,
                         const SearchLimits& limits, std::function<void(Decision)> done) = 0;

  // Processor time of all that it runs, its other turns and its pauses included, since BeginGame
  // called `done`; empty if it does not know. Asked once, before EndGame.
  virtual std::optional<std::chrono::nanoseconds> CpuOfGame() { return std::nullopt; }

  // The game is over, or abandoned: what is not answered will not be, and nothing is waited for in
  // the loop any more.
  virtual void EndGame() = 0;

 private:
  // Nobody asks so.
  void NewGame(Seat, uint64_t) final {}
  Decision Choose(const AnyState&, const AnyState::Moves&, const SearchLimits&) final { return {}; }
};

}  // namespace triarch

#endif  // TRIARCH_CORE_PLAY_PLAYER_H_
