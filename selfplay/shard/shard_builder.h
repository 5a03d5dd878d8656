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

// One finished game with its samples; what it points to must stay until the shard is built.
struct ShardGame {
  int64_t index = 0;                     // in the tournament
  std::string start = {};                // the position's text; "" the default start
  std::span<const uint16_t> moves = {};  // policy indices, the opening's included; kSeatLeft + i
  PerSeat<double> points = {};  // placement points (Points of core/game/outcome.h); not all 0
  PerSeat<uint8_t> bots = {};   // numbers of ShardMeta::bots
  PerSeat<int32_t> resign_plies = {{-1, -1, -1}};  // where the seat would have resigned; -1
  std::string_view rows = {};                      // as AppendRow makes them, plies ascending
};

// The shard of these games, which come in any order, each once. With drop_duplicates, of samples
// with the same key only the first is kept, and weighs one more for each of the others. `memory` is
// a shard whose memory may be used again: the next one's columns then cost no new pages.
// DataLoss: the rows or moves of a game, which is named, are damaged.
absl::StatusOr<Shard> BuildShard(ShardMeta meta, std::vector<ShardGame> games, bool drop_duplicates,
                                 Shard memory = {});

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SHARD_BUILDER_H_
