#include "selfplay/dataset/data_summary.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/small_shard.h"

namespace triarch {
namespace {

TEST(DataSummary, CountsShards) {
  const Shard shard = MakeSmallShard();
  const ShardEntry entry = {.bytes = 500};
  DataSummary summary;
  summary.Add(entry, shard);
  summary.Add(entry, shard);
  EXPECT_EQ(summary.shards, 2);
  EXPECT_EQ(summary.bytes, 1000);
  EXPECT_EQ(summary.games, 4);
  EXPECT_EQ(summary.samples, 8);
  EXPECT_EQ(summary.weight, 8);
  EXPECT_EQ(summary.with_policy, 4);
  EXPECT_EQ(summary.with_value, 4);
  EXPECT_EQ(summary.legal_moves, 16);
  EXPECT_EQ(summary.game_plies, (std::map<int64_t, int64_t>{{4, 4}}));
  EXPECT_EQ(summary.sample_plies, (std::map<int64_t, int64_t>{{1, 4}, {3, 4}}));
  EXPECT_EQ(summary.openings.size(), 2u);  // the games begin in different positions
  // Seat 0 wins, seat 1 comes second and would have resigned.
  EXPECT_EQ(summary.seats[0].wins, 4);
  EXPECT_EQ(summary.seats[1].wins, 0);
  EXPECT_NEAR(summary.seats[1].share, 4.0 / 3, 1e-6);
  EXPECT_EQ(summary.bots.at("mcts").games, 8);
  EXPECT_EQ(summary.bots.at("mcts").wins, 4);
  EXPECT_EQ(summary.bots.at("random").games, 4);
  EXPECT_EQ(summary.resignations, 4);
  EXPECT_EQ(summary.false_resignations, 4);
  EXPECT_NEAR(summary.resigned_share, 4.0 / 3, 1e-6);
}

TEST(DataSummary, TiesAreShared) {
  Shard shard = MakeSmallShard();
  for (size_t i = 0; i < 3; ++i) shard.game_points[i] = i == 2 ? 0 : 0.5f;
  DataSummary summary;
  summary.Add({}, shard);
  EXPECT_EQ(summary.seats[0].shared, 1);
  EXPECT_EQ(summary.seats[0].wins, 1);
  EXPECT_EQ(summary.seats[1].shared, 1);
  EXPECT_EQ(summary.seats[2].shared, 0);
}

TEST(DataSummary, DistinguishesOpeningsByTheirFirstPlies) {
  Shard shard = MakeSmallShard();
  shard.game_start[1] = shard.game_start[0];
  shard.game_moves[7] = 10;  // the third move of the second game
  for (const auto& [plies, different] : {std::pair(2, 1u), std::pair(3, 2u)}) {
    DataSummary summary;
    summary.opening_plies = plies;
    summary.Add({}, shard);
    EXPECT_EQ(summary.openings.size(), different) << plies;
  }
}

std::string Shown(const std::vector<Bar>& bars) {
  std::string text;
  for (const Bar& bar : bars) {
    text += std::to_string(bar.first) + "-" + std::to_string(bar.last) + ":" +
            std::to_string(bar.count) + " ";
  }
  return text;
}

TEST(DataSummary, Histograms) {
  EXPECT_EQ(Shown(Histogram({}, 5)), "");
  EXPECT_EQ(Shown(Histogram({{7, 2}}, 5)), "7-7:2 ");
  EXPECT_EQ(Shown(Histogram({{0, 1}, {4, 2}}, 5)), "0-0:1 1-1:0 2-2:0 3-3:0 4-4:2 ");
  EXPECT_EQ(Shown(Histogram({{0, 1}, {5, 2}}, 5)), "0-1:1 2-3:0 4-5:2 ");
  EXPECT_EQ(Shown(Histogram({{9, 1}, {19, 1}, {20, 4}}, 5)), "5-9:1 10-14:0 15-19:1 20-24:4 ");
  EXPECT_EQ(Shown(Histogram({{12, 1}, {49, 1}}, 5)), "10-19:1 20-29:0 30-39:0 40-49:1 ");
  EXPECT_EQ(Shown(Histogram({{12, 1}, {199, 3}}, 10)),
            "0-19:1 20-39:0 40-59:0 60-79:0 80-99:0 100-119:0 120-139:0 140-159:0 160-179:0 "
            "180-199:3 ");
}

}  // namespace
}  // namespace triarch
