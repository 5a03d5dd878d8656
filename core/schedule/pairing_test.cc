#include "core/schedule/pairing.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

std::vector<int> Table(Format format, int64_t bots, size_t seats, int64_t set, int64_t seating) {
  const PerSeat<int> table = SeatBots(format, bots, seats, set, seating);
  return {table.begin(), table.begin() + static_cast<std::ptrdiff_t>(seats)};
}

TEST(PairingTest, CountsSets) {
  EXPECT_EQ(SetsPerRound(Format::kRoundRobin, 5, 3), 10);
  EXPECT_EQ(SetsPerRound(Format::kRoundRobin, 5, 2), 10);
  EXPECT_EQ(SetsPerRound(Format::kRoundRobin, 3, 3), 1);
  EXPECT_EQ(SetsPerRound(Format::kGauntlet, 5, 3), 6);
  EXPECT_EQ(SetsPerRound(Format::kGauntlet, 5, 2), 4);
  EXPECT_EQ(SetsPerRound(Format::kRoundRobin, kBotsMax, 3), 166'661'666'700'000);
}

TEST(PairingTest, TooFewBotsFillNoTable) {
  for (const Format format : {Format::kRoundRobin, Format::kGauntlet}) {
    for (int64_t bots = 0; bots < 3; ++bots) EXPECT_EQ(SetsPerRound(format, bots, 3), 0);
    EXPECT_EQ(SetsPerRound(format, 1, 2), 0);
  }
}

// Every set of different bots occurs once per round, in every order once.
class EverySetTest : public ::testing::TestWithParam<std::tuple<Format, int, int>> {};

TEST_P(EverySetTest, InEverySeatingOnce) {
  const auto [format, bots, seat_count] = GetParam();
  const auto seats = static_cast<size_t>(seat_count);
  std::map<std::vector<int>, std::set<std::vector<int>>> seatings_of_set;
  for (int64_t set = 0; set < SetsPerRound(format, bots, seats); ++set) {
    std::set<std::vector<int>> sets_seen;
    for (int64_t seating = 0; seating < SeatingsPerSet(seats); ++seating) {
      const std::vector<int> table = Table(format, bots, seats, set, seating);
      std::vector<int> members = table;
      std::sort(members.begin(), members.end());
      EXPECT_EQ(std::adjacent_find(members.begin(), members.end()), members.end());
      EXPECT_GE(members.front(), 0);
      EXPECT_LT(members.back(), bots);
      if (format == Format::kGauntlet) {
        EXPECT_EQ(members.front(), 0);
      }
      sets_seen.insert(members);
      EXPECT_TRUE(seatings_of_set[members].insert(table).second) << "a seating occurs twice";
    }
    EXPECT_EQ(sets_seen.size(), 1u) << "one match, one set";
  }
  EXPECT_EQ(static_cast<int64_t>(seatings_of_set.size()), SetsPerRound(format, bots, seats));
  for (const auto& [members, seatings] : seatings_of_set) {
    EXPECT_EQ(static_cast<int64_t>(seatings.size()), SeatingsPerSet(seats));
  }
}

TEST(PairingTest, RotationsComeFirst) {
  for (const size_t seats : {size_t{2}, size_t{3}}) {
    for (size_t seat = 0; seat < seats; ++seat) {
      std::set<int> seen;
      for (size_t seating = 0; seating < seats; ++seating) {
        const std::vector<int> table =
            Table(Format::kRoundRobin, 3, seats, 0, static_cast<int64_t>(seating));
        seen.insert(table[seat]);
      }
      EXPECT_EQ(seen.size(), seats);
    }
  }
}

// Even a tournament that ends within a round gives every bot about the same number of games.
TEST_P(EverySetTest, PartOfARoundIsBalanced) {
  const auto [format, bots, seat_count] = GetParam();
  const auto seats = static_cast<size_t>(seat_count);
  std::vector<int64_t> matches(static_cast<size_t>(bots));
  for (int64_t set = 0; set < SetsPerRound(format, bots, seats); ++set) {
    for (const int bot : Table(format, bots, seats, set, 0)) ++matches[static_cast<size_t>(bot)];
    const int first = format == Format::kGauntlet ? 1 : 0;
    const auto [fewest, most] = std::minmax_element(matches.begin() + first, matches.end());
    ASSERT_LE(*most - *fewest, seat_count) << "after set " << set;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pairing, EverySetTest,
    ::testing::Combine(::testing::Values(Format::kRoundRobin, Format::kGauntlet),
                       ::testing::Values(3, 4, 5, 6, 8, 9, 17, 30, 31), ::testing::Values(2, 3)));

TEST(PairingTest, LastSetOfTheLargestTournament) {
  const int64_t sets = SetsPerRound(Format::kRoundRobin, kBotsMax, 3);
  std::set<std::vector<int>> tables;
  for (const int64_t set : {int64_t{0}, int64_t{1}, sets / 2, sets - 2, sets - 1}) {
    const std::vector<int> table = Table(Format::kRoundRobin, kBotsMax, 3, set, 5);
    for (const int bot : table) EXPECT_TRUE(bot >= 0 && bot < kBotsMax);
    tables.insert(table);
  }
  EXPECT_EQ(tables.size(), 5u);
}

}  // namespace
}  // namespace triarch
