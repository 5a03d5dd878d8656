// Replays the games of a shard by the rules.

#ifndef TRIARCH_SELFPLAY_DATASET_GAME_REPLAY_H_
#define TRIARCH_SELFPLAY_DATASET_GAME_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "selfplay/shard/shard.h"

namespace triarch {

// Checks that the game is known, and that seats, cells and policy_size match it. Fails with
// InvalidArgument.
absl::Status CheckShape(const ShardMeta& meta);

// The samples [first, last) of a game.
struct SampleRange {
  size_t first = 0;
  size_t last = 0;
};
// Returns the samples of every game, [G]. Requires: CheckShape succeeds.
std::vector<SampleRange> SamplesByGame(const Shard& shard);

// Replays one game of a shard. Only the rules can end it: decisions of a match (repetition, claims,
// adjudication) are not in the shard.
class GameReplay {
 public:
  // Starts before the first move. The shard must outlive the replay. Requires: CheckShard succeeds.
  // Fails with InvalidArgument if the meta or the game's start is invalid.
  static absl::StatusOr<GameReplay> Begin(const Shard& shard, size_t game);

  const AnyState& state() const { return state_; }
  // moves() returns the legal moves, empty once the game is over; indices() returns their policy
  // indices.
  const AnyState::Moves& moves() const { return moves_; }
  std::span<const uint16_t> indices() const { return indices_; }
  // Returns the position in moves() of the move with this policy index, or moves().size() if it is
  // not legal.
  size_t NumberOf(uint16_t index) const;

  // Returns the number of moves played, not counting seats that left.
  size_t ply() const { return ply_; }
  bool is_done() const { return rest_.empty(); }
  // Returns the next entry: a policy index or kSeatLeft + seat. Requires: !is_done().
  uint16_t next() const { return rest_.front(); }
  bool is_move_next() const { return !is_done() && next() < kSeatLeft; }

  // Plays the next entry. Fails with InvalidArgument, without effect, if the rules forbid it.
  absl::Status Step();
  // Plays until the move of that ply is next. Fails with InvalidArgument if a move is illegal or
  // the game is shorter.
  absl::Status StepTo(size_t ply);

 private:
  GameReplay(AnyState state, std::span<const uint16_t> rest);
  void Look();

  AnyState state_;
  std::span<const uint16_t> rest_;  // rest of game_moves
  size_t ply_ = 0;
  AnyState::Moves moves_;
  std::vector<uint16_t> indices_;
};

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_GAME_REPLAY_H_
