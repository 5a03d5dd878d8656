// Tests how games at tables end: resignations, timeouts, draws and rematches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arena/table/table.h"
#include "arena/table/test_table.h"

namespace triarch::arena {
namespace {

using Kind = Event::Kind;
using Stage = Table::Stage;
using ::testing::ElementsAre;

TableSettings Settings(std::string game) { return {.game = std::move(game), .seed = 7}; }

TestTable Seated(TableSettings settings) {
  TestTable table(settings);
  table.Sit({"Ann", "Ben"}, settings.is_rated);
  if (table->seat_count() == 3) table.Sit({"Cat"}, settings.is_rated);
  return table;
}
TestTable Seated(std::string game = "triumvirate") { return Seated(Settings(std::move(game))); }

// Ann, and house bots at the other seats.
TestTable WithBots(std::string game) {
  TestTable table(Settings(std::move(game)));
  table.Sit({"Ann"});
  table.Fill();
  return table;
}

std::vector<Kind> EventsOf(const Decision& decision) {
  std::vector<Kind> kinds;
  for (const Event& event : decision.events) kinds.push_back(event.kind);
  return kinds;
}

MATCHER_P(Refuses, why, "") {
  return arg.refusal && arg.refusal->why == why && !arg.refusal->text.empty() && arg.events.empty();
}
template <class... Kinds>
auto Grants(Kinds... kinds) {
  return ::testing::AllOf(::testing::Field(&Decision::refusal, ::testing::Eq(std::nullopt)),
                          ::testing::ResultOf(EventsOf, ElementsAre(kinds...)));
}

// Lets a seat miss a deadline again and again, while the others move in time.
Decision TimeOut(TestTable& table, Seat seat, int times) {
  Decision last;
  for (int i = 0; i < times; ++i) {
    while (table->state().to_move() != seat) table.PlayAny();
    last = table.PassDeadline({"paranoid"});
  }
  return last;
}

// ---- Resigning.

TEST(TableEnd, AResignationEndsAGameOfTwo) {
  TestTable table = Seated("tri-d");
  table.Pass(77);
  EXPECT_THAT(table.Resign("Ben"), Grants(Kind::kResigned));
  EXPECT_EQ(table->stage(), Stage::kFinished);
  EXPECT_EQ(table->ended_ms(), table.now_ms());
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
  EXPECT_EQ(table->moves().size(), 0u);
  EXPECT_EQ(table->state().outcome()->place[Seat::kFirst], 1);
}

TEST(TableEnd, AGameOfThreeGoesOnAfterAResignation) {
  TestTable table = Seated();
  table.Pass(50);
  EXPECT_THAT(table.Resign("Ann"), Grants(Kind::kResigned));
  EXPECT_EQ(table->stage(), Stage::kPlaying);
  EXPECT_EQ(table->state().to_move(), Seat::kSecond);
  EXPECT_EQ(table->deadline_ms(), table.now_ms() + table->settings().move_ms);
  EXPECT_THAT(table.Resign("Cat"), Grants(Kind::kResigned));
  EXPECT_EQ(table->stage(), Stage::kFinished);
}

TEST(TableEnd, AResignationOutOfTurnLeavesTheTurnAlone) {
  TestTable table = Seated();
  table.Move("Ann", "nonsense");
  const auto deadline = table->deadline_ms();
  table.Pass(50);
  table.Resign("Ben");
  EXPECT_EQ(table->state().to_move(), Seat::kFirst);
  EXPECT_EQ(table->deadline_ms(), deadline);
  EXPECT_EQ(table->attempts(), 1);
}

TEST(TableEnd, AResignationInTurnForgetsTheAttempts) {
  TestTable table = Seated();
  table.Move("Ann", "nonsense");
  table.Resign("Ann");
  EXPECT_EQ(table->attempts(), 0);
}

TEST(TableEnd, ResigningAgainOrAfterTheGameChangesNothing) {
  TestTable table = Seated();
  table.Resign("Ann");
  EXPECT_THAT(table.Resign("Ann"), Grants());
  table.Resign("Ben");
  EXPECT_THAT(table.Resign("Cat"), Grants());
  EXPECT_THAT(table.Resign("Ann"), Grants());
}

// ---- Draws.

TEST(TableEnd, ClaimsADraw) {
  TableSettings settings = Settings("triumvirate");
  settings.draws = Draws::kClaimed;
  TestTable table = Seated(settings);
  EXPECT_THAT(table.ClaimDraw("Ann"), Refuses(Refused::kForbidden));
  EXPECT_THAT(table.ClaimDraw("Ben"), Refuses(Refused::kNotYourTurn));
  for (int round = 0; round < 2; ++round) {
    for (const auto& [name, move] : {std::pair("Ann", "B1-C3"),
                                     {"Ben", "B8-C6"},
                                     {"Cat", "G12-F10"},
                                     {"Ann", "C3-B1"},
                                     {"Ben", "C6-B8"},
                                     {"Cat", "F10-G12"}}) {
      EXPECT_THAT(table.ClaimDraw("Ann").events, ::testing::IsEmpty());
      ASSERT_THAT(table.Move(name, move), Grants(Kind::kMoved));
    }
  }
  EXPECT_THAT(table.ClaimDraw("Ben"), Refuses(Refused::kNotYourTurn));
  EXPECT_THAT(table.ClaimDraw("Ann"), Grants(Kind::kClaimedDraw));
  EXPECT_EQ(table->stage(), Stage::kFinished);
  EXPECT_EQ(table->state().outcome()->termination, Termination::kThreefoldRepetition);
  EXPECT_THAT(table.ClaimDraw("Ann"), Refuses(Refused::kGameOver));
}

TEST(TableEnd, DrawsAreAutomaticByDefault) {
  TestTable table = Seated();
  const std::vector<std::string> moves = {"B1-C3", "B8-C6", "G12-F10", "C3-B1", "C6-B8", "F10-G12"};
  const std::vector<std::string> names = {"Ann", "Ben", "Cat"};
  for (size_t ply = 0; ply < 12; ++ply) table.Move(names[ply % 3], moves[ply % 6]);
  EXPECT_EQ(table->stage(), Stage::kFinished);
}

TEST(TableEnd, NoDrawBeforeTheGame) {
  TestTable table(Settings("tri-d"));
  table.Sit({"Ann"});
  EXPECT_THAT(table.ClaimDraw("Ann"), Refuses(Refused::kNotStarted));
}

// ---- Rematches.

TEST(TableEnd, PlayersOfAFinishedGameMayWantARematch) {
  TestTable table = Seated("tri-d");
  EXPECT_THAT(table.WantRematch("Ann"), Refuses(Refused::kForbidden));
  table.Resign("Ann");
  EXPECT_FALSE(table->wants_rematch(Seat::kFirst));
  EXPECT_THAT(table.WantRematch("Ann"), Grants(Kind::kWantsRematch));
  EXPECT_TRUE(table->wants_rematch(Seat::kFirst));
  EXPECT_FALSE(table->wants_rematch(Seat::kSecond));
  EXPECT_THAT(table.WantRematch("Ann"), Grants());
  EXPECT_THAT(table.WantRematch("Ben"), Grants(Kind::kWantsRematch));
}

TEST(TableEnd, AClosedTableHasNoRematch) {
  TestTable table = Seated("tri-d");
  EXPECT_THAT(table.Do(table->Close(table.now_ms())), Grants(Kind::kClosed));
  EXPECT_EQ(table->stage(), Stage::kClosed);
  EXPECT_THAT(table.WantRematch("Ann"), Refuses(Refused::kForbidden));
  EXPECT_THAT(table.Do(table->Close(table.now_ms())), Grants());
  EXPECT_THAT(table.Move("Ann", "d1W-c3W"), Refuses(Refused::kGameOver));
}

// ---- Chat.

TEST(TableEnd, PlayersChatUntilTheTableIsClosed) {
  TestTable table(Settings("tri-d"));
  table.Sit({"Ann"});
  EXPECT_THAT(table.Say("Ann", "anyone here?"), Grants(Kind::kSaid));
  table.Sit({"Ben"});
  table.Resign("Ann");
  EXPECT_THAT(table.Say("Ann", "good game"), Grants(Kind::kSaid));
  EXPECT_EQ(table->chat().back().text, "good game");
  TestTable closed = Seated("tri-d");
  closed.Do(closed->Close(closed.now_ms()));
  EXPECT_THAT(closed.Say("Ann", "hi"), Refuses(Refused::kGameOver));
}

// ---- Deadlines before the game.

TEST(TableEnd, WaitsFromTheFirstPlayerOn) {
  TestTable table(Settings("triumvirate"));
  table.Pass(1'000'000);
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
  table.Sit({"Ann"});
  const int64_t deadline = table.now_ms() + table->settings().fill_ms;
  EXPECT_EQ(table->deadline_ms(), deadline);
  table.Pass(10);
  table.Sit({"Ben"});
  table.Resign("Ann");
  EXPECT_EQ(table->deadline_ms(), deadline);
}

TEST(TableEnd, FillsItsSeatsAtTheDeadline) {
  TestTable table(Settings("triumvirate"));
  table.Sit({"Ann"});
  EXPECT_THAT(table->OnDeadline({"random"}, *table->deadline_ms() - 1), Grants());
  EXPECT_THAT(table.PassDeadline({"random"}), Grants(Kind::kJoined, Kind::kJoined));
  EXPECT_EQ(table->stage(), Stage::kPlaying);
  EXPECT_EQ(table->deadline_ms(), table.now_ms() + table->settings().move_ms);
}

TEST(TableEnd, APrivateTableClosesAtTheDeadline) {
  TableSettings settings = Settings("triumvirate");
  settings.is_private = true;
  TestTable table(settings);
  table.Sit({"Ann"});
  EXPECT_THAT(table.PassDeadline(), Grants(Kind::kClosed));
  EXPECT_EQ(table->stage(), Stage::kClosed);
}

// ---- Deadlines in the game.

TEST(TableEnd, ATimeoutForcesAMove) {
  TestTable table = Seated();
  EXPECT_THAT(table->OnDeadline({"random"}, *table->deadline_ms() - 1), Grants());
  const Decision decision = table.PassDeadline();
  EXPECT_THAT(decision, Grants(Kind::kMoved));
  EXPECT_EQ(decision.events[0].forced, Forced::kTimeout);
  EXPECT_EQ(table->state().to_move(), Seat::kSecond);
  EXPECT_EQ(table->game()->record().fallbacks, 1);
}

TEST(TableEnd, AHouseBotReplacesAPlayerWhoIsGone) {
  TestTable table = Seated();
  EXPECT_THAT(TimeOut(table, Seat::kSecond, kTimeoutsMax - 1), Grants(Kind::kMoved));
  EXPECT_FALSE(table.Of("Ben").is_lost);
  const int64_t plies = table->plies();
  EXPECT_THAT(TimeOut(table, Seat::kSecond, 1), Grants(Kind::kReplaced));
  EXPECT_EQ(table->plies(), plies + 2);  // those of the others
  EXPECT_TRUE(table.Of("Ben").is_lost);
  EXPECT_TRUE(table->is_replacement(Seat::kSecond));
  EXPECT_EQ(table->occupant(Seat::kSecond)->house_bot, "paranoid");
  EXPECT_EQ(table->house_turn(), Seat::kSecond);
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
  EXPECT_THAT(table.Move("Ben", "B8-C6"), Refuses(Refused::kSeatLost));
  EXPECT_THAT(table.Resign("Ben"), Refuses(Refused::kSeatLost));
  EXPECT_EQ(table->game()->record().bots[Seat::kSecond], "ParanoidBot-Black");
}

TEST(TableEnd, AMoveInTimeForgetsTheTimeouts) {
  TestTable table = Seated();
  TimeOut(table, Seat::kSecond, kTimeoutsMax - 1);
  while (table->state().to_move() != Seat::kSecond) table.PlayAny();
  table.PlayAny();
  EXPECT_THAT(TimeOut(table, Seat::kSecond, kTimeoutsMax - 1), Grants(Kind::kMoved));
}

TEST(TableEnd, ATimeoutOfAnotherDoesNotCount) {
  TestTable table = Seated();
  TimeOut(table, Seat::kSecond, kTimeoutsMax - 1);
  EXPECT_THAT(TimeOut(table, Seat::kThird, kTimeoutsMax - 1), Grants(Kind::kMoved));
}

TEST(TableEnd, APlayerOfARatedGameForfeits) {
  TableSettings settings = Settings("three-way");
  settings.is_rated = true;
  TestTable table = Seated(settings);
  const Decision decision = TimeOut(table, Seat::kThird, kTimeoutsMax);
  EXPECT_THAT(decision, Grants(Kind::kForfeited));
  EXPECT_EQ(decision.events[0].why, Termination::kTimeForfeit);
  EXPECT_FALSE(table->state().is_in(Seat::kThird));
  EXPECT_EQ(table->stage(), Stage::kPlaying);
  EXPECT_EQ(table->deadline_ms(), table.now_ms() + table->settings().move_ms);
  EXPECT_EQ(table->state().endings()[Seat::kThird], Termination::kTimeForfeit);
  EXPECT_THAT(TimeOut(table, Seat::kFirst, kTimeoutsMax), Grants(Kind::kForfeited));
  EXPECT_EQ(table->stage(), Stage::kFinished);
}

TEST(TableEnd, ClosesWhenOnlyHouseBotsAreLeft) {
  for (const char* game : {"tri-d", "three-way"}) {
    TestTable table = WithBots(game);
    EXPECT_THAT(TimeOut(table, Seat::kFirst, kTimeoutsMax), Grants(Kind::kReplaced, Kind::kClosed));
    EXPECT_EQ(table->stage(), Stage::kClosed);
    EXPECT_EQ(table->house_turn(), std::nullopt);
  }
}

// ---- House bots.

TEST(TableEnd, AHouseBotMovesByNumber) {
  TestTable table = WithBots("three-way");
  EXPECT_EQ(table->house_turn(), std::nullopt);
  table.PlayAny();
  ASSERT_EQ(table->house_turn(), Seat::kSecond);
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
  const std::string move = table->state().MoveToTpgn(table->moves(), 3);
  EXPECT_THAT(table.Do(table->MoveHouseBot(table->event_count(), 3, table.now_ms())),
              Grants(Kind::kMoved));
  EXPECT_EQ(table.events().back().move, move);
  EXPECT_EQ(table->house_turn(), Seat::kThird);
}

TEST(TableEnd, AHouseBotThatFailsResigns) {
  TestTable table = WithBots("three-way");
  table.PlayAny();
  EXPECT_THAT(table.Do(table->MoveHouseBot(table->event_count(), {}, table.now_ms())),
              Grants(Kind::kResigned));
  EXPECT_EQ(table->house_turn(), Seat::kThird);
}

TEST(TableEnd, RefusesAHouseBotsMoveForAnotherState) {
  TestTable table = WithBots("three-way");
  EXPECT_THAT(table->MoveHouseBot(table->event_count(), 0, 0), Refuses(Refused::kStale));
  table.PlayAny();
  const int64_t asked = table->event_count();
  EXPECT_THAT(table->MoveHouseBot(asked - 1, 0, 0), Refuses(Refused::kStale));
  EXPECT_THAT(table->MoveHouseBot(asked, table->moves().size(), 0), Refuses(Refused::kIllegalMove));
  // The list of moves may have changed, although the ply has not.
  table.Resign("Ann");
  EXPECT_EQ(table->house_turn(), Seat::kSecond);
  EXPECT_THAT(table->MoveHouseBot(asked, 0, 0), Refuses(Refused::kStale));
}

// ---- Restarts.

TEST(TableEnd, ARestartGivesThePlayerSomeTime) {
  TestTable table = Seated();
  const int64_t restart = *table->deadline_ms() + 1'000'000;
  table.table().NoteRestart(restart);
  EXPECT_EQ(table->deadline_ms(), restart + kRestartGraceMs);
}

TEST(TableEnd, ARestartDoesNotShortenATurn) {
  TestTable table = Seated();
  const auto deadline = table->deadline_ms();
  table.table().NoteRestart(table.now_ms() + 1);
  EXPECT_EQ(table->deadline_ms(), deadline);
}

TEST(TableEnd, ARestartAfterTheClockWentBackBoundsTheTurn) {
  TestTable table = Seated();
  const int64_t restart = table.now_ms() - 1'000'000'000;
  table.table().NoteRestart(restart);
  EXPECT_EQ(table->deadline_ms(), restart + table->settings().move_ms + kRestartGraceMs);
  TestTable waiting(Settings("triumvirate"));
  waiting.Sit({"Ann"});
  waiting.table().NoteRestart(restart);
  EXPECT_EQ(waiting->deadline_ms(), restart + waiting->settings().fill_ms);
}

TEST(TableEnd, ARestartStartsNoDeadline) {
  TestTable table(Settings("triumvirate"));
  table.table().NoteRestart(kTestTime);
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
}

// ---- Events that cannot follow.

TEST(TableEnd, ReportsEventsThatCannotFollow) {
  const TestTable waiting = [] {
    TestTable table(Settings("tri-d"));
    table.Sit({"Ann"});
    return table;
  }();
  const TestTable playing = Seated("tri-d");
  TestTable finished = Seated("tri-d");
  finished.Resign("Ann");
  const auto is_corrupt = [](const TestTable& at, const Event& event) {
    TestTable copy = at;
    return absl::IsDataLoss(copy.table().Apply(event));
  };
  for (const TestTable& table : {waiting, playing, finished}) {
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kOpened}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kJoined, .seat = Seat::kFirst}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kJoined, .seat = Seat::kThird}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kLeft, .seat = Seat::kSecond}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kMoved, .move = "a1-a1"}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kMissed, .seat = Seat::kSecond}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kResigned, .seat = Seat::kThird}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kForfeited, .seat = Seat::kThird}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kClaimedDraw}));
    EXPECT_TRUE(is_corrupt(table, {.kind = Kind::kReplaced, .seat = Seat::kThird}));
  }
  EXPECT_TRUE(is_corrupt(waiting, {.kind = Kind::kWantsRematch}));
  EXPECT_TRUE(is_corrupt(playing, {.kind = Kind::kWantsRematch}));
  EXPECT_TRUE(is_corrupt(finished, {.kind = Kind::kWantsRematch, .seat = Seat::kThird}));
  EXPECT_TRUE(is_corrupt(finished, {.kind = Kind::kClosed}));
  EXPECT_TRUE(is_corrupt(waiting, {.kind = Kind::kSaid, .seat = Seat::kSecond, .message = "x"}));
  EXPECT_TRUE(is_corrupt(finished, {.kind = Kind::kSaid, .seat = Seat::kThird, .message = "x"}));
  const std::string move = playing->state().MoveToTpgn(playing->moves(), 0);
  EXPECT_TRUE(is_corrupt(playing, {.kind = Kind::kMoved, .seat = Seat::kSecond, .move = move}));
  EXPECT_FALSE(is_corrupt(playing, {.kind = Kind::kMoved, .move = move}));
}

}  // namespace
}  // namespace triarch::arena
