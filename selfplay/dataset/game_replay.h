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

// That there is such a game, and that seats, cells and policy_size are its own. InvalidArgument:
// what is not.
absl::Status CheckShape(const ShardMeta& meta);

// The samples of a game: [first, last) of the shard's.
struct SampleRange {
  size_t first = 0;
  size_t last = 0;
};
// Of every game, [G]. Requires: CheckShard has nothing to say.
std::vector<SampleRange> SamplesByGame(const Shard& shard);

// A game of a shard, played again by the rules. Nothing but the position ends it: what a match
// decides (repetition, claims, adjudication) is not in the shard.
class GameReplay {
 public:
  // Stands before the first move. The shard must stay, and CheckShard have nothing to say of it.
  // InvalidArgument: what is wrong with its meta, or the game's start.
  static absl::StatusOr<GameReplay> Begin(const Shard& shard, size_t game);

  const AnyState& state() const { return state_; }
  // The legal moves now, none once the game is over; and the policy index of each, [n] beside them.
  const AnyState::Moves& moves() const { return moves_; }
  std::span<const uint16_t> indices() const { return indices_; }
  // The number of the move with that index; moves().size() if there is none.
  size_t NumberOf(uint16_t index) const;

  // How many moves have been played, leavings not counted.
  size_t ply() const { return ply_; }
  bool is_done() const { return rest_.empty(); }
  // What comes next: a policy index or kSeatLeft + seat. Requires: !is_done().
  uint16_t next() const { return rest_.front(); }
  bool is_move_next() const { return !is_done() && next() < kSeatLeft; }

  // Plays what comes next. InvalidArgument: that the rules do not allow it; nothing has changed.
  absl::Status Step();
  // On to where the move of that ply comes next. InvalidArgument: likewise, or the game is shorter.
  absl::Status StepTo(size_t ply);

 private:
  GameReplay(AnyState state, std::span<const uint16_t> rest);
  void Look();

  AnyState state_;
  std::span<const uint16_t> rest_;  // of game_moves
  size_t ply_ = 0;
  AnyState::Moves moves_;
  std::vector<uint16_t> indices_;
};

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_GAME_REPLAY_H_
