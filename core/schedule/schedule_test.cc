#include "core/schedule/schedule.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kFarIndex = 1'000'000'000'000'000;

TournamentSpec SpecOf(size_t bots) {
  TournamentSpec spec;
  spec.game = "triumvirate";
  spec.seed = 7;
  for (size_t i = 0; i < bots; ++i) {
    const std::string number = std::to_string(i);
    spec.bots.push_back(
        {.name = "bot" + number, .bot = "paranoid", .options = {{"depth", number}}});
  }
  return spec;
}

Schedule MakeSchedule(TournamentSpec spec) {
  absl::StatusOr<Schedule> schedule = Schedule::Make(std::move(spec));
  EXPECT_TRUE(schedule.ok()) << schedule.status();
  return *std::move(schedule);
}

// Returns everything about a game as one text.
std::string Print(const GameSpec& game) {
  std::string text = std::to_string(game.index) + " match " + std::to_string(game.match) + " " +
                     game.position + " seed " + std::to_string(game.seed) + ":";
  for (const BotSpec& bot : game.seats) text += " " + bot.name;
  for (const std::string& move : game.opening) text += " " + move;
  return text;
}

TEST(ScheduleTest, RefusesTooFewBots) {
  EXPECT_THAT(Schedule::Make(SpecOf(2)).status().message(), HasSubstr("2 bots are too few"));
  TournamentSpec spec = SpecOf(3);
  spec.game = "go";
  EXPECT_FALSE(Schedule::Make(spec).ok());
  spec = SpecOf(3);
  spec.start = "nowhere";
  EXPECT_FALSE(Schedule::Make(spec).ok());
}

TEST(ScheduleTest, CountsARound) {
  const Schedule schedule = MakeSchedule(SpecOf(5));
  EXPECT_EQ(schedule.matches_per_round(), 10);
  EXPECT_EQ(schedule.games_per_round(), 60);
}

TEST(ScheduleTest, ARoundSeatsEveryBotEquallyOftenOnEverySeat) {
  const Schedule schedule = MakeSchedule(SpecOf(5));
  std::map<std::pair<std::string, size_t>, int> games;
  for (int64_t index = 0; index < schedule.games_per_round(); ++index) {
    const GameSpec game = schedule.Game(index);
    for (size_t seat = 0; seat < 3; ++seat) ++games[{game.seats[SeatAt(seat)].name, seat}];
  }
  EXPECT_EQ(games.size(), 15u);
  for (const auto& [key, count] : games) EXPECT_EQ(count, 12);
}

TEST(ScheduleTest, AMatchHasOneOpening) {
  TournamentSpec spec = SpecOf(5);
  spec.openings.random_plies = 6;
  const Schedule schedule = MakeSchedule(spec);
  std::set<std::vector<std::string>> openings;
  for (int64_t match = 0; match < 20; ++match) {
    const GameSpec first = schedule.Game(match * 6);
    EXPECT_EQ(first.opening.size(), 6u);
    openings.insert(first.opening);
    std::set<uint64_t> seeds;
    for (int64_t index = match * 6; index < match * 6 + 6; ++index) {
      const GameSpec game = schedule.Game(index);
      EXPECT_EQ(game.match, match);
      EXPECT_EQ(game.opening, first.opening);
      EXPECT_EQ(schedule.Game(index, &first).seed, game.seed);
      EXPECT_EQ(schedule.Game(index, &first).opening, game.opening);
      seeds.insert(game.seed);
    }
    EXPECT_EQ(seeds.size(), 6u);
    const GameSpec next = schedule.Game(match * 6 + 6);
    EXPECT_EQ(schedule.Game(match * 6 + 6, &first).opening, next.opening);
  }
  EXPECT_GE(openings.size(), 19u);
}

// Bots 1 and 3 of five are copies, so 3 of the 10 sets have only three seatings.
TournamentSpec SpecWithCopies() {
  TournamentSpec spec = SpecOf(5);
  spec.bots[3].options = spec.bots[1].options;
  return spec;
}

TEST(ScheduleTest, AMatchWithCopiesHasOnlyTheRotations) {
  const Schedule schedule = MakeSchedule(SpecWithCopies());
  EXPECT_EQ(schedule.games_per_round(), 7 * 6 + 3 * 3);
  std::map<int64_t, std::set<std::vector<std::string>>> tables;  // bots by seat, of each match
  for (int64_t index = 0; index < 3 * schedule.games_per_round(); ++index) {
    const GameSpec game = schedule.Game(index);
    EXPECT_EQ(game.match / 10, index / schedule.games_per_round());
    std::vector<std::string> seats;
    for (const BotSpec& bot : game.seats) seats.push_back(bot.name);
    EXPECT_TRUE(tables[game.match].insert(seats).second) << index;
  }
  ASSERT_EQ(tables.size(), 30u);
  for (const auto& [match, seatings] : tables) {
    std::set<std::string> bots(seatings.begin()->begin(), seatings.begin()->end());
    const bool has_copies = bots.contains("bot1") && bots.contains("bot3");
    EXPECT_EQ(seatings.size(), has_copies ? 3u : 6u) << match;
    std::set<std::pair<std::string, size_t>> seats;
    for (const std::vector<std::string>& seating : seatings) {
      for (size_t i = 0; i < 3; ++i) seats.emplace(seating[i], i);
    }
    EXPECT_EQ(seats.size(), 9u) << "each of the three bots in each seat";
  }
}

TEST(ScheduleTest, CopiesChangeNoOtherMatch) {
  TournamentSpec spec = SpecWithCopies();
  spec.openings.random_plies = 4;
  const Schedule with = MakeSchedule(spec);
  spec.bots[3].options["depth"] = "3";
  const Schedule without = MakeSchedule(spec);
  std::map<int64_t, std::vector<PerSeat<int>>> seatings;
  std::map<int64_t, std::vector<std::string>> openings;
  for (int64_t index = 0; index < without.games_per_round(); ++index) {
    const GameSpec game = without.Game(index);
    seatings[game.match].push_back(without.Bots(index));
    openings[game.match] = game.opening;
  }
  std::map<int64_t, size_t> played;
  for (int64_t index = 0; index < with.games_per_round(); ++index) {
    const GameSpec game = with.Game(index);
    EXPECT_EQ(with.Bots(index), seatings[game.match].at(played[game.match]++));
    EXPECT_EQ(game.opening, openings[game.match]);
  }
}

TEST(ScheduleTest, CopiesInTwoPlayerGamesAndGauntlets) {
  TournamentSpec spec = SpecWithCopies();
  spec.format = Format::kGauntlet;  // of bot 0: one of the 6 pairs of others are copies
  EXPECT_EQ(MakeSchedule(spec).games_per_round(), 5 * 6 + 3);
  spec.bots[0].options = spec.bots[1].options;  // now also every set with 1 or 3
  EXPECT_EQ(MakeSchedule(spec).games_per_round(), 6 + 5 * 3);
  spec = SpecWithCopies();
  spec.game = "tri-d";
  EXPECT_EQ(MakeSchedule(spec).games_per_round(), 10 * 2);
}

TEST(ScheduleTest, HugeRoundsHaveAllSeatings) {
  TournamentSpec spec = SpecOf(86);
  spec.bots[1].options = spec.bots[0].options;
  EXPECT_EQ(MakeSchedule(spec).games_per_round(), 6 * 102'340);
  spec.bots.pop_back();
  EXPECT_EQ(MakeSchedule(spec).games_per_round(), 6 * 98'770 - 3 * 83);
}

TEST(ScheduleTest, RandomOpeningsEliminateNoSeat) {
  TournamentSpec spec = SpecOf(3);
  spec.openings.random_plies = 40;
  const Schedule schedule = MakeSchedule(spec);
  for (int64_t match = 0; match < 50; ++match) {
    absl::StatusOr<AnyState> state = AnyState::Start(spec.game, spec.start);
    ASSERT_TRUE(state.ok());
    for (const std::string& move : schedule.Game(match * 6).opening) {
      ASSERT_TRUE(state->Play(move).ok()) << move;
    }
    EXPECT_FALSE(state->outcome());
    for (size_t seat = 0; seat < 3; ++seat) EXPECT_TRUE(state->is_in(SeatAt(seat)));
  }
}

TEST(ScheduleTest, OpeningLinesTakeTurnsByRound) {
  TournamentSpec spec = SpecOf(4);
  spec.openings.lines = {{.position = "", .moves = {"E2-E4"}}, {.position = "x", .moves = {}}};
  const Schedule schedule = MakeSchedule(spec);
  const int64_t round = schedule.games_per_round();
  for (int64_t index = 0; index < 4 * round; ++index) {
    const GameSpec game = schedule.Game(index);
    const bool is_first = index / round % 2 == 0;
    EXPECT_EQ(game.position, is_first ? "" : "x");
    EXPECT_EQ(game.opening.size(), is_first ? 1u : 0u);
  }
}

TEST(ScheduleTest, WritesOnlyNonDefaultStarts) {
  for (const std::string_view start : AnyState::Starts("triumvirate")) {
    TournamentSpec spec = SpecOf(3);
    spec.start = start;
    const bool is_default = start == AnyState::Starts("triumvirate").front();
    EXPECT_EQ(MakeSchedule(spec).Game(0).position.empty(), is_default) << start;
  }
}

TEST(ScheduleTest, MoreGamesDoNotChangeEarlierOnes) {
  TournamentSpec spec = SpecOf(4);
  spec.openings.random_plies = 3;
  spec.games = 24;
  const Schedule small = MakeSchedule(spec);
  spec.games = 1'000'000;
  const Schedule large = MakeSchedule(spec);
  for (int64_t index = 0; index < 24; ++index) {
    EXPECT_EQ(Print(small.Game(index)), Print(large.Game(index)));
  }
}

TEST(ScheduleTest, HandlesAnyIndex) {
  TournamentSpec spec = SpecOf(200);
  spec.openings.random_plies = 4;
  const Schedule schedule = MakeSchedule(spec);
  std::set<std::string> games;
  for (int64_t index = kFarIndex; index < kFarIndex + 100; ++index) {
    games.insert(Print(schedule.Game(index)));
  }
  EXPECT_EQ(games.size(), 100u);
  EXPECT_EQ(schedule.Game(kFarIndex).match, kFarIndex / 6);
}

TEST(ScheduleTest, SeedChangesGamesAndOpenings) {
  TournamentSpec spec = SpecOf(3);
  spec.openings.random_plies = 8;
  const GameSpec one = MakeSchedule(spec).Game(0);
  spec.seed = 8;
  const GameSpec other = MakeSchedule(spec).Game(0);
  EXPECT_NE(one.seed, other.seed);
  EXPECT_NE(one.opening, other.opening);
}

TournamentSpec SelfplayOf(const std::vector<double>& weights) {
  TournamentSpec spec = SpecOf(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) spec.bots[i].weight = weights[i];
  spec.selfplay = std::make_shared<const SelfplaySpec>();
  spec.openings.random_plies = 4;
  return spec;
}

TEST(ScheduleTest, OneSelfplayBotFillsAllSeats) {
  const Schedule schedule = MakeSchedule(SelfplayOf({1}));
  EXPECT_EQ(schedule.games_per_round(), 1);
  std::set<std::string> openings;
  for (const int64_t index : {int64_t{0}, int64_t{1}, int64_t{2}, kFarIndex}) {
    const GameSpec game = schedule.Game(index);
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(game.seats[SeatAt(i)].name, "bot0");
    EXPECT_EQ(game.selfplay, schedule.spec().selfplay);
    EXPECT_EQ(Print(game), Print(schedule.Game(index)));
    std::string opening;
    for (const std::string& move : game.opening) opening += move + " ";
    openings.insert(opening);
  }
  EXPECT_EQ(openings.size(), 4u) << "every game has its own";
}

TEST(ScheduleTest, SelfplaySeatsDrawBotsByWeight) {
  const Schedule schedule = MakeSchedule(SelfplayOf({1, 3}));
  constexpr int kGames = 4000;
  PerSeat<int> second{};
  int both = 0;  // seats 1 and 2 have the second bot
  for (int i = 0; i < kGames; ++i) {
    const PerSeat<int> bots = schedule.Bots(i);
    for (size_t s = 0; s < 3; ++s) second[SeatAt(s)] += bots[SeatAt(s)];
    both += bots[SeatAt(0)] * bots[SeatAt(1)];
  }
  // Four standard deviations of 0.0068 and 0.0078.
  for (size_t s = 0; s < 3; ++s) EXPECT_NEAR(second[SeatAt(s)] / double{kGames}, 0.75, 0.028);
  EXPECT_NEAR(both / double{kGames}, 0.5625, 0.032);
}

TEST(ScheduleTest, RefusesWeightsThatAreNotPositive) {
  for (const std::vector<double>& weights : {std::vector<double>{0}, {1, -1}, {1, std::nan("")}}) {
    EXPECT_THAT(Schedule::Make(SelfplayOf(weights)).status().message(),
                HasSubstr("expected a number above 0"));
  }
}

TEST(ScheduleTest, RefusesAnOpeningThatReachesPliesMax) {
  TournamentSpec spec = SpecOf(3);
  spec.openings.random_plies = 8;
  spec.adjudication.plies_max = 8;
  EXPECT_THAT(Schedule::Make(spec).status().message(),
              HasSubstr("adjudication.plies_max is 8, but an opening has 8 plies"));
  spec.adjudication.plies_max = 9;
  EXPECT_TRUE(Schedule::Make(spec).ok());
}

}  // namespace
}  // namespace triarch
