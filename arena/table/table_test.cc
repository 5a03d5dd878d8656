#include "arena/table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arena/table/test_table.h"

namespace triarch::arena {
namespace {

using Kind = Event::Kind;
using Stage = Table::Stage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kGames[] = {"triumvirate", "three-way", "tri-d"};
// White mates with d4N-z4QL2.
constexpr const char* kMateInOne =
    "QL2,KL1,QL6,KL6 4/4/4/R1K1|4/4/3R/4|4/4/1p2/4|2/2|2/2|k1/2|2/2 w - - 0 10";

TableSettings Of(std::string game = "triumvirate") { return {.game = std::move(game), .seed = 7}; }

TestTable Begun(std::string game = "triumvirate") {
  TestTable table(Of(game));
  table.Sit({"Ann", "Ben"});
  if (game != "tri-d") table.Sit({"Cat"});
  return table;
}

// A table for two: Ann and a house bot, in this order.
TestTable AgainstABot(TableSettings settings = Of("tri-d")) {
  settings.house_bots[Seat::kSecond] = "random";
  TestTable table(settings);
  table.Join(TestPlayer("Ann", settings.is_rated));
  return table;
}

std::vector<Kind> KindsOf(const Decision& decision) {
  std::vector<Kind> kinds;
  for (const Event& event : decision.events) kinds.push_back(event.kind);
  return kinds;
}

// Matches a decision that only refuses.
MATCHER_P(IsRefused, why, "") {
  if (!arg.refusal) return false;
  *result_listener << arg.refusal->text;
  return arg.refusal->why == why && !arg.refusal->text.empty() && arg.events.empty();
}
// Matches a decision that grants by these kinds of events.
template <class... Kinds>
auto IsGranted(Kinds... kinds) {
  return ::testing::AllOf(::testing::Field(&Decision::refusal, ::testing::Eq(std::nullopt)),
                          ::testing::ResultOf(KindsOf, ElementsAre(kinds...)));
}

// ---- Opening.

TEST(Table, OpensAtTheStartOfEachGame) {
  for (const char* game : kGames) {
    const TestTable table(Of(game));
    EXPECT_EQ(table->id(), "table-1");
    EXPECT_EQ(table->info().name, game);
    EXPECT_EQ(table->seat_count(), table->info().seats);
    EXPECT_EQ(table->stage(), Stage::kWaiting);
    EXPECT_FALSE(table->is_over());
    EXPECT_EQ(table->event_count(), 1);
    EXPECT_EQ(table->opened_ms(), kTestTime);
    EXPECT_EQ(table->state().ToString(), AnyState::Start(game, "")->ToString());
    EXPECT_EQ(table->moves().size(), 0u);
    EXPECT_EQ(table->game(), nullptr);
    EXPECT_EQ(table->player_count(), 0u);
    EXPECT_EQ(table->deadline_ms(), std::nullopt);
  }
}

TEST(Table, OpensAtAPosition) {
  TableSettings settings = Of("tri-d");
  settings.position = kMateInOne;
  EXPECT_EQ(TestTable(settings)->state().ToString(), kMateInOne);
}

TEST(Table, RejectsAnInvalidFirstEvent) {
  EXPECT_TRUE(absl::IsDataLoss(Table::Open("t", {.kind = Kind::kJoined}).status()));
  EXPECT_TRUE(absl::IsDataLoss(Table::Open("t", {.settings = Of("go")}).status()));
  TableSettings settings = Of();
  settings.position = "nonsense";
  EXPECT_TRUE(absl::IsDataLoss(Table::Open("t", {.settings = settings}).status()));
}

// ---- Joining.

TEST(Table, SeatsPlayersInOrderAndBeginsWhenItIsFull) {
  for (const char* game : kGames) {
    TestTable table(Of(game));
    const std::vector<std::string> names = {"Ann", "Ben", "Cat"};
    for (size_t i = 0; i < table->seat_count(); ++i) {
      EXPECT_EQ(table->stage(), Stage::kWaiting);
      EXPECT_THAT(table.Join(TestPlayer(names[i])), IsGranted(Kind::kJoined));
      EXPECT_EQ(table->occupant(SeatAt(i)), TestPlayer(names[i]));
      EXPECT_EQ(table.Of(names[i]).seat, SeatAt(i));
    }
    EXPECT_EQ(table->stage(), Stage::kPlaying);
    EXPECT_TRUE(table->is_full());
    EXPECT_GT(table->moves().size(), 0u);
    EXPECT_EQ(table->deadline_ms(), table.now_ms() + table->settings().move_ms);
    ASSERT_NE(table->game(), nullptr);
    EXPECT_EQ(table->game()->record().bots[Seat::kSecond], "Ben");
  }
}

TEST(Table, GivesThePreferredSeatIfItIsFree) {
  TestTable table(Of());
  table.Join(TestPlayer("Ann"), {Seat::kThird});
  table.Join(TestPlayer("Ben"), {Seat::kThird});
  table.Join(TestPlayer("Cat"), {Seat::kSecond});
  EXPECT_EQ(table.Of("Ann").seat, Seat::kThird);
  EXPECT_EQ(table.Of("Ben").seat, Seat::kFirst);
  EXPECT_EQ(table.Of("Cat").seat, Seat::kSecond);
}

TEST(Table, KeepsReservedSeatsForHouseBots) {
  TableSettings settings = Of();
  settings.house_bots = {{"", "paranoid:depth=2", ""}};
  TestTable table(settings);
  EXPECT_THAT(table.Join(TestPlayer("Ann"), {Seat::kSecond}), IsGranted(Kind::kJoined));
  EXPECT_EQ(table.Of("Ann").seat, Seat::kFirst);
  EXPECT_THAT(table.Join(TestPlayer("Ben")), IsGranted(Kind::kJoined, Kind::kJoined));
  EXPECT_EQ(table.Of("Ben").seat, Seat::kThird);
  EXPECT_EQ(table->occupant(Seat::kSecond)->house_bot, "paranoid:depth=2");
  EXPECT_EQ(table->occupant(Seat::kSecond)->name, "ParanoidBot-Black");
  EXPECT_EQ(table->stage(), Stage::kPlaying);
  EXPECT_EQ(table->player_count(), 2u);
}

TEST(Table, ATableOfHouseBotsHasNoFreeSeat) {
  TableSettings settings = Of("tri-d");
  settings.house_bots = {{"random", "random", ""}};
  EXPECT_THAT(TestTable(settings).Join(TestPlayer("Ann")), IsRefused(Refused::kFull));
}

TEST(Table, RefusesToSeatAnyoneAfterTheStart) {
  EXPECT_THAT(Begun().Join(TestPlayer("Dan")), IsRefused(Refused::kFull));
}

TEST(Table, DistinguishesEqualNamesInTheRecord) {
  TestTable table(Of());
  for (const char* token : {"a", "b", "c"}) {
    Occupant occupant = TestPlayer("Ann");
    occupant.token_hash = token;
    table.Join(occupant);
  }
  EXPECT_THAT(table->game()->record().bots.values, ElementsAre("Ann", "Ann (2)", "Ann (3)"));
}

TEST(Table, ARatedTableSeatsOnlyClaimedNames) {
  TableSettings settings = Of();
  settings.is_rated = true;
  TestTable table(settings);
  EXPECT_THAT(table.Join(TestPlayer("Ann")), IsRefused(Refused::kForbidden));
  EXPECT_THAT(table.Join(TestPlayer("Ann", true)), IsGranted(Kind::kJoined));
}

TEST(Table, AClaimedNameSitsDownOnce) {
  for (const bool is_rated : {false, true}) {
    TableSettings settings = Of();
    settings.is_rated = is_rated;
    TestTable table(settings);
    table.Join(TestPlayer("Ann", true));
    EXPECT_THAT(table.Join(TestPlayer("Ann", true)), IsRefused(Refused::kForbidden));
  }
}

TEST(Table, OnlyARatedTableRefusesASecondPlayerOfAnOwner) {
  for (const bool is_rated : {false, true}) {
    TableSettings settings = Of();
    settings.is_rated = is_rated;
    TestTable table(settings);
    table.Join(TestPlayer("Ann", true, "owner"));
    const Decision second = table.Join(TestPlayer("Ben", true, "owner"));
    EXPECT_EQ(second.refusal.has_value(), is_rated);
    EXPECT_THAT(table.Join(TestPlayer("Cat", true, "other")), IsGranted(Kind::kJoined));
  }
}

TEST(Table, PlayersWithoutAnOwnerAreNotOfTheSameOwner) {
  TableSettings settings = Of();
  settings.is_rated = true;
  TestTable table(settings);
  table.Join(TestPlayer("Ann", true));
  EXPECT_THAT(table.Join(TestPlayer("Ben", true)), IsGranted(Kind::kJoined));
}

TEST(Table, FillsEmptySeatsWithHouseBots) {
  TableSettings settings = Of();
  settings.house_bots[Seat::kThird] = "paranoid";
  TestTable table(settings);
  table.Sit({"Ann"});
  EXPECT_THAT(table.Fill({"smart:x=1"}), IsGranted(Kind::kJoined, Kind::kJoined));
  EXPECT_EQ(table->occupant(Seat::kSecond)->house_bot, "smart:x=1");
  EXPECT_EQ(table->occupant(Seat::kSecond)->name, "SmartBot-Black");
  EXPECT_EQ(table->occupant(Seat::kSecond)->type, PlayerType::kBot);
  EXPECT_EQ(table->occupant(Seat::kThird)->house_bot, "paranoid");
  EXPECT_FALSE(table->is_replacement(Seat::kThird));
  EXPECT_EQ(table->stage(), Stage::kPlaying);
  EXPECT_THAT(table.Fill(), IsGranted());
}

// ---- Leaving before the game.

TEST(Table, AFreedSeatIsGivenAgain) {
  TestTable table(Of());
  table.Sit({"Ann", "Ben"});
  EXPECT_THAT(table.Resign("Ann"), IsGranted(Kind::kLeft));
  EXPECT_TRUE(table.Of("Ann").is_lost);
  EXPECT_EQ(table->occupant(Seat::kFirst), std::nullopt);
  table.Sit({"Cat"});
  EXPECT_EQ(table.Of("Cat").seat, Seat::kFirst);
  EXPECT_FALSE(table.Of("Cat").is_lost);
}

TEST(Table, ClosesWhenTheLastPlayerLeaves) {
  TestTable table(Of());
  table.Sit({"Ann", "Ben"});
  table.Resign("Ben");
  table.Pass(5);
  EXPECT_THAT(table.Resign("Ann"), IsGranted(Kind::kLeft, Kind::kClosed));
  EXPECT_EQ(table->stage(), Stage::kClosed);
  EXPECT_TRUE(table->is_over());
  EXPECT_EQ(table->ended_ms(), table.now_ms());
  EXPECT_EQ(table->deadline_ms(), std::nullopt);
  EXPECT_THAT(table.Join(TestPlayer("Cat")), IsRefused(Refused::kFull));
}

TEST(Table, ALostTokenMayDoNothing) {
  TestTable table(Of("tri-d"));
  table.Sit({"Ann", "Ben"});
  TestTable waiting(Of());
  waiting.Sit({"Ann", "Ben"});
  waiting.Resign("Ann");
  EXPECT_THAT(waiting.Resign("Ann"), IsRefused(Refused::kSeatLost));
  EXPECT_THAT(waiting.Move("Ann", "B1-C3"), IsRefused(Refused::kSeatLost));
  EXPECT_THAT(waiting.ClaimDraw("Ann"), IsRefused(Refused::kSeatLost));
  EXPECT_THAT(waiting.WantRematch("Ann"), IsRefused(Refused::kSeatLost));
}

TEST(Table, DoesNotKnowOtherTokens) {
  const TestTable table = AgainstABot();
  EXPECT_FALSE(table->FindToken(TestToken("Zoe")));
  EXPECT_FALSE(table->FindToken(""));
}

// ---- Moving.

TEST(Table, AcceptsEachFormOfAMoveInAllGames) {
  for (const char* game : kGames) {
    const TestTable begun = Begun(game);
    const AnyState& state = begun->state();
    const AnyState::Moves moves = begun->moves();
    for (size_t number = 0; number < moves.size(); ++number) {
      std::vector<std::string> texts = {state.MoveToString(moves, number),
                                        state.MoveToTpgn(moves, number)};
      for (size_t form = 0; form < AnyState::MoveForms(game).size(); ++form) {
        texts.push_back(state.MoveInForm(moves, number, form));
      }
      for (const std::string& text : texts) {
        TestTable table = begun;
        ASSERT_THAT(table.Move("Ann", text), IsGranted(Kind::kMoved)) << text;
        EXPECT_EQ(table.events().back().move, state.MoveToTpgn(moves, number));
        EXPECT_EQ(table->plies(), 1);
        EXPECT_EQ(table->state().to_move(), Seat::kSecond);
      }
    }
  }
}

TEST(Table, TheFirstLegalTextOfSeveralCounts) {
  TestTable table = Begun();
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"E9-E9", "nonsense", "B1-C3", "B1-A3"}}),
              IsGranted(Kind::kMoved));
  EXPECT_EQ(table.events().back().move, "B1-C3");
}

TEST(Table, NotesTheTimeOfMoves) {
  TestTable table = Begun();
  table.Pass(1'500);
  table.PlayAny();
  table.Pass(500);
  table.PlayAny();
  const GameRecord& record = table->game()->record();
  EXPECT_EQ(record.costs[Seat::kFirst].moves, 1);
  EXPECT_EQ(record.costs[Seat::kFirst].time_us, 1'500'000);
  EXPECT_EQ(record.costs[Seat::kSecond].time_us, 500'000);
  EXPECT_EQ(table->deadline_ms(), table.now_ms() + table->settings().move_ms);
}

TEST(Table, KeepsTheLastTwoMoves) {
  TestTable table = Begun();
  EXPECT_EQ(table->last_move(), "");
  table.PlayAny();
  const std::string first = table->last_move();
  EXPECT_THAT(first, HasSubstr("{"));
  EXPECT_EQ(table->previous_move(), "");
  table.PlayAny();
  EXPECT_EQ(table->previous_move(), first);
}

TEST(Table, RefusesMovesBeforeTheGame) {
  TestTable table(Of());
  table.Sit({"Ann"});
  EXPECT_THAT(table.Move("Ann", "B1-C3"), IsRefused(Refused::kNotStarted));
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .ply = 0}),
              IsRefused(Refused::kNotStarted));
}

TEST(Table, RefusesMovesOutOfTurn) {
  TestTable table = Begun();
  const Decision decision = table.Move("Ben", "B8-C6");
  EXPECT_THAT(decision, IsRefused(Refused::kNotYourTurn));
  EXPECT_EQ(decision.refusal->text, "it is White's turn");
}

TEST(Table, RefusesMovesOfAPlayerWhoIsOut) {
  TestTable table = Begun();
  table.Resign("Ann");
  const Decision decision = table.Move("Ann", "B1-C3");
  EXPECT_THAT(decision, IsRefused(Refused::kNotYourTurn));
  EXPECT_THAT(decision.refusal->text, HasSubstr("out of the game"));
}

TEST(Table, RefusesMovesAfterTheGame) {
  TestTable table = Begun("tri-d");
  table.Resign("Ann");
  EXPECT_THAT(table.Move("Ben", "d1W-c3W"), IsRefused(Refused::kGameOver));
}

TEST(Table, RefusesAnotherPlyOrMoveNumber) {
  TestTable table = Begun();
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .ply = 1}),
              IsRefused(Refused::kStale));
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .ply = -1}),
              IsRefused(Refused::kStale));
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .move_number = 2}),
              IsRefused(Refused::kStale));
  EXPECT_EQ(table->attempts(), 0);
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .ply = 0, .move_number = 1}),
              IsGranted(Kind::kMoved));
}

TEST(Table, GrantsARepeatedMoveOnce) {
  TestTable table = Begun();
  const MoveRequest request{.texts = {"B1-C3"}, .ply = 0, .message = "hi"};
  table.Move("Ann", request);
  EXPECT_THAT(table.Move("Ann", request), IsGranted());
  table.Resign("Cat");
  table.PlayAny();
  EXPECT_THAT(table.Move("Ann", request), IsGranted());
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"x", "B1-C3"}, .ply = 0}), IsGranted());
  // Another move, another seat, and no ply.
  EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-A3"}, .ply = 0}),
              IsRefused(Refused::kStale));
  EXPECT_THAT(table.Move("Ben", MoveRequest{.texts = {"B1-C3"}, .ply = 0}),
              IsRefused(Refused::kNotYourTurn));
  EXPECT_EQ(table->plies(), 2);
  EXPECT_THAT(table->chat(), SizeIs(1));
}

TEST(Table, GrantsARepeatedMoveAfterTheGame) {
  TableSettings settings = Of("tri-d");
  settings.position = kMateInOne;
  TestTable table(settings);
  table.Sit({"Ann", "Ben"});
  const MoveRequest request{.texts = {"d4N-z4QL2"}, .ply = 0};
  table.Pass(9);
  table.Move("Ann", request);
  EXPECT_EQ(table->stage(), Stage::kFinished);
  EXPECT_EQ(table->ended_ms(), table.now_ms());
  EXPECT_EQ(table->state().outcome()->termination, Termination::kCheckmate);
  EXPECT_THAT(table.Move("Ann", request), IsGranted());
}

TEST(Table, TheLastIllegalMoveForcesOne) {
  TestTable table = Begun();
  for (int left = kAttemptsMax - 1; left > 0; --left) {
    const Decision decision = table.Move("Ann", "E1-E9");
    EXPECT_THAT(KindsOf(decision), ElementsAre(Kind::kMissed));
    ASSERT_TRUE(decision.refusal);
    EXPECT_EQ(decision.refusal->why, Refused::kIllegalMove);
    EXPECT_EQ(decision.refusal->attempts_left, left);
    EXPECT_EQ(decision.events[0].move, "\"E1-E9\"");
  }
  EXPECT_EQ(table->attempts(), kAttemptsMax - 1);
  const Decision last = table.Move("Ann", "E1-E9");
  EXPECT_THAT(KindsOf(last), ElementsAre(Kind::kMoved));
  EXPECT_EQ(last.events[0].forced, Forced::kIllegalMoves);
  ASSERT_TRUE(last.refusal);
  EXPECT_EQ(last.refusal->attempts_left, 0);
  EXPECT_THAT(last.refusal->text, HasSubstr("a random move was played"));
  EXPECT_EQ(table->attempts(), 0);
  EXPECT_EQ(table->plies(), 1);
  EXPECT_EQ(table->game()->record().fallbacks, 1);
  EXPECT_EQ(table->state().to_move(), Seat::kSecond);
}

TEST(Table, ALegalMoveForgetsTheAttempts) {
  TestTable table = Begun();
  table.Move("Ann", "nonsense");
  EXPECT_EQ(table->attempts(), 1);
  table.PlayAny();
  EXPECT_EQ(table->attempts(), 0);
  EXPECT_EQ(table.Move("Ben", "nonsense").refusal->attempts_left, kAttemptsMax - 1);
}

TEST(Table, ARequestWithoutAMoveIsAnAttempt) {
  TestTable table = Begun();
  const Decision decision = table.Move("Ann", MoveRequest{});
  EXPECT_EQ(decision.refusal->why, Refused::kIllegalMove);
  EXPECT_EQ(decision.events[0].move, "\"\"");
}

TEST(Table, TheForcedMoveDependsOnTheSeed) {
  const auto forced = [](uint64_t seed) {
    TableSettings settings = Of();
    settings.seed = seed;
    TestTable table(settings);
    table.Sit({"Ann", "Ben", "Cat"});
    return table.PassDeadline().events[0].move;
  };
  EXPECT_EQ(forced(1), forced(1));
  std::vector<std::string> moves;
  for (uint64_t seed = 0; seed < 10; ++seed) moves.push_back(forced(seed));
  EXPECT_NE(std::vector<std::string>(10, moves[0]), moves);
}

// ---- Chat.

TEST(Table, KeepsMessages) {
  TestTable table = Begun();
  table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .message = "  good\nluck "});
  ASSERT_THAT(table->chat(), SizeIs(1));
  EXPECT_EQ(table->chat()[0].text, "good luck");
  EXPECT_EQ(table->chat()[0].name, "Ann");
  EXPECT_EQ(table->chat()[0].seat, Seat::kFirst);
  EXPECT_EQ(table->chat()[0].move_number, 1);
}

TEST(Table, RefusesALongMessageBeforeAnAttemptIsCounted) {
  for (const std::string character : {"x", "♞"}) {
    std::string message;
    for (size_t i = 0; i < kMessageMax; ++i) message += character;
    TestTable table = Begun();
    EXPECT_THAT(
        table.Move("Ann", MoveRequest{.texts = {"nonsense"}, .message = message + character}),
        IsRefused(Refused::kInvalid));
    EXPECT_EQ(table->attempts(), 0);
    EXPECT_THAT(table.Move("Ann", MoveRequest{.texts = {"B1-C3"}, .message = message}),
                IsGranted(Kind::kMoved));
    EXPECT_EQ(table->chat()[0].text, message);
  }
}

TEST(Table, RefusesAMessageThatIsNotUtf8) {
  EXPECT_THAT(Begun().Move("Ann", MoveRequest{.texts = {"B1-C3"}, .message = "\xff"}),
              IsRefused(Refused::kInvalid));
}

TEST(Table, ForgetsOldMessages) {
  TestTable table = Begun();
  for (size_t i = 0; i < kChatKept + 5; ++i) {
    const std::string text = table->state().MoveToTpgn(table->moves(), 0);
    const Seat seat = table->state().to_move();
    table.Do(table->Move({.seat = seat}, {.texts = {text}, .message = std::to_string(i)},
                         table.now_ms()));
  }
  ASSERT_THAT(table->chat(), SizeIs(kChatKept));
  EXPECT_EQ(table->chat().front().text, "5");
}

TEST(Table, PlayersSpeakWithoutAMove) {
  TestTable table = Begun();
  const std::optional<int64_t> deadline = table->deadline_ms();
  EXPECT_THAT(table.Say("Ben", "  hello\nall "), IsGranted(Kind::kSaid));
  ASSERT_THAT(table->chat(), SizeIs(1));
  EXPECT_EQ(table->chat()[0].text, "hello all");
  EXPECT_EQ(table->chat()[0].seat, Seat::kSecond);
  EXPECT_EQ(table->deadline_ms(), deadline);
  // Sent again, because the answer was lost.
  EXPECT_THAT(table.Say("Ben", "hello all").events, SizeIs(0));
  EXPECT_THAT(table.Say("Ann", "hello all"), IsGranted(Kind::kSaid));
  EXPECT_THAT(table.Say("Ann", " "), IsRefused(Refused::kInvalid));
  EXPECT_THAT(table.Say("Ann", std::string(kMessageMax + 1, 'x')), IsRefused(Refused::kInvalid));
}

TEST(Table, ASeatSpeaksSoOften) {
  TestTable table = Begun();
  for (int i = 0; i < kSaidMax; ++i) table.Say("Ben", std::to_string(i));
  EXPECT_THAT(table.Say("Ben", "more"), IsRefused(Refused::kForbidden));
  EXPECT_THAT(table.Say("Ann", "hi"), IsGranted(Kind::kSaid));
}

TEST(Table, ChatDoesNotDisturbAHouseBot) {
  TestTable table(TableSettings{.game = "tri-d"});
  table.Sit({"Ann"});
  table.Fill();
  table.PlayAny();
  const int64_t asked = table->changed_at();
  ASSERT_TRUE(table->house_turn());
  table.Say("Ann", "take your time");
  EXPECT_THAT(table.Do(table->MoveHouseBot(asked, 0, table.now_ms())), IsGranted(Kind::kMoved));
  EXPECT_THAT(table->MoveHouseBot(asked, 0, table.now_ms()), IsRefused(Refused::kStale));
}

// ---- Names.

TEST(TableNames, AreOneShortLine) {
  EXPECT_EQ(*CheckName("  Ann B. "), "Ann B.");
  EXPECT_EQ(*CheckName(std::string(kNameMax, 'x')), std::string(kNameMax, 'x'));
  for (const std::string& name :
       {std::string(), std::string("  "), std::string(kNameMax + 1, 'x'), std::string("a\nb"),
        std::string("a\"b"), std::string("a\\b"), std::string("{a"), std::string("a\xff"),
        std::string("a\0b", 3)}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckName(name).status())) << name;
  }
}

TEST(TableNames, OfHouseBotsTellTheTypeAndTheSeat) {
  const GameInfo& info = **FindGame("three-way");
  EXPECT_EQ(HouseBotName("smart", info, Seat::kFirst), "SmartBot-White");
  EXPECT_EQ(HouseBotName("paranoid:depth=2", info, Seat::kSecond), "ParanoidBot-Gray");
  EXPECT_EQ(HouseBotName("", info, Seat::kThird), "Bot-Black");
}

}  // namespace
}  // namespace triarch::arena
