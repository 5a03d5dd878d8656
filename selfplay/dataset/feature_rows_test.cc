#include "selfplay/dataset/feature_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/evaluate.h"
#include "core/features.h"
#include "core/sample.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/played_shard.h"

namespace triarch {
namespace {

std::vector<uint16_t> FeaturesIn(const FeatureRow& row) {
  const auto end = std::find(row.features.begin(), row.features.end(), FeatureRow::kNoFeature);
  std::vector<uint16_t> features(row.features.begin(), end);
  std::sort(features.begin(), features.end());
  return features;
}

std::vector<uint16_t> FeaturesOf(const AnyState& state) {
  FeatureList list;
  state.Visit([&]<class P>(const GameState<P>& of) { ListFeatures(of.position(), list); });
  std::vector<uint16_t> features(list.begin(), list.end());
  std::sort(features.begin(), features.end());
  return features;
}

// Whether the mover is not in check, and plays neither a capture nor a promotion.
bool IsQuietTurn(const AnyState& state, uint16_t played) {
  return state.Visit([&]<class P>(const GameState<P>& of) {
    const P& position = of.position();
    for (const auto move : position.LegalMoves()) {
      if (PolicyIndex(move) != played) continue;
      return !position.in_check(position.to_move()) && !VictimOf(position, move) &&
             CaptureGain(position, move) == 0;
    }
    return false;
  });
}

TEST(FeatureRows, AreThoseOfTheReplayedPositions) {
  for (const GameInfo* game : AllGames()) {
    const Shard shard = MakePlayedShard(std::string(game->name), 0);
    std::vector<FeatureRow> rows;
    ASSERT_TRUE(AddFeatureRows(shard, &rows).ok());
    ASSERT_EQ(rows.size(), shard.samples());
    const auto seats = static_cast<size_t>(shard.meta.seats);
    size_t quiet = 0;
    for (size_t n = 0; n < rows.size(); ++n) {
      GameReplay replay = GameReplay::Begin(shard, shard.game[n]).value();
      ASSERT_TRUE(replay.StepTo(shard.ply[n]).ok());
      EXPECT_EQ(FeaturesIn(rows[n]), FeaturesOf(replay.state())) << game->name << " " << n;
      EXPECT_EQ(rows[n].seat, shard.seat[n]);
      EXPECT_EQ(rows[n].ply, shard.ply[n]);
      for (size_t i = 0; i < seats; ++i) {
        EXPECT_EQ(rows[n].points[i], shard.points[n * seats + i]);
        EXPECT_EQ((rows[n].in >> i & 1) != 0, replay.state().is_in(SeatAt(i)));
      }
      const bool is_quiet = (rows[n].in & FeatureRow::kQuiet) != 0;
      EXPECT_EQ(is_quiet, IsQuietTurn(replay.state(), shard.played[n])) << game->name << " " << n;
      quiet += is_quiet ? 1 : 0;
    }
    EXPECT_GT(quiet, 0u);
    EXPECT_LT(quiet, rows.size());
  }
}

TEST(FeatureRows, ViewsArePermutations) {
  for (const GameInfo* game : AllGames()) {
    const auto views = FeatureViewsOf(std::string(game->name)).value();
    ASSERT_EQ(views.size(), game->seats);
    for (const std::vector<uint16_t>& view : views) {
      const std::set<uint16_t> values(view.begin(), view.end());
      EXPECT_EQ(values.size(), view.size());
      EXPECT_EQ(*values.rbegin() + 1u, view.size());
    }
  }
  EXPECT_FALSE(FeatureViewsOf("chess").ok());
}

TEST(FeatureRows, RefusesAnIllegalMove) {
  Shard shard = MakePlayedShard("tri-d", 0);
  shard.game_moves[3] = shard.game_moves[2];
  std::vector<FeatureRow> rows;
  EXPECT_THAT(std::string(AddFeatureRows(shard, &rows).message()),
              testing::HasSubstr("no legal move"));
}

}  // namespace
}  // namespace triarch
