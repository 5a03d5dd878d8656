#ifndef TRIARCH_WORKER_MATCH_PLAYER_H_
#define TRIARCH_WORKER_MATCH_PLAYER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/any_state.h"
#include "core/game/seat.h"

namespace triarch {

// What limits one move. What is absent does not limit.
struct SearchLimits {
  std::optional<int64_t> nodes = {};
  std::optional<int64_t> depth = {};
  // The player is expected to answer before this; the game runner has set its margin aside.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  // Set when the game is abandoned: answer anything, soon. Never null in a game.
  const std::atomic<bool>* stop = nullptr;
};

// What a player answers.
struct Decision {
  enum class Kind : uint8_t { kMove, kResign, kClaimDraw };
  Kind kind = Kind::kMove;
  size_t move = 0;    // number in the list of legal moves that it was given
  int64_t nodes = 0;  // searched for it
  // Expected share of the points per seat, adding up to 1, where the player has an opinion.
  std::optional<PerSeat<double>> eval;
};

// What fills one seat during a game. Used by one thread at a time, for many games in turn.
class Player {
 public:
  virtual ~Player() = default;

  // A new game begins: forget the last one. All randomness comes from `seed`.
  virtual void NewGame(Seat seat, uint64_t seed) = 0;

  // It is this player's turn in a running game; `moves` are the legal moves of `state`, at least
  // one. A player that throws, or answers with a number out of range, forfeits.
  virtual Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                          const SearchLimits& limits) = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_PLAYER_H_
