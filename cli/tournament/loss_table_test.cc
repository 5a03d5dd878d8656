#include "cli/tournament/loss_table.h"

#include <map>
#include <nlohmann/json.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const GameInfo& Triumvirate() { return **FindGame("triumvirate"); }

Loss Lost(double loss, Phase phase, LossKind kind = LossKind::kMove) {
  EventAnalysis analysis;
  analysis.loss = loss;
  analysis.phase = phase;
  return {.played = "E2-E4", .kind = kind, .analysis = analysis};
}

// Two games: 0.5 lost as White, by one blunder, and 0.2 as Black, mostly by a crash.
std::vector<SeatLosses> TwoGames() {
  return {
      {.game = "1.1",
       .seat = Seat::kFirst,
       .opponents = {"greedy", "random"},
       .points = 1,
       .losses = {Lost(0.1, Phase::kOpening), Lost(0.4, Phase::kMiddle)}},
      {.game = "1.2",
       .seat = Seat::kSecond,
       .opponents = {"greedy", "smart"},
       .points = 0.5,
       .losses = {Lost(0.05, Phase::kOpening), Lost(0.15, Phase::kEnding, LossKind::kForfeit)}}};
}

std::map<std::string, LossRow> RowsByName(const std::vector<SeatLosses>& seats) {
  std::map<std::string, LossRow> rows;
  for (const LossRow& row : LossRows(Triumvirate(), seats)) rows[row.group + " " + row.name] = row;
  return rows;
}

TEST(PhaseOf, DependsOnTheMaterial) {
  EXPECT_EQ(PhaseOf(1000, 1000), Phase::kOpening);
  EXPECT_EQ(PhaseOf(851, 1000), Phase::kOpening);
  EXPECT_EQ(PhaseOf(850, 1000), Phase::kMiddle);
  EXPECT_EQ(PhaseOf(450, 1000), Phase::kMiddle);
  EXPECT_EQ(PhaseOf(449, 1000), Phase::kEnding);
}

TEST(LossRows, AddsUpAllGames) {
  const LossRow all = RowsByName(TwoGames())[" all games"];
  EXPECT_EQ(all.games, 2);
  EXPECT_EQ(all.moves, 3) << "a forfeit is not a move";
  EXPECT_EQ(all.blunders, 1);
  EXPECT_NEAR(all.loss, 0.7, 1e-12);
  EXPECT_NEAR(all.loss_per_game, 0.35, 1e-12);
  EXPECT_NEAR(*all.error, 1.96 * 0.15, 1e-12) << "the standard deviation is 0.3 / sqrt(2)";
  EXPECT_NEAR(*all.per_move, 0.7 / 3, 1e-12);
  EXPECT_NEAR(*all.points, 0.75, 1e-12);
  EXPECT_NEAR(*all.share, 1, 1e-12);
}

TEST(LossRows, SplitsByPhase) {
  auto rows = RowsByName(TwoGames());
  EXPECT_NEAR(rows["phase opening"].loss, 0.15, 1e-12);
  EXPECT_NEAR(rows["phase middle"].loss, 0.4, 1e-12);
  EXPECT_NEAR(rows["phase middle"].loss_per_game, 0.2, 1e-12) << "per game of all";
  EXPECT_EQ(rows["phase middle"].blunders, 1);
  EXPECT_EQ(rows["phase ending"].moves, 0);
  EXPECT_FALSE(rows["phase ending"].per_move.has_value());
  EXPECT_FALSE(rows["phase ending"].points.has_value());
}

TEST(LossRows, SplitsBySeatAndOpponent) {
  auto rows = RowsByName(TwoGames());
  EXPECT_NEAR(rows["seat White"].loss, 0.5, 1e-12);
  EXPECT_NEAR(*rows["seat White"].points, 1, 1e-12);
  EXPECT_FALSE(rows["seat White"].error.has_value()) << "a single game";
  EXPECT_NEAR(rows["seat Black"].loss, 0.2, 1e-12);
  EXPECT_EQ(rows["seat Red"].games, 0);
  EXPECT_EQ(rows["against greedy"].games, 2);
  EXPECT_NEAR(rows["against greedy"].loss, 0.7, 1e-12);
  EXPECT_NEAR(rows["against smart"].loss, 0.2, 1e-12);
  EXPECT_NEAR(*rows["against random"].share, 5.0 / 7, 1e-12);
}

TEST(LossRows, SplitsByKind) {
  auto rows = RowsByName(TwoGames());
  EXPECT_NEAR(rows["by moves"].loss, 0.55, 1e-12);
  EXPECT_NEAR(rows["by forfeits"].loss, 0.15, 1e-12);
  EXPECT_FALSE(rows.contains("by fallback moves")) << "there are none";
}

TEST(LossRows, WithoutLossesThereAreNoShares) {
  std::vector<SeatLosses> seats = {{.game = "1.1", .losses = {Lost(0, Phase::kOpening)}}};
  const LossRow all = RowsByName(seats)[" all games"];
  EXPECT_FALSE(all.share.has_value());
  EXPECT_FALSE(all.points.has_value()) << "the game is unfinished";
  EXPECT_TRUE(WorstLosses(seats, 10).empty());
}

TEST(WorstLosses, AreSorted) {
  const std::vector<SeatLosses> seats = TwoGames();
  const std::vector<WorstLoss> worst = WorstLosses(seats, 2);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].seat->game, "1.1");
  EXPECT_EQ(worst[0].loss->analysis.loss, 0.4);
  EXPECT_EQ(worst[1].seat->game, "1.2");
}

// White moves, Black crashes, White plays a fallback move and resigns.
GameRecord SomeRecord() {
  GameRecord record;
  record.match = 2;
  record.index = 16;
  record.bots = {.values = {"mine", "greedy", "greedy"}};
  record.opening_plies = 1;
  record.events.resize(4);
  record.events[0].move = record.events[2].move = "E2-E4";
  record.events[1].kind = RecordedEvent::Kind::kForfeit;
  record.events[1].seat = Seat::kSecond;
  record.events[2].is_fallback = true;
  record.events[3].kind = RecordedEvent::Kind::kResign;
  record.is_finished = true;
  record.outcome = {.place = {.values = {2, 3, 1}}, .termination = Termination::kResignation};
  return record;
}

TEST(LossesOf, TakesTheOwnEventsAfterTheOpening) {
  const GameRecord record = SomeRecord();
  EXPECT_THAT(OwnEvents(record, Seat::kFirst), ElementsAre(2, 3));
  EXPECT_THAT(OwnEvents(record, Seat::kSecond), ElementsAre(1));
  const SeatLosses losses =
      LossesOf(Triumvirate(), record, Seat::kFirst, std::vector<EventAnalysis>(2));
  EXPECT_EQ(losses.game, "3.17");
  EXPECT_THAT(losses.opponents, ElementsAre("greedy"));
  EXPECT_EQ(losses.points, 0.5);
  ASSERT_EQ(losses.losses.size(), 2u);
  EXPECT_EQ(losses.losses[0].kind, LossKind::kFallback);
  EXPECT_EQ(losses.losses[1].kind, LossKind::kOther);
  EXPECT_EQ(losses.losses[1].played, "resigns");
}

TEST(LossText, ShowsTheTableAndTheWorst) {
  const LossReport report{.info = Triumvirate(),
                          .bot = "mine",
                          .analyst = "judge",
                          .games = 2,
                          .games_there = 5,
                          .seats = TwoGames()};
  const std::string text = LossText(report);
  EXPECT_THAT(text, HasSubstr("mine: 2 games of 5, judged by judge\n"));
  EXPECT_THAT(text, HasSubstr("all games      2    0.75  0.350  0.294   100%      3    0.2333"));
  EXPECT_THAT(text, HasSubstr("1.1     1  White  middle   greedy, random  E2-E4"));
  const auto json = nlohmann::json::parse(LossJson(report));
  EXPECT_EQ(json["rows"][0]["games"], 2);
  EXPECT_EQ(json["rows"][0]["points"], 0.75);
  EXPECT_EQ(json["worst"][0]["id"], "1.1");
  EXPECT_EQ(json["worst"].size(), 4u);
}

}  // namespace
}  // namespace triarch
