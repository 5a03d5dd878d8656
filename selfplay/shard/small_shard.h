// Builds a small shard with known content, for tests.

#ifndef TRIARCH_SELFPLAY_SHARD_SMALL_SHARD_H_
#define TRIARCH_SELFPLAY_SHARD_SMALL_SHARD_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard_builder.h"

// The shard has three seats, six cells and fifty policy indices.
namespace triarch {

inline ShardMeta SmallMeta() {
  return {.game = "triumvirate",
          .seats = 3,
          .cells = 6,
          .policy_size = 50,
          .tournament = 12,
          .spec = std::string(64, 'a'),
          .start = "document",
          .bots = {"mcts", "random"},
          .build = "1.2.3"};
}

inline RowBounds SmallBounds() { return {.cells = 6, .seats = 3, .policy_size = 50}; }

// A game and its data.
struct SmallGame {
  std::vector<uint16_t> moves;
  std::string rows;
  ShardGame game() const {
    return {.moves = moves,
            .points = {{1, 0.5, 0}},
            .bots = {{0, 1, 0}},
            .resign_plies = {{-1, 2, -1}},
            .rows = rows};
  }
};

// Returns a game of four moves, with samples of the second and fourth; seat 0 leaves after the
// third.
inline SmallGame MakeSmallGame(uint64_t first_key = 1) {
  SmallGame small{.moves = {5, 7, 9, kSeatLeft, 11}, .rows = {}};
  const std::array<uint8_t, 6> cells = {0, 1, 0b1010'0110, 0, 0b1100'1010, 3};
  std::array<uint8_t, kSampleState> state{1};
  const std::array<uint16_t, 3> legal = {40, 7, 20};
  const std::array<uint8_t, 3> policy = {55, 200, 0};
  AppendRow({.ply = 1,
             .seat = SeatAt(1),
             .played = 7,
             .key = first_key,
             .value = {{{2, 1, 1}}},
             .cells = cells,
             .state = state,
             .legal = legal,
             .policy = policy},
            &small.rows);
  state[0] = 2;
  const std::array<uint16_t, 1> last = {11};
  AppendRow({.ply = 3,
             .seat = SeatAt(2),
             .played = 11,
             .key = 2,
             .cells = cells,
             .state = state,
             .legal = last},
            &small.rows);
  return small;
}

// Returns a shard of games 7 and 8 with four samples.
inline Shard MakeSmallShard() {
  const SmallGame small = MakeSmallGame();
  ShardGame first = small.game();
  ShardGame second = small.game();
  first.index = 7;
  second.index = 8;
  second.start = "3PF text";
  absl::StatusOr<Shard> shard = BuildShard(SmallMeta(), {second, first}, false);
  CHECK(shard.ok());
  return *std::move(shard);
}

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SMALL_SHARD_H_
