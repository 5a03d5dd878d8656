// Defines players, the contract between bots and the game runner.

#ifndef TRIARCH_CORE_PLAY_PLAYER_H_
#define TRIARCH_CORE_PLAY_PLAYER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/base/dirichlet.h"
#include "core/game/seat.h"
#include "core/record/game_fault.h"
#include "core/record/game_spec.h"

namespace triarch {

class EventLoop;

// The context of a turn, for players outside this process. They do not see the AnyState.
struct TurnContext {
  // The game so far: "startpos" or "fen TEXT", then " moves M1 M2 …" in canonical text.
  std::string_view position;
  Seat seat = Seat::kFirst;  // the seat to move
  bool can_claim = false;    // whether a draw claim would succeed
  // The remaining time and the increment of each seat that has a clock.
  PerSeat<std::optional<std::chrono::milliseconds>> clocks = {};
  PerSeat<std::chrono::milliseconds> increments = {};
  int64_t moves_to_go = 0;  // before the seat's clock gets more time; 0 if it never does
  std::optional<std::chrono::milliseconds> move_time = {};
  // When the turn began. In games without a time limit, accurate only to the duration of a few of
  // the fastest turns.
  std::chrono::steady_clock::time_point began = {};
  // In games with a time limit: the total time for the move, and the time at which an answer is
  // late, which is `allowed` plus the margin.
  std::optional<std::chrono::nanoseconds> allowed = {};
  std::optional<std::chrono::nanoseconds> late = {};
};

// What a player reports about its search besides its answer. The caller clears it.
struct SearchInfo {
  bool wants_policy = true;
  bool wants_explanation = true;  // and the line and the depth
  // Whether the player itself has applied the limits' noise in its search.
  bool has_noise = false;
  // The player's distribution over the legal moves, to play and learn from. Indexed by move number;
  // sums to 1. Empty if the player has none or none is wanted.
  std::vector<float> policy = {};
  // Explains the answer to people, in one or more lines. Empty if the player gives no explanation
  // or none is wanted. User-supplied bots may write anything.
  std::string explanation = {};
  // The expected continuation in canonical text, beginning with the answer, if an explanation is
  // wanted. Empty if the player predicts none. That of a user-supplied bot may be anything.
  std::vector<std::string> line = {};
  int64_t depth = 0;  // reached, in plies; 0 if unknown
  // Whether the player has weighed only the limits' only_move.
  bool has_only_move = false;
};

// The limits for one move. An absent limit does not apply.
struct SearchLimits {
  std::optional<int64_t> nodes = {};
  std::optional<int64_t> depth = {};
  // Whether `nodes` is binding; otherwise a bot's options may override it.
  bool is_fast = false;
  // For players that search: the noise to mix into the weights of the moves at the root.
  std::optional<DirichletNoise> noise = {};
  // For players that search: the number of the only legal move to weigh and to answer with.
  std::optional<size_t> only_move = {};
  // The player is expected to answer before this time, to which the game runner adds its margin.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  // Whether the player is charged processor time (Decision::cpu) instead of wall time.
  bool charges_cpu = false;
  // Whether a player that answers immediately must set Decision::cpu. True if charges_cpu is.
  bool reads_cpu = false;
  // Becomes true when the game is abandoned: the player must then answer soon, with any move. Never
  // null in a game.
  const std::atomic<bool>* stop = nullptr;
  // Set for asynchronous players and those with wants_context(); otherwise null.
  const TurnContext* context = nullptr;
  // Receives the player's search info if it is wanted; otherwise null.
  SearchInfo* search_info = nullptr;
  int64_t plies = 0;  // played in the game so far
};

// A player's answer to a turn.
struct Decision {
  enum class Kind : uint8_t { kMove, kResign, kClaimDraw, kForfeit };
  Kind kind = Kind::kMove;
  size_t move = 0;                        // index in the given list of legal moves
  bool is_fallback = false;               // a substitute, because the player failed to choose
  Termination why = Termination::kCrash;  // the fault, for kForfeit
  int64_t nodes = 0;                      // searched for this answer
  // Processor time since the last answer, if it is wanted. Set by the code that runs the player.
  std::optional<std::chrono::nanoseconds> cpu = {};
  // Expected share of the points per seat, summing to 1, if the player has an estimate.
  std::optional<PerSeat<double>> eval;
};

// A player is a SyncPlayer or an AsyncPlayer. Either plays one seat of a game at a time, and many
// games in sequence.

// Answers within the call. Used by one thread at a time.
class SyncPlayer {
 public:
  virtual ~SyncPlayer() = default;

  // Returns whether `Choose` needs SearchLimits::context.
  virtual bool wants_context() const { return false; }

  // Begins a new game: the player forgets the last one and takes all randomness from `seed`.
  virtual void NewGame(Seat seat, uint64_t seed) = 0;

  // Adds what the player knows about its forfeit to `report`. Called at the end of a game that it
  // forfeited.
  virtual void DescribeFault(FaultReport* /*report*/) const {}

  // Chooses an answer for this player's turn in a running game. `moves` are the legal moves of
  // `state`, at least one. A player that throws, or answers with a number out of range, forfeits.
  virtual Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                          const SearchLimits& limits) = 0;
};

// Answers later because it waits, in an event loop, for something outside this process. It gets one
// request at a time, always with SearchLimits::context; all requests of a game come from the loop's
// thread.
class AsyncPlayer {
 public:
  virtual ~AsyncPlayer() = default;

  // Performs the slow preparation that needs no loop. Called before each game, on any thread, while
  // no game is in progress. An error is a fault of this machine, not of the player: the game cannot
  // be played here.
  virtual absl::Status Prepare() = 0;

  // Like SyncPlayer's NewGame (with the seed of PlayerSeed) and Choose, but the loop calls `done`
  // later, never from within the call. The arguments must remain valid until then, except `moves`.
  virtual void BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                         std::function<void(bool is_ready)> done) = 0;
  virtual void BeginTurn(const AnyState& state, const AnyState::Moves& moves,
                         const SearchLimits& limits, std::function<void(Decision)> done) = 0;

  // Returns the processor time of everything the player has run since BeginGame called `done`,
  // including other turns and pauses; empty if unknown. Called once, before EndGame.
  virtual std::optional<std::chrono::nanoseconds> CpuOfGame() { return std::nullopt; }

  // Like SyncPlayer's. Called before EndGame.
  virtual void DescribeFault(FaultReport* /*report*/) {}

  // Ends the game, finished or abandoned: the player drops unanswered requests and stops waiting
  // for anything in the loop.
  virtual void EndGame() = 0;
};

// Never null.
using Player = std::variant<std::unique_ptr<SyncPlayer>, std::unique_ptr<AsyncPlayer>>;

// A player owned by someone else; a null SyncPlayer stands for no player.
using PlayerRef = std::variant<SyncPlayer*, AsyncPlayer*>;

}  // namespace triarch

#endif  // TRIARCH_CORE_PLAY_PLAYER_H_
