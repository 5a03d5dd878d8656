// Builds a shard from finished games and their sample rows.

#ifndef TRIARCH_SELFPLAY_SHARD_SHARD_BUILDER_H_
#define TRIARCH_SELFPLAY_SHARD_SHARD_BUILDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "selfplay/shard/shard.h"

namespace triarch {

// A finished game with its samples. The views must stay valid until the shard is built.
struct ShardGame {
  int64_t index = 0;                     // index in the tournament
  std::string start = {};                // text of the position; "" for the default start
  std::span<const uint16_t> moves = {};  // policy indices, including the opening; kSeatLeft + i
  PerSeat<double> points = {};  // placement points (Points of core/game/outcome.h); not all 0
  PerSeat<uint8_t> bots = {};   // indices into ShardMeta::bots
  PerSeat<int32_t> resign_plies = {{-1, -1, -1}};  // ply at which it would have resigned, or -1
  std::string_view rows = {};                      // from AppendRow, in ascending order of plies
};

// Builds the shard of the games, which may come in any order without duplicates. With
// drop_duplicates, keeps only the first of the samples with the same key and adds 1 to its weight
// for each of the others. The memory of `memory` is reused for the result. Fails with DataLoss,
// naming the game, if its rows or moves are corrupt.
absl::StatusOr<Shard> BuildShard(ShardMeta meta, std::vector<ShardGame> games, bool drop_duplicates,
                                 Shard memory = {});

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SHARD_BUILDER_H_
