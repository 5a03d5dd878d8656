#include "selfplay/shard/shard_builder.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/small_shard.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ShardBuilder, BuildsColumnsFromTwoGames) {
  const Shard shard = MakeSmallShard();
  ASSERT_TRUE(CheckShard(shard).ok()) << CheckShard(shard);
  EXPECT_THAT(shard.game_index, ElementsAre(7, 8));
  EXPECT_THAT(shard.game_start, ElementsAre("", "3PF text"));
  EXPECT_THAT(shard.game_moves_offsets, ElementsAre(0, 5, 10));
  EXPECT_THAT(shard.game_moves, ElementsAre(5, 7, 9, kSeatLeft, 11, 5, 7, 9, kSeatLeft, 11));
  constexpr float kFirst = 2.0f / 3;  // the first seat's share if the points are 1, 1/2 and 0
  constexpr float kSecond = 1.0f / 3;
  EXPECT_THAT(shard.game_points, ElementsAre(kFirst, kSecond, 0, kFirst, kSecond, 0));
  EXPECT_THAT(shard.game_bots, ElementsAre(0, 1, 0, 0, 1, 0));
  EXPECT_THAT(shard.game_resign_ply, ElementsAre(-1, 2, -1, -1, 2, -1));
  EXPECT_THAT(shard.game, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(shard.index, ElementsAre(7, 7, 8, 8));
  EXPECT_THAT(shard.ply, ElementsAre(1, 3, 1, 3));
  EXPECT_THAT(shard.seat, ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(shard.cells.size(), 4u * 6u);
  EXPECT_EQ(shard.state.size(), 4u * 16u);
  EXPECT_THAT(shard.legal_offsets, ElementsAre(0, 3, 4, 7, 8));
  EXPECT_THAT(shard.legal, ElementsAre(7, 20, 40, 11, 7, 20, 40, 11));
  EXPECT_THAT(shard.policy, ElementsAre(200, 0, 55, 0, 200, 0, 55, 0));
  EXPECT_THAT(shard.played, ElementsAre(7, 11, 7, 11));
  EXPECT_THAT(shard.points, ElementsAre(kFirst, kSecond, 0, kFirst, kSecond, 0, kFirst, kSecond, 0,
                                        kFirst, kSecond, 0));
  EXPECT_EQ(shard.value[0], ToHalf(0.5f));
  EXPECT_EQ(shard.value[3], kHalfNan);
  EXPECT_THAT(shard.plies_left, ElementsAre(2, 0, 2, 0));  // a seat that leaves is not a ply
  EXPECT_THAT(shard.weight, ElementsAre(1, 1, 1, 1));
}

TEST(ShardBuilder, TheFirstOfDuplicatesGetsTheirWeight) {
  const SmallGame small = MakeSmallGame();
  const SmallGame other = MakeSmallGame(77);
  ShardGame games[3] = {small.game(), other.game(), small.game()};
  for (int i = 0; i < 3; ++i) games[i].index = 10 + i;
  const absl::StatusOr<Shard> shard = BuildShard(SmallMeta(), {games[2], games[1], games[0]}, true);
  ASSERT_TRUE(shard.ok()) << shard.status();
  ASSERT_TRUE(CheckShard(*shard).ok()) << CheckShard(*shard);
  EXPECT_THAT(shard->index, ElementsAre(10, 10, 11));
  EXPECT_THAT(shard->weight, ElementsAre(2, 3, 1));
  EXPECT_THAT(shard->game_index, ElementsAre(10, 11, 12));  // even without samples
}

TEST(ShardBuilder, ReusedMemoryLeavesNoOldData) {
  const SmallGame small = MakeSmallGame();
  const Shard fresh = *BuildShard(SmallMeta(), {small.game()}, true);
  Shard memory = MakeSmallShard();
  const uint8_t* const cells = memory.cells.data();
  const Shard shard = *BuildShard(SmallMeta(), {small.game()}, true, std::move(memory));
  EXPECT_EQ(*WriteShard(shard, Compression::kStored), *WriteShard(fresh, Compression::kStored));
  EXPECT_EQ(shard.cells.data(), cells);
}

TEST(ShardBuilder, CorruptionErrorsNameTheGame) {
  const auto error_of = [](const ShardGame& game) {
    const absl::Status status = BuildShard(SmallMeta(), {game}, false).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  };
  const SmallGame small = MakeSmallGame();
  ShardGame game = small.game();
  game.index = 41;
  game.rows.remove_suffix(1);
  EXPECT_THAT(error_of(game), HasSubstr("game 41: corrupt sample row: it is truncated"));
  game = small.game();
  game.moves = game.moves.first(4);
  EXPECT_THAT(error_of(game), HasSubstr("game 0: the sample of ply 3 does not match"));
  const std::string twice = small.rows + small.rows;
  game = small.game();
  game.rows = twice;
  EXPECT_THAT(error_of(game), HasSubstr("the sample of ply 1 does not match"));
}

TEST(ShardBuilder, NoGames) {
  const absl::StatusOr<Shard> shard = BuildShard(SmallMeta(), {}, true);
  ASSERT_TRUE(shard.ok());
  EXPECT_TRUE(CheckShard(*shard).ok());
}

}  // namespace
}  // namespace triarch
