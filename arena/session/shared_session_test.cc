// Tests sessions that share a log: who runs a table, and how they hear of each other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "arena/session/session.h"
#include "arena/session/session_fixture.h"
#include "arena/session/test_parts.h"
#include "core/base/check.h"

namespace triarch::arena {
namespace {

using Fate = TestLog::Fate;
using Stage = Table::Stage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Two sessions on one log.
class SharedSessionTest : public SessionTest {
 protected:
  SharedSessionTest() {
    options_.is_alone = false;
    Restart();
    other_ = Made(other_log_, other_bots_);
  }

  // What a lookup answers; empty as long as it does not.
  using Answers = std::shared_ptr<std::vector<absl::Status>>;
  Answers LookUp(const std::string& id) {
    auto answers = std::make_shared<std::vector<absl::Status>>();
    other_->Lookup(id, [answers](const absl::Status& status) { answers->push_back(status); });
    return answers;
  }
  const Table& There(const std::string& id) {
    const Table* const table = other_->Find(id);
    CHECK(table != nullptr);
    return *table;
  }

  TestLog other_log_{store_};
  TestBots other_bots_;
  std::unique_ptr<Session> other_;
};

TEST_F(SharedSessionTest, FindsATableThatAnotherHasOpened) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  EXPECT_EQ(TableOfToken(ann), id);
  EXPECT_EQ(other_->FindToken(ann).table, nullptr);
  const Answers first = LookUp(id);
  const Answers second = LookUp(id);
  EXPECT_THAT(*first, IsEmpty());
  EXPECT_EQ(other_log_.task_count(), 1u);
  other_log_.Settle();
  EXPECT_THAT(*first, ElementsAre(absl::OkStatus()));
  EXPECT_THAT(*second, ElementsAre(absl::OkStatus()));
  EXPECT_EQ(other_->FindToken(ann).table, &There(id));
  EXPECT_THAT(*LookUp(id), ElementsAre(absl::OkStatus()));
  EXPECT_FALSE(other_->Runs(id));
}

TEST_F(SharedSessionTest, JoinsATableThatAnotherHasOpened) {
  TableSettings settings = ForTwo();
  settings.is_private = true;
  const std::string id = TableOf(Seated(settings)).id();
  const auto joined = std::make_shared<std::vector<Reply>>();
  other_->Join(AskAt(id), Into(joined));
  other_log_.Settle();
  ASSERT_THAT(*joined, SizeIs(1));
  EXPECT_TRUE(joined->at(0).ok());
  EXPECT_EQ(There(id).stage(), Stage::kPlaying);
}

TEST_F(SharedSessionTest, UnknownTablesAreCheap) {
  EXPECT_EQ(TableOfToken("short"), "");
  for (const std::string& id : {std::string("nowhere"), std::string(36, 'x'), std::string()}) {
    EXPECT_TRUE(absl::IsNotFound(LookUp(id)->at(0)));
  }
  const std::string unknown = TableOfToken(std::string(64, '0'));
  const Answers first = LookUp(unknown);
  EXPECT_EQ(other_log_.task_count(), 1u);
  other_log_.Settle();
  EXPECT_TRUE(absl::IsNotFound(first->at(0)));
  EXPECT_TRUE(absl::IsNotFound(LookUp(unknown)->at(0)));
  EXPECT_EQ(other_log_.task_count(), 0u);
  // A miss is not remembered forever.
  now_ms_ += 60'000;
  other_->Tick();
  LookUp(unknown);
  EXPECT_EQ(other_log_.task_count(), 1u);
}

TEST_F(SharedSessionTest, BoundsLookups) {
  size_t refused = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::string digits = std::to_string(1'000 + i);
    const Answers answers = LookUp(TableOfToken(digits + std::string(60, '0')));
    refused += answers->size();
    if (!answers->empty()) {
      EXPECT_TRUE(absl::IsUnavailable(answers->at(0)));
    }
  }
  EXPECT_EQ(other_log_.task_count() + refused, 1'000u);
  EXPECT_LE(other_log_.task_count(), 100u);
  other_log_.Settle();
  EXPECT_THAT(*LookUp("nowhere"), SizeIs(1));
}

TEST_F(SharedSessionTest, AMissEndsWhenTheTableIsOpened) {
  const std::string id = "00000000-0000-4000-8000-000000000001";
  Answers missed = LookUp(id);
  other_log_.Settle();
  EXPECT_TRUE(absl::IsNotFound(missed->at(0)));
  ASSERT_TRUE(store_.Append({.table = id, .first = 0, .events = {{.settings = ForTwo()}}}).ok());
  other_->Heard(id, 1);
  other_log_.Settle();
  EXPECT_EQ(There(id).event_count(), 1);
  // The table is opened after it was read, and heard of before that is known.
  const std::string later = "00000000-0000-4000-8000-000000000000";
  missed = LookUp(later);
  other_log_.Perform();
  ASSERT_TRUE(store_.Append({.table = later, .first = 0, .events = {{.settings = ForTwo()}}}).ok());
  other_->Heard(later, 1);
  other_log_.Answer();
  EXPECT_THAT(*missed, IsEmpty());
  other_log_.Settle();
  EXPECT_THAT(*missed, ElementsAre(absl::OkStatus()));
  EXPECT_EQ(There(later).event_count(), 1);
}

TEST_F(SharedSessionTest, AStoreThatFailsIsNoMiss) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  const Answers failed = LookUp(id);
  other_log_.PerformAndAnswer(Fate::kNotDone);
  EXPECT_TRUE(absl::IsUnavailable(failed->at(0)));
  const Answers found = LookUp(id);
  other_log_.Settle();
  EXPECT_THAT(*found, ElementsAre(absl::OkStatus()));
}

TEST_F(SharedSessionTest, ATableThatEndedLongAgoIsNotFound) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  Resign(ann);
  log_->Settle();
  now_ms_ += options_.kept_ms;
  const Answers answers = LookUp(id);
  other_log_.Settle();
  EXPECT_TRUE(absl::IsNotFound(answers->at(0)));
  EXPECT_EQ(other_->table_count(), 0u);
}

TEST_F(SharedSessionTest, ReadsOnlyWhatItHasHeardOf) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  other_->Heard(id, 2);
  other_log_.Settle();
  EXPECT_EQ(There(id).event_count(), 2);
  other_->Heard(id, 2);
  EXPECT_EQ(other_log_.task_count(), 0u);
  Seated(ForTwo());
  other_->Heard(id, 3);
  other_log_.Settle();
  EXPECT_EQ(There(id).stage(), Stage::kPlaying);
}

TEST_F(SharedSessionTest, HearsWhileItReads) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  other_->Heard(id, 2);
  other_log_.Perform();
  Seated(ForTwo());
  other_->Heard(id, 3);
  other_log_.Settle();
  EXPECT_EQ(There(id).event_count(), 3);
}

TEST_F(SharedSessionTest, OnlyTheRunnerPerformsDeadlines) {
  const std::string ann = Seated(ForThree());
  const std::string id = TableOf(ann).id();
  other_->Heard(id, 2);
  other_log_.Settle();
  EXPECT_TRUE(session_->Runs(id));
  now_ms_ = *TableOf(ann).deadline_ms();
  other_->Tick();
  EXPECT_EQ(other_log_.task_count(), 0u);
  session_->Tick();
  EXPECT_EQ(log_->task_count(), 1u);
}

TEST_F(SharedSessionTest, OnlyTheRunnerAsksHouseBots) {
  const std::string ann = Seated(ForThree());
  const std::string id = TableOf(ann).id();
  session_->Fill(id, [](const Reply&) {});
  log_->Settle();
  MoveAny(ann);
  log_->Settle();
  other_->Heard(id, TableOf(ann).event_count());
  other_log_.Settle();
  other_->Tick();
  EXPECT_EQ(bots_->turn_count(), 1u);
  EXPECT_EQ(other_bots_.turn_count(), 0u);
  // The lease goes to the other, but this one has its question still.
  other_->Lead({.taken = {id}, .lost = {}});
  session_->Lead({.taken = {}, .lost = {id}});
  EXPECT_THAT(taken_, ElementsAre(id));
  other_->Tick();
  ASSERT_EQ(other_bots_.turn_count(), 1u);
  other_bots_.Play(0);
  other_log_.Settle();
  bots_->Play(0);
  log_->Settle();
  EXPECT_EQ(TableOf(ann).plies(), 2) << "the stale runner's move was not played as well";
  session_->Tick();
  EXPECT_EQ(bots_->turn_count(), 0u);
  // And it may come back.
  session_->Lead({.taken = {id}, .lost = {}});
  session_->Tick();
  EXPECT_EQ(bots_->turn_count(), 1u);
}

TEST_F(SharedSessionTest, TakingATableOverBlamesNoPlayer) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  Seated(ForTwo());
  other_->Heard(id, 3);
  other_log_.Settle();
  now_ms_ += 1'000'000;
  other_->Lead({.taken = {id}, .lost = {}});
  other_->Tick();
  EXPECT_EQ(other_log_.task_count(), 0u);
  EXPECT_EQ(There(id).deadline_ms(), now_ms_ + kRestartGraceMs);
  now_ms_ += kRestartGraceMs;
  other_->Tick();
  EXPECT_EQ(other_log_.task_count(), 1u);
}

TEST_F(SharedSessionTest, TakesOverATableThatIsNotHere) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  other_->Lead({.taken = {id}, .lost = {}});
  EXPECT_FALSE(other_->Runs(id));
  other_log_.PerformAndAnswer(Fate::kNotDone);
  EXPECT_FALSE(other_->Runs(id));
  other_->Tick();  // tries again
  other_log_.Settle();
  EXPECT_TRUE(other_->Runs(id));
  EXPECT_THAT(taken_, ElementsAre(id));
}

// It may not be recorded yet.
TEST_F(SharedSessionTest, TakesOverATableThatEndedLongAgo) {
  const std::string ann = Seated(ForTwo());
  const std::string id = TableOf(ann).id();
  Resign(ann);
  log_->Settle();
  now_ms_ += options_.kept_ms;
  other_->Lead({.taken = {id}, .lost = {}});
  other_log_.Settle();
  EXPECT_THAT(taken_, ElementsAre(id));
  other_->Tick();
  EXPECT_EQ(other_->table_count(), 0u);
}

TEST_F(SharedSessionTest, ALostAnswerLosesNoLease) {
  const Replies joined = Join(AskFor(ForTwo()));
  log_->PerformAndAnswer(Fate::kLostAnswer);
  log_->Settle();
  ASSERT_TRUE(joined->at(0).ok());
  EXPECT_TRUE(session_->Runs(joined->at(0).table->id()));
}

}  // namespace
}  // namespace triarch::arena
