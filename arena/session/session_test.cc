#include "arena/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "arena/session/session_fixture.h"
#include "arena/session/test_parts.h"
#include "arena/table/test_table.h"

namespace triarch::arena {
namespace {

using Fate = TestLog::Fate;
using Stage = Table::Stage;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- Joining.

TEST_F(SessionTest, RepeatedJoinsWhileTheFirstIsUnderWayGetItsSeat) {
  JoinAsk ask = AskFor(ForTwo());
  ask.secret = std::string(32, '7');
  ask.settings.is_private = true;  // each would open a table of its own
  const Replies first = Join(ask);
  const Replies second = Join(ask);
  const Replies third = Join(ask);
  EXPECT_THAT(*second, IsEmpty());
  log_->Settle();
  for (const Replies& replies : {first, second, third}) {
    ASSERT_THAT(*replies, SizeIs(1));
    ASSERT_TRUE(replies->at(0).ok()) << replies->at(0).error;
    EXPECT_EQ(replies->at(0).token, first->at(0).token);
  }
  EXPECT_EQ(session_->table_count(), 1u);
  EXPECT_EQ(TableOf(first->at(0).token).player_count(), 1u);
}

TEST_F(SessionTest, RepeatedJoinsTryAgainIfTheFirstFails) {
  JoinAsk ask = AskFor(ForTwo());
  ask.secret = std::string(32, '7');
  const Replies first = Join(ask);
  const Replies second = Join(ask);
  log_->PerformAndAnswer(Fate::kNotDone);
  log_->Settle();
  ASSERT_THAT(*first, SizeIs(1));
  EXPECT_FALSE(first->at(0).ok());
  ASSERT_THAT(*second, SizeIs(1));
  EXPECT_TRUE(second->at(0).ok()) << second->at(0).error;
}

TEST_F(SessionTest, AnswersAfterTheEventsAreStored) {
  const Replies joined = Join(AskFor(ForTwo()));
  EXPECT_THAT(*joined, IsEmpty());
  log_->Perform();
  EXPECT_THAT(*joined, IsEmpty());
  log_->Answer();
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_TRUE(joined->at(0).ok());
  EXPECT_EQ(joined->at(0).token.size(), 64u);
  EXPECT_EQ(joined->at(0).seat, Seat::kFirst);
  EXPECT_EQ(changes_, 2u);
  EXPECT_EQ(store_.tables().begin()->second.size(), 2u);
}

TEST_F(SessionTest, ATableIsNotSeenBeforeItIsStored) {
  Join(AskFor(ForTwo()));
  int visits = 0;
  session_->Visit([&visits](const Table&) { ++visits; });
  EXPECT_EQ(visits, 0);
  log_->Settle();
  session_->Visit([&visits](const Table&) { ++visits; });
  EXPECT_EQ(visits, 1);
}

TEST_F(SessionTest, SeatsPlayersWithTheSameSettingsTogether) {
  const std::string ann = Seated(ForTwo());
  const std::string ben = Seated(ForThree());
  const std::string cat = Seated(ForTwo());
  EXPECT_EQ(&TableOf(ann), &TableOf(cat));
  EXPECT_NE(&TableOf(ann), &TableOf(ben));
  EXPECT_EQ(TableOf(ann).stage(), Stage::kPlaying);
  EXPECT_NE(TableOf(ann).settings().seed, TableOf(ben).settings().seed);
  EXPECT_EQ(session_->FindToken(cat).holder.seat, Seat::kSecond);
}

TEST_F(SessionTest, ARequestDuringAChangeComesAfterwards) {
  auto order = std::make_shared<std::vector<Reply>>();
  on_change_ = [this, order](const Table& table) {
    session_->Request(
        table.id(), [](const Table&, int64_t) { return Decision(); }, Into(order));
  };
  for (const Fate fate : {Fate::kDone, Fate::kLostAnswer}) {
    const Replies joined = Join(AskFor(ForThree()));
    log_->PerformAndAnswer(fate);
    log_->Settle();
    ASSERT_THAT(*joined, SizeIs(1));
    EXPECT_TRUE(joined->at(0).ok());
  }
  EXPECT_THAT(*order, SizeIs(2));
  EXPECT_EQ(store_.tables().begin()->second.size(), 3u);
}

TEST_F(SessionTest, APrivateTableIsFoundOnlyByItsId) {
  TableSettings settings = ForTwo();
  settings.is_private = true;
  const std::string ann = Seated(settings);
  const std::string ben = Seated(settings);
  EXPECT_NE(&TableOf(ann), &TableOf(ben));
  const Replies joined = Join(AskAt(TableOf(ann).id()));
  log_->Settle();
  ASSERT_TRUE(joined->at(0).ok());
  EXPECT_EQ(joined->at(0).table, &TableOf(ann));
}

TEST_F(SessionTest, WhoComesTooLateSitsAtAnotherTable) {
  const std::string ann = Seated(ForTwo());
  const Replies ben = Join(AskFor(ForTwo()));
  const Replies cat = Join(AskFor(ForTwo()));
  log_->Settle();
  EXPECT_EQ(ben->at(0).table, &TableOf(ann));
  EXPECT_TRUE(cat->at(0).ok());
  EXPECT_NE(cat->at(0).table, &TableOf(ann));
}

TEST_F(SessionTest, ACertainTableMayBeFull) {
  const std::string ann = Seated(ForTwo());
  Seated(ForTwo());
  const Replies late = Join(AskAt(TableOf(ann).id()));
  ASSERT_THAT(*late, SizeIs(1));
  EXPECT_EQ(late->at(0).refusal->why, Refused::kFull);
  EXPECT_EQ(late->at(0).token, "");
}

TEST_F(SessionTest, RefusesATableTooMany) {
  TableSettings settings = ForTwo();
  settings.is_private = true;
  for (int i = 0; i < 3; ++i) Seated(settings);
  const Replies fourth = Join(AskFor(settings));
  ASSERT_THAT(*fourth, SizeIs(1));
  EXPECT_TRUE(absl::IsResourceExhausted(fourth->at(0).error));
}

TEST_F(SessionTest, RefusesATableTooManyOfOneClient) {
  options_.tables_per_client_max = 1;
  Restart();
  JoinAsk ask = AskFor(ForTwo());
  ask.settings.is_private = true;
  ask.client = "here";
  const Replies first = Join(ask);
  log_->Settle();
  EXPECT_TRUE(first->at(0).ok());
  const Replies second = Join(ask);
  EXPECT_TRUE(absl::IsResourceExhausted(second->at(0).error));
  ask.client = "elsewhere";
  const Replies third = Join(ask);
  log_->Settle();
  EXPECT_TRUE(third->at(0).ok());
}

TEST_F(SessionTest, RefusesAnUnknownTable) {
  const Replies joined = Join(AskAt("nowhere"));
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_TRUE(absl::IsNotFound(joined->at(0).error));
  const auto replies = std::make_shared<std::vector<Reply>>();
  session_->Request(
      "nowhere", [](const Table&, int64_t) { return Decision(); }, Into(replies));
  ASSERT_THAT(*replies, SizeIs(1));
  EXPECT_TRUE(absl::IsNotFound(replies->at(0).error));
}

TEST_F(SessionTest, RefusesAStartWithoutMoves) {
  TableSettings settings = ForTwo();
  settings.position = "QL1,QL2,QL5,QL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/2|2/2|2/2 w - - 0 1";
  const Replies joined = Join(AskFor(settings));
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_FALSE(joined->at(0).error.ok());
  EXPECT_EQ(session_->table_count(), 0u);
}

TEST_F(SessionTest, KnowsOnlyItsTokens) {
  const std::string token = Seated(ForTwo());
  EXPECT_NE(session_->FindToken(token).table, nullptr);
  std::string other = token;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& text : {other, std::string(), std::string(64, '0'), token + "0"}) {
    EXPECT_EQ(session_->FindToken(text).table, nullptr);
  }
}

TEST_F(SessionTest, FillsATableAtOnce) {
  const std::string ann = Seated(ForThree());
  const auto filled = std::make_shared<std::vector<Reply>>();
  session_->Fill(TableOf(ann).id(), Into(filled));
  log_->Settle();
  EXPECT_TRUE(filled->at(0).ok());
  EXPECT_EQ(TableOf(ann).stage(), Stage::kPlaying);
  EXPECT_EQ(TableOf(ann).occupant(Seat::kThird)->house_bot, options_.house_bots[0]);
}

// ---- The log's faults.

TEST_F(SessionTest, ALostAnswerIsFoundInTheStore) {
  const Replies joined = Join(AskFor(ForTwo()));
  log_->PerformAndAnswer(Fate::kLostAnswer);
  EXPECT_THAT(*joined, IsEmpty());
  log_->Settle();
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_TRUE(joined->at(0).ok());
  EXPECT_EQ(TableOf(joined->at(0).token).event_count(), 2);
}

TEST_F(SessionTest, ATableThatWasNotStoredIsForgotten) {
  const Replies joined = Join(AskFor(ForTwo()));
  const Replies second = Join(AskFor(ForTwo()));
  log_->PerformAndAnswer(Fate::kNotDone);
  log_->Settle();
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_TRUE(absl::IsUnavailable(joined->at(0).error));
  ASSERT_THAT(*second, SizeIs(1));
  EXPECT_TRUE(absl::IsUnavailable(second->at(0).error));
  EXPECT_EQ(session_->table_count(), 0u);
}

TEST_F(SessionTest, AnErrorConcernsOneRequest) {
  const std::string ann = Seated(ForTwo());
  Seated(ForTwo());
  const Replies first = MoveAny(ann);
  const Replies second = MoveAny(ann);
  log_->PerformAndAnswer(Fate::kNotDone);
  log_->Settle();
  EXPECT_TRUE(absl::IsUnavailable(first->at(0).error));
  EXPECT_TRUE(second->at(0).ok());
  EXPECT_EQ(TableOf(ann).plies(), 1);
}

TEST_F(SessionTest, ReadsAgainAfterAFailureToRead) {
  const std::string ann = Seated(ForTwo());
  Seated(ForTwo());
  const Replies moved = MoveAny(ann);
  log_->PerformAndAnswer(Fate::kLostAnswer);
  log_->PerformAndAnswer(Fate::kNotDone);
  ASSERT_THAT(*moved, SizeIs(1));
  EXPECT_TRUE(absl::IsUnavailable(moved->at(0).error));
  EXPECT_EQ(TableOf(ann).plies(), 0);
  session_->Tick();
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 1);
}

TEST_F(SessionTest, DecidesAgainAfterAConflict) {
  const std::string ann = Seated(ForTwo());
  const std::string ben = Seated(ForTwo());
  TestLog other_log(store_);
  TestBots other_bots;
  const std::unique_ptr<Session> other = Made(other_log, other_bots);
  const std::string id = TableOf(ann).id();
  ASSERT_TRUE(other->Restore(id, store_.Events(id)).ok());
  const Replies moved = MoveAny(ann);
  log_->Settle();
  // The other session does not know the move yet.
  const auto refused = std::make_shared<std::vector<Reply>>();
  other->Request(id,
                 As(ann, [](const Table& table, const Table::Holder& holder,
                            int64_t now_ms) { return table.Resign(holder, now_ms); }),
                 Into(refused));
  other_log.Settle();
  EXPECT_TRUE(refused->at(0).ok());
  session_->Refresh(id);
  log_->Settle();
  EXPECT_EQ(TableOf(ann).stage(), Stage::kFinished);
  EXPECT_EQ(Describe(TableOf(ann)), Describe(*other->Find(id)));
}

TEST_F(SessionTest, ARefreshWhileItReadsReadsAgain) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  session_->Refresh(id);
  log_->Perform();
  Event joined{.kind = Event::Kind::kJoined, .time_ms = now_ms_, .seat = Seat::kSecond};
  joined.occupant = TestPlayer("Ben");
  ASSERT_TRUE(store_.Append({.table = id, .first = 2, .events = {joined}}).ok());
  session_->Refresh(id);
  log_->Answer();
  log_->Settle();
  EXPECT_EQ(TableOf(ann).stage(), Stage::kPlaying);
}

TEST_F(SessionTest, RestoringATableThatIsHereRefreshesIt) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  ASSERT_TRUE(session_->Restore(id, store_.Events(id)).ok());
  log_->Settle();
  Seated(ForTwo());
  EXPECT_EQ(TableOf(ann).stage(), Stage::kPlaying);
  EXPECT_EQ(session_->table_count(), 1u);
}

TEST_F(SessionTest, RejectsDamagedTables) {
  EXPECT_TRUE(absl::IsDataLoss(session_->Restore("t", {})));
  const Event opened{.settings = ForTwo()};
  EXPECT_TRUE(absl::IsDataLoss(session_->Restore("t", {opened, opened})));
  EXPECT_EQ(session_->table_count(), 0u);
}

// ---- House bots.

TEST_F(SessionTest, AsksTheNextHouseBotAfterAResignation) {
  const std::string ann = Seated(ForThree());
  session_->Fill(TableOf(ann).id(), [](const Reply&) {});
  log_->Settle();
  MoveAny(ann);
  log_->Settle();
  ASSERT_EQ(bots_->turn_count(), 1u);
  EXPECT_EQ(bots_->turn().seat, Seat::kSecond);
  bots_->Play(std::nullopt);
  log_->Settle();
  ASSERT_EQ(bots_->turn_count(), 1u);
  EXPECT_EQ(bots_->turn().seat, Seat::kThird);
  bots_->Play(0);
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 2);
}

TEST_F(SessionTest, AsksAHouseBotAgainIfAnotherSeatResigns) {
  TableSettings settings = ForThree();
  settings.house_bots[Seat::kSecond] = "random";
  const std::string ann = Seated(settings);
  const std::string cat = Seated(settings);
  MoveAny(ann);
  log_->Settle();
  Resign(cat);
  log_->Settle();
  ASSERT_EQ(bots_->turn_count(), 2u);
  bots_->Play(0);  // an answer to the old question
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 1);
  bots_->Play(0);
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 2);
}

TEST_F(SessionTest, AsksAHouseBotAgainIfItsMoveWasNotStored) {
  const std::string ann = Seated(ForTwo());
  session_->Fill(TableOf(ann).id(), [](const Reply&) {});
  log_->Settle();
  MoveAny(ann);
  log_->Settle();
  bots_->Play(0);
  log_->PerformAndAnswer(Fate::kNotDone);
  log_->Settle();
  EXPECT_EQ(bots_->turn_count(), 0u);
  session_->Tick();
  EXPECT_EQ(bots_->turn_count(), 1u);
}

TEST_F(SessionTest, AsksAHouseBotAfterARestart) {
  const std::string ann = Seated(ForTwo());
  session_->Fill(TableOf(ann).id(), [](const Reply&) {});
  log_->Settle();
  MoveAny(ann);
  log_->Settle();
  Restart();
  session_->Tick();
  EXPECT_EQ(bots_->turn_count(), 1u);
}

// ---- Time.

TEST_F(SessionTest, PerformsWhatIsDue) {
  const std::string ann = Seated(ForThree());
  session_->Tick();
  EXPECT_EQ(log_->task_count(), 0u);
  now_ms_ = *TableOf(ann).deadline_ms();
  session_->Tick();
  log_->Settle();
  EXPECT_EQ(TableOf(ann).stage(), Stage::kPlaying);
}

TEST_F(SessionTest, ForgetsTablesThatEndedLongAgo) {
  const std::string ann = Seated(ForTwo());
  Resign(ann);
  log_->Settle();
  now_ms_ += options_.kept_ms - 1;
  session_->Tick();
  EXPECT_EQ(TableOf(ann).stage(), Stage::kClosed);
  now_ms_ += 1;
  session_->Tick();
  EXPECT_EQ(session_->FindToken(ann).table, nullptr);
  EXPECT_EQ(session_->table_count(), 0u);
}

TEST_F(SessionTest, ARestartBlamesNoPlayer) {
  const std::string ann = Seated(ForTwo());
  Seated(ForTwo());
  now_ms_ += 1'000'000;
  Restart();
  session_->Tick();
  EXPECT_EQ(log_->task_count(), 0u);
  EXPECT_EQ(TableOf(ann).deadline_ms(), now_ms_ + kRestartGraceMs);
}

TEST_F(SessionTest, NobodyIsBlamedForAStoreThatDoesNotAnswer) {
  const std::string ann = Seated(ForTwo());
  Seated(ForTwo());
  MoveAny(ann);
  log_->PerformAndAnswer(Fate::kNotDone);
  log_->PerformAndAnswer(Fate::kNotDone);
  now_ms_ += 1'000'000;
  session_->Tick();
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 0);
  EXPECT_EQ(TableOf(ann).deadline_ms(), now_ms_ + kRestartGraceMs);
  now_ms_ += kRestartGraceMs;
  session_->Tick();
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 1);
}

TEST_F(SessionTest, AnswersThatComeAfterItsEndAreIgnored) {
  const std::string ann = Seated(ForTwo());
  session_->Fill(TableOf(ann).id(), [](const Reply&) {});
  log_->Settle();
  MoveAny(ann);
  log_->Settle();
  const Replies resigned = Resign(ann);
  log_->Perform();
  session_ = nullptr;
  log_->Answer();
  bots_->Play(0);
  EXPECT_THAT(*resigned, IsEmpty());
}

}  // namespace
}  // namespace triarch::arena
