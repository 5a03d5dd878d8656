// Checks the features of all games along random games.

#include "core/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/bench.h"
#include "core/game/game_state.h"
#include "core/text.h"

namespace triarch {
namespace {

template <class P>
class FeaturesTest : public testing::Test {};
using AllGames = testing::Types<triumvirate::Position, three_way::Position, tri_d::Position>;
TYPED_TEST_SUITE(FeaturesTest, AllGames);

std::vector<Feature> Sorted(const FeatureList& list) {
  std::vector<Feature> features(list.begin(), list.end());
  std::sort(features.begin(), features.end());
  return features;
}
template <class P>
std::vector<Feature> FeaturesOf(const P& position) {
  FeatureList list;
  ListFeatures(position, list);
  return Sorted(list);
}
template <class P>
std::vector<Feature> SeenBy(const std::vector<Feature>& features, Seat viewer) {
  std::vector<Feature> seen;
  for (const Feature feature : features) seen.push_back(FeatureInView(kGame<P>, feature, viewer));
  std::sort(seen.begin(), seen.end());
  return seen;
}

// Returns the positions of random games from the default start and from the bench positions, some
// of which end with an elimination.
template <class P>
std::vector<P> RandomPositions() {
  std::vector<P> positions;
  Random random(7);
  for (int game = 0; game < 40; ++game) {
    const auto names = BenchPositions(kGame<P>);
    P position = game % 2 == 0
                     ? *Start(kGame<P>, "")
                     : *Parse(kGame<P>, names[static_cast<size_t>(game / 2) % names.size()]);
    for (int ply = 0; ply < 120 && !position.outcome(); ++ply) {
      positions.push_back(position);
      const auto moves = position.LegalMoves();
      if (game % 5 == 4 && ply == 60 && P::kInfo.seats == 3) {
        position.Resign(position.to_move());
      } else {
        position.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
      }
    }
  }
  return positions;
}

TYPED_TEST(FeaturesTest, AreDifferentNumbersInRange) {
  for (const TypeParam& position : RandomPositions<TypeParam>()) {
    const std::vector<Feature> features = FeaturesOf(position);
    EXPECT_LT(features.back(), FeatureCount(kGame<TypeParam>));
    EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
  }
}

TYPED_TEST(FeaturesTest, ChangesLeadFromAPositionToAnyOther) {
  const std::vector<TypeParam> positions = RandomPositions<TypeParam>();
  Random random(3);
  size_t changes = 0;
  for (size_t i = 1; i < positions.size(); ++i) {
    // Mostly a move, sometimes anything.
    const TypeParam& before = i % 4 == 0
                                  ? positions[random.Below(static_cast<uint32_t>(positions.size()))]
                                  : positions[i - 1];
    FeatureList lost;
    FeatureList gained;
    ListChanges(before, Flags(before), positions[i], Flags(positions[i]), lost, gained);
    std::vector<Feature> left = FeaturesOf(before);
    for (const Feature feature : lost) {
      const auto found = std::find(left.begin(), left.end(), feature);
      ASSERT_NE(found, left.end()) << feature;
      left.erase(found);
    }
    left.insert(left.end(), gained.begin(), gained.end());
    std::sort(left.begin(), left.end());
    ASSERT_EQ(left, FeaturesOf(positions[i]));
    changes += i % 4 == 0 ? 0 : lost.size() + gained.size();
  }
  // A handful per move; some of these are the first positions of games.
  EXPECT_LT(changes / positions.size(), 10);
}

TYPED_TEST(FeaturesTest, AViewIsAPermutation) {
  const FeatureViews& views = ViewsOfFeatures<TypeParam>();
  for (size_t i = 0; i < TypeParam::kInfo.seats; ++i) {
    std::vector<Feature> all = views[SeatAt(i)];
    ASSERT_EQ(all.size(), FeatureCount(kGame<TypeParam>));
    std::sort(all.begin(), all.end());
    for (size_t feature = 0; feature < all.size(); ++feature) ASSERT_EQ(all[feature], feature);
  }
}

TYPED_TEST(FeaturesTest, AllSeatsSeeTheSameStart) {
  std::vector<Feature> features = FeaturesOf(*Start(kGame<TypeParam>, ""));
  if (TypeParam::kInfo.name == "triumvirate") {
    // Kings and queens do not stand alike: White's queen is at the left of her king.
    std::erase_if(features, [](Feature feature) {
      return feature < FlagFeature(kGame<TypeParam>) && (feature % 32 == 3 || feature % 32 == 4);
    });
  }
  for (size_t i = 0; i < TypeParam::kInfo.seats; ++i) {
    std::vector<Feature> seen = SeenBy<TypeParam>(features, SeatAt(i));
    // Only whose turn it is differs.
    const auto to_move = static_cast<Feature>(FlagFeature(kGame<TypeParam>) +
                                              SeatInView(0, SeatAt(i), TypeParam::kInfo.seats));
    const auto found = std::find(seen.begin(), seen.end(), to_move);
    ASSERT_NE(found, seen.end());
    *found = FlagFeature(kGame<TypeParam>);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, features);
  }
}

}  // namespace
}  // namespace triarch
