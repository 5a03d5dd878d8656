#include "coordinator/ratings/standings.h"

#include <string>
#include <utility>
#include <vector>

#include "coordinator/ratings/simulated_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr GameInfo kThree{.name = "three",
                          .variant = "Three",
                          .seats = 3,
                          .seat_names = {"White", "Black", "Red"},
                          .seat_letters = {'w', 'b', 'r'}};
constexpr GameInfo kTwo{.name = "two",
                        .variant = "Two",
                        .seats = 2,
                        .seat_names = {"White", "Black"},
                        .seat_letters = {'w', 'b'}};

TournamentSpec Spec(const std::vector<std::string>& names, int64_t games) {
  TournamentSpec spec;
  for (const std::string& name : names) spec.bots.push_back({name, "random", {}});
  spec.games = games;
  return spec;
}

GameSummary Game(int64_t index, PerSeat<int> bots, PerSeat<uint8_t> place) {
  GameSummary game;
  game.index = index;
  game.match = index / 6;
  game.bots = bots;
  game.outcome = {place, Termination::kCheckmate};
  game.plies = 60;
  return game;
}

Standings Compute(const TournamentSpec& spec, const std::vector<GameSummary>& games,
                  const GameInfo& info) {
  absl::StatusOr<Standings> standings = ComputeStandings(spec, games, info);
  EXPECT_TRUE(standings.ok()) << standings.status();
  return *std::move(standings);
}

// Four games of a (0), b (1), c (2); a is best.
std::vector<GameSummary> FourGames() {
  std::vector<GameSummary> games = {Game(0, {{0, 1, 2}}, {{1, 2, 3}}),   // a > b > c
                                    Game(1, {{2, 0, 1}}, {{3, 1, 1}}),   // a = b > c
                                    Game(2, {{1, 2, 0}}, {{2, 2, 1}}),   // a > b = c
                                    Game(3, {{0, 2, 1}}, {{1, 1, 1}})};  // a = b = c
  games[0].endings = {{std::nullopt, Termination::kCheckmate, Termination::kTimeForfeit}};
  games[1].endings = {{Termination::kIllegalMove, std::nullopt, std::nullopt}};
  games[2].endings = {{Termination::kCheckmate, Termination::kCrash, std::nullopt}};
  games[3].outcome.termination = Termination::kThreefoldRepetition;
  games[0].costs = {{SeatCost{10, 1000, 5000, 4000}, SeatCost{10, 0, 20}, SeatCost{5, 0, 0}}};
  games[0].fallbacks = {{0, 2, 0}};
  games[3].fallbacks = {{0, 1, 4}};
  games[1].costs[Seat::kSecond] = {30, 3000, 15000};
  return games;
}

TEST(StandingsTest, CountsEveryGameOnce) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 6), FourGames(), kThree);
  EXPECT_EQ(standings.name, "Three");
  EXPECT_EQ(standings.games_recorded, 4);
  EXPECT_EQ(standings.games_asked, 6);
  EXPECT_EQ(standings.plies_per_game, 60);
  ASSERT_EQ(standings.bots.size(), 3u);
  for (const BotStanding& bot : standings.bots) {
    EXPECT_EQ(bot.games, 4);
    EXPECT_EQ(bot.games, bot.firsts + bot.draws + bot.seconds + bot.thirds);
  }
  const BotStanding& a = standings.bots[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.rank, 1);
  EXPECT_EQ(a.firsts, 2);
  EXPECT_EQ(a.draws, 2);
  EXPECT_DOUBLE_EQ(a.points, 1 + 0.75 + 1 + 0.5);
  const BotStanding& c = standings.bots[2];
  EXPECT_EQ(c.name, "c");
  EXPECT_EQ(c.draws, 1);
  EXPECT_EQ(c.seconds, 1);
  EXPECT_EQ(c.thirds, 2);
  EXPECT_DOUBLE_EQ(c.points, 0.25 + 0.5);
  EXPECT_THAT(standings.terminations, ElementsAre(Pair(Termination::kCheckmate, 3),
                                                  Pair(Termination::kThreefoldRepetition, 1)));
}

TEST(StandingsTest, CountsFaultsByKind) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 4), FourGames(), kThree);
  EXPECT_EQ(standings.bots[0].faults, Faults{});
  EXPECT_EQ(standings.bots[2].faults, (Faults{.time_forfeit = 1, .illegal_move = 1, .crash = 1}));
  EXPECT_EQ(standings.bots[2].faults.total(), 3);
}

TEST(StandingsTest, CountsFallbacks) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 4), FourGames(), kThree);
  EXPECT_EQ(standings.bots[0].fallbacks, 0);
  EXPECT_EQ(standings.bots[1].fallbacks, 6);
  EXPECT_EQ(standings.bots[2].fallbacks, 1);
}

TEST(StandingsTest, AveragesCostsOverMoves) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 4), FourGames(), kThree);
  EXPECT_DOUBLE_EQ(*standings.bots[0].time_per_move_ms, 0.5);
  EXPECT_DOUBLE_EQ(*standings.bots[0].nodes_per_move, 100);
  EXPECT_DOUBLE_EQ(*standings.bots[0].cpu_per_move_ms, 0.4) << "from the game with a measurement";
  EXPECT_EQ(standings.bots[1].cpu_per_move_ms, std::nullopt);
  EXPECT_DOUBLE_EQ(*standings.bots[1].time_per_move_ms, 0.002);
  const Standings free =
      Compute(Spec({"a", "b", "c"}, 1), {Game(0, {{0, 1, 2}}, {{1, 2, 3}})}, kThree);
  EXPECT_EQ(free.bots[0].time_per_move_ms, std::nullopt);
}

TEST(StandingsTest, CrossTableIsSymmetric) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 4), FourGames(), kThree);
  for (size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(standings.cross[row][row].games, 0);
    for (size_t column = 0; column < 3; ++column) {
      if (row == column) continue;
      const CrossScore& score = standings.cross[row][column];
      EXPECT_EQ(score.games, 4);
      EXPECT_DOUBLE_EQ(score.score + standings.cross[column][row].score, 4);
    }
  }
  EXPECT_DOUBLE_EQ(standings.cross[0][1].score, 3);    // a against b: 1, 1/2, 1, 1/2
  EXPECT_DOUBLE_EQ(standings.cross[0][2].score, 3.5);  // a against c: 1, 1, 1, 1/2
}

TEST(StandingsTest, SeatsShareThePoints) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 4), FourGames(), kThree);
  ASSERT_EQ(standings.seats.size(), 3u);
  EXPECT_EQ(standings.seats[2].name, "Red");
  EXPECT_DOUBLE_EQ(*standings.seats[0].points_per_game, (1 + 0 + 0.25 + 0.5) / 4);
  double points = 0;
  double effects = 0;
  for (const SeatStanding& seat : standings.seats) {
    points += *seat.points_per_game;
    effects += seat.effect.value;
  }
  EXPECT_DOUBLE_EQ(points, 1.5);
  EXPECT_NEAR(effects, 0, 1e-9);
}

TEST(StandingsTest, RanksByRatingAndComparesNeighbours) {
  const ratings::SimulatedWorld world{.strength = {-0.8, 0.6, 0, 0.2},
                                      .seat = {0.1, 0, -0.1},
                                      .tie = {0, 0, -1, -1},
                                      .opening_deviation = 0,
                                      .can_share_second = true};
  const std::vector<GameSummary> games = ratings::SimulateRoundRobin(world, 25, 1);
  const Standings standings = Compute(Spec({"w", "x", "y", "z"}, 600), games, kThree);
  EXPECT_EQ(standings.bots[0].name, "x");
  EXPECT_EQ(standings.bots[3].name, "w");
  EXPECT_EQ(standings.RowOf(1), 0u);
  for (size_t row = 0; row + 1 < 4; ++row) {
    EXPECT_EQ(standings.bots[row].rank, static_cast<int>(row) + 1);
    EXPECT_GE(standings.bots[row].rating->value, standings.bots[row + 1].rating->value);
    EXPECT_GE(*standings.bots[row].superiority, 0.5);
  }
  EXPECT_EQ(standings.bots[3].superiority, std::nullopt);
  ASSERT_TRUE(standings.next_margin.has_value());
  EXPECT_LT(standings.next_margin->next_elo, standings.next_margin->now_elo);
  EXPECT_GT(standings.next_margin->games, 0);
}

TEST(StandingsTest, ShowsStylesThatDiffer) {
  const ratings::SimulatedWorld world{.strength = {0.2, 0, 0, -0.2},
                                      .seat = {0.1, 0, -0.1},
                                      .tie = {0, 0, -1, -1},
                                      .opening_deviation = 0,
                                      .can_share_second = true,
                                      .duel_shift = {-1.2, 0, 0, 0}};
  const std::vector<GameSummary> games = ratings::SimulateRoundRobin(world, 40, 1);
  TournamentSpec spec = Spec({"w", "x", "y", "z"}, 960);
  Standings standings = Compute(spec, games, kThree);
  // The mean of the styles is 0, so those of the others are below it.
  for (const BotStanding& bot : standings.bots) {
    EXPECT_TRUE(bot.style->value > 100 ? bot.has_style : bot.style->value < 0) << bot.name;
    EXPECT_EQ(bot.style->value > 100, bot.name == "w") << bot.style->value;
  }
  EXPECT_EQ(standings.coalitions.pairs.size(), 6u);
  // An anchor without games must not weaken the tests.
  spec.bots.push_back({"idle", "random", {}});
  spec.anchor = "idle";
  const Standings anchored = Compute(spec, games, kThree);
  ASSERT_EQ(anchored.coalitions.pairs.size(), 6u);
  EXPECT_NEAR(anchored.coalitions.pairs[2].gang.z, standings.coalitions.pairs[2].gang.z, 1e-6);

  StandingsBuilder builder(spec, kThree);
  for (const GameSummary& game : games) ASSERT_TRUE(builder.Add(game).ok());
  const Standings ratings_only = builder.Compute(StandingsParts::kWithoutStyles).value();
  EXPECT_EQ(ratings_only.bots[0].rating->value, anchored.bots[0].rating->value);
  EXPECT_EQ(ratings_only.bots[0].style, std::nullopt);
  EXPECT_TRUE(ratings_only.coalitions.pairs.empty());
}

TEST(StandingsTest, AnchorIsZero) {
  TournamentSpec spec = Spec({"a", "b", "c"}, 4);
  spec.anchor = "b";
  const Standings standings = Compute(spec, FourGames(), kThree);
  EXPECT_EQ(standings.anchor, 1);
  EXPECT_EQ(standings.bots[standings.RowOf(1)].rating->value, 0);
  EXPECT_EQ(standings.bots[standings.RowOf(1)].rating->error, 0);
  spec.anchor = "nobody";
  EXPECT_THAT(std::string(ComputeStandings(spec, FourGames(), kThree).status().message()),
              HasSubstr("\"nobody\""));
}

TEST(StandingsTest, NoGames) {
  const Standings standings = Compute(Spec({"a", "b", "c"}, 100), {}, kThree);
  EXPECT_EQ(standings.bots.size(), 3u);
  EXPECT_EQ(standings.bots[0].name, "a");
  EXPECT_EQ(standings.bots[0].rating, std::nullopt);
  EXPECT_EQ(standings.bots[0].superiority, std::nullopt);
  EXPECT_EQ(standings.seats[0].points_per_game, std::nullopt);
  EXPECT_EQ(standings.next_margin, std::nullopt);
}

TEST(StandingsTest, BotsWithoutGamesComeLastUnrated) {
  const Standings standings =
      Compute(Spec({"idle", "a", "b", "c"}, 4), {Game(0, {{1, 2, 3}}, {{1, 2, 3}})}, kThree);
  EXPECT_EQ(standings.bots[3].name, "idle");
  EXPECT_EQ(standings.bots[3].rating, std::nullopt);
  EXPECT_EQ(standings.bots[2].superiority, std::nullopt);
}

TEST(StandingsTest, RefusesTooManyBots) {
  std::vector<std::string> names;
  for (size_t i = 0; i <= kRatedBotsMax; ++i) names.push_back(std::to_string(i));
  const absl::Status status = ComputeStandings(Spec(names, 4), FourGames(), kThree).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no standings for 1001 bots"));
}

TEST(StandingsTest, TwoSeatGames) {
  const Standings standings = Compute(
      Spec({"a", "b"}, 3),
      {Game(0, {{0, 1}}, {{1, 2}}), Game(1, {{1, 0}}, {{1, 1}}), Game(2, {{1, 0}}, {{2, 1}})},
      kTwo);
  EXPECT_EQ(standings.seats.size(), 2u);
  EXPECT_EQ(standings.bots[0].name, "a");
  EXPECT_DOUBLE_EQ(standings.bots[0].points, 2.5);
  EXPECT_EQ(standings.bots[1].seconds, 2);
  EXPECT_EQ(standings.bots[1].draws, 1);
  EXPECT_DOUBLE_EQ(standings.ties.first_of_two.observed, 1.0 / 3);
  EXPECT_TRUE(standings.coalitions.triples.empty());
}

TEST(StandingsTest, RejectsInvalidGames) {
  EXPECT_THAT(std::string(ComputeStandings(Spec({"a", "b", "c"}, 4),
                                           std::vector{Game(3, {{0, 1, 9}}, {{1, 2, 3}})}, kThree)
                              .status()
                              .message()),
              HasSubstr("game 3: bot 9"));
}

}  // namespace
}  // namespace triarch
