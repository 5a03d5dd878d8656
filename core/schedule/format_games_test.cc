#include "core/schedule/format_games.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

TournamentSpec FormatSpec(Format format, size_t bots, const char* game = "triumvirate") {
  TournamentSpec spec;
  spec.game = game;
  spec.format = format;
  spec.bots.resize(bots);
  return spec;
}

TEST(FormatGamesTest, BotsDoubleOncePerSwissRound) {
  EXPECT_EQ(DefaultSwissRounds(2), 1);
  EXPECT_EQ(DefaultSwissRounds(12), 4);
  EXPECT_EQ(DefaultSwissRounds(16), 4);
  EXPECT_EQ(DefaultSwissRounds(17), 5);
  EXPECT_EQ(DefaultSwissRounds(60), 6);
}

TEST(FormatGamesTest, NoDivisionIsTooSmallToFillATable) {
  EXPECT_THAT(DivisionSizes(25, 12), ElementsAre(13, 12));
  EXPECT_THAT(DivisionSizes(8, 3), ElementsAre(4, 4));
  EXPECT_THAT(DivisionSizes(5, 3), ElementsAre(5));
  EXPECT_THAT(DivisionSizes(2, 3), ElementsAre(2));
  for (size_t bots = 3; bots < 60; ++bots) {
    for (size_t size = 3; size < 20; ++size) EXPECT_GE(DivisionSizes(bots, size).back(), 3u);
  }
}

TEST(FormatGamesTest, CountsGames) {
  EXPECT_EQ(GamesOfFormat(FormatSpec(Format::kAdaptive, 5)), 10 * 6);
  TournamentSpec swiss = FormatSpec(Format::kSwiss, 11);
  swiss.format_options.swiss_rounds = 4;
  EXPECT_EQ(GamesOfFormat(swiss), 4 * 3 * 6);
  EXPECT_EQ(GamesOfFormat(FormatSpec(Format::kKnockout, 9)), 8 * kKnockoutMatchesMax * 6);
  EXPECT_EQ(GamesOfFormat(FormatSpec(Format::kLeague, 18)), 2 * 84 * 6);
}

TEST(FormatGamesTest, CountsGamesOfTwoSeats) {
  EXPECT_EQ(GamesOfFormat(FormatSpec(Format::kAdaptive, 5, "tri-d")), 10 * 2);
  EXPECT_EQ(GamesOfFormat(FormatSpec(Format::kLeague, 18, "tri-d")), 2 * 36 * 2);
}

}  // namespace
}  // namespace triarch
