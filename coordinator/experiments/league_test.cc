#include "coordinator/experiments/league.h"

#include <algorithm>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;

std::vector<size_t> SizesOf(size_t bots, size_t size) {
  std::vector<size_t> sizes;
  for (const Division& division : MakeDivisions(DrawStartingOrder(bots, 1), size)) {
    sizes.push_back(division.size());
  }
  return sizes;
}

TEST(LeagueTest, DivisionsHaveAboutTheSizeAskedFor) {
  EXPECT_THAT(SizesOf(27, 9), ElementsAre(9, 9, 9));
  EXPECT_THAT(SizesOf(24, 12), ElementsAre(12, 12));
  EXPECT_THAT(SizesOf(25, 12), ElementsAre(13, 12));
  EXPECT_THAT(SizesOf(14, 9), ElementsAre(7, 7));
  EXPECT_THAT(SizesOf(13, 9), ElementsAre(13));
  EXPECT_THAT(SizesOf(4, 9), ElementsAre(4));
  EXPECT_THAT(MakeDivisions(std::vector<int>{3, 1, 0, 2, 4, 5}, 3),
              ElementsAre(ElementsAre(3, 1, 0), ElementsAre(2, 4, 5)));
}

TEST(LeagueTest, ASeasonIsARoundRobin) {
  const Division division = {10, 20, 30, 40, 50};
  std::set<Table> sets;
  for (int64_t match = 0; match < MatchCount(division, 3); ++match) {
    Table table = MatchAt(division, 3, match);
    EXPECT_EQ(table.size(), 3u);
    std::sort(table.begin(), table.end());
    EXPECT_TRUE(sets.insert(table).second);
    for (const int bot : table) EXPECT_EQ(bot % 10, 0);
  }
  EXPECT_EQ(sets.size(), 10u);
  EXPECT_EQ(MatchCount({4, 5, 6, 7}, 2), 6);
}

TEST(LeagueTest, ThirdsMoveUpAndDownByOneDivision) {
  EXPECT_THAT(NextSeason({{0, 1, 2, 3, 4, 5, 6, 7, 8},
                          {10, 11, 12, 13, 14, 15, 16, 17, 18},
                          {20, 21, 22, 23, 24, 25, 26, 27}}),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 10, 11, 12),
                          ElementsAre(6, 7, 8, 13, 14, 15, 16, 20, 21),
                          ElementsAre(17, 18, 22, 23, 24, 25, 26, 27)));
  EXPECT_THAT(NextSeason({{1, 2, 3}}), ElementsAre(ElementsAre(1, 2, 3)));
}

}  // namespace
}  // namespace triarch::experiments
