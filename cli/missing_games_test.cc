#include "cli/missing_games.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int64_t> All(std::vector<Store::Range> recorded, int64_t games) {
  MissingGames missing(recorded, games);
  std::vector<int64_t> all;
  while (const std::optional<int64_t> index = missing.Next()) all.push_back(*index);
  EXPECT_EQ(missing.Next(), std::nullopt);
  EXPECT_EQ(missing.count(), static_cast<int64_t>(all.size()));
  return all;
}

TEST(MissingGamesTest, WhatNoRangeHolds) {
  EXPECT_THAT(All({}, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(All({{0, 2}}, 4), ElementsAre(2, 3));
  EXPECT_THAT(All({{1, 2}, {3, 5}}, 7), ElementsAre(0, 2, 5, 6));
  EXPECT_THAT(All({{2, 4}}, 4), ElementsAre(0, 1));
  EXPECT_THAT(All({{0, 4}}, 4), IsEmpty());
  EXPECT_THAT(All({}, 0), IsEmpty());
}

TEST(MissingGamesTest, RangesBeyondTheGamesAskedForCountForNothing) {
  EXPECT_THAT(All({{1, 9}, {11, 20}}, 3), ElementsAre(0));
  EXPECT_THAT(All({{5, 9}}, 3), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace triarch
