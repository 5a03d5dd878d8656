// Tests who meets whom: matching by ratings, house bots, secrets, and rematches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arena/session/session.h"
#include "arena/session/test_parts.h"
#include "arena/table/test_table.h"

namespace triarch::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// A session with its log.
struct Instance {
  Instance(TestStore& store, const Session::Options& options, Session::Parts parts) : log(store) {
    parts.log = &log;
    parts.house_bots = &bots;
    session = std::make_unique<Session>(options, parts);
  }

  TestLog log;
  TestBots bots;
  std::unique_ptr<Session> session;
};

class MatchingTest : public testing::Test {
 protected:
  std::unique_ptr<Instance> Made() {
    return std::make_unique<Instance>(
        store_, options_,
        Session::Parts{.now_ms = [this] { return now_ms_; },
                       .random = [this] { return TestBytes(random_); },
                       .rating =
                           [this](std::string_view, std::string_view name) {
                             const auto found = ratings_.find(std::string(name));
                             return found == ratings_.end() ? 0.0 : found->second;
                           },
                       .changed = [](const Table&, int64_t, const std::vector<Event>&) {}});
  }
  static JoinAsk Rated(const std::string& name, std::string game = "triumvirate") {
    JoinAsk ask{.occupant = {.name = name, .is_claimed = true, .owner = "owner of " + name},
                .settings = {.game = std::move(game), .is_rated = true}};
    return ask;
  }
  // Asks to join; the answer comes when the log is settled.
  static std::shared_ptr<std::vector<Reply>> Join(Instance& at, JoinAsk ask) {
    auto replies = std::make_shared<std::vector<Reply>>();
    at.session->Join(std::move(ask), [replies](const Reply& reply) { replies->push_back(reply); });
    return replies;
  }
  // Seats a player and returns the answer.
  static Reply Seated(Instance& at, JoinAsk ask) {
    const auto replies = Join(at, std::move(ask));
    at.log.Settle();
    CHECK(replies->size() == 1);
    EXPECT_TRUE(replies->at(0).ok()) << replies->at(0).error;
    return replies->at(0);
  }
  static std::vector<std::string> NamesAt(const Table& table) {
    std::vector<std::string> names;
    for (size_t i = 0; i < table.seat_count(); ++i) {
      names.push_back(table.occupant(SeatAt(i)) ? table.occupant(SeatAt(i))->name : "");
    }
    return names;
  }
  static void Fill(Instance& at, const Table& table) {
    at.session->Fill(table.id(), [](const Reply& reply) { EXPECT_TRUE(reply.ok()); });
    at.log.Settle();
  }

  Session::Options options_ = {
      .house_bots = {"low", "middle", "high", "middle"}, .window = 100, .window_per_second = 10};
  int64_t now_ms_ = kTestTime;
  Random random_{1};
  TestStore store_;
  std::map<std::string, double> ratings_ = {{"low", -300}, {"high", 400}};
  std::unique_ptr<Instance> here_ = Made();
};

// ---- Ratings.

TEST_F(MatchingTest, PlayersMeetWithinTheWindow) {
  ratings_["near"] = 100;
  ratings_["far"] = 101;
  const Reply first = Seated(*here_, Rated("first"));
  EXPECT_NE(Seated(*here_, Rated("far")).table, first.table);
  EXPECT_EQ(Seated(*here_, Rated("near")).table, first.table);
}

TEST_F(MatchingTest, TheWindowWidens) {
  ratings_["far"] = -200;
  const Reply first = Seated(*here_, Rated("first"));
  now_ms_ += 9'999;
  const Reply early = Seated(*here_, Rated("far"));
  EXPECT_NE(early.table, first.table);
  now_ms_ += 1;
  ratings_["later"] = 200;
  EXPECT_EQ(Seated(*here_, Rated("later")).table, first.table);
}

TEST_F(MatchingTest, TheMeanOfATableCounts) {
  ratings_["second"] = 100;
  ratings_["third"] = 150;
  const Reply first = Seated(*here_, Rated("first"));
  Seated(*here_, Rated("second"));
  EXPECT_EQ(Seated(*here_, Rated("third")).table, first.table);  // 100 from the mean, 50
}

TEST_F(MatchingTest, FirstComeFirstServed) {
  ratings_["apart"] = 150;
  ratings_["between"] = 75;
  const Reply first = Seated(*here_, Rated("first"));
  now_ms_ += 1;
  const Reply second = Seated(*here_, Rated("apart"));
  ASSERT_NE(first.table, second.table);
  EXPECT_EQ(Seated(*here_, Rated("between")).table, first.table);
}

TEST_F(MatchingTest, TheWindowCountsAtACertainTableToo) {
  ratings_["far"] = 101;
  const Reply first = Seated(*here_, Rated("first"));
  JoinAsk ask = Rated("far");
  ask.table = first.table->id();
  const auto refused = Join(*here_, ask);
  ASSERT_THAT(*refused, SizeIs(1));
  EXPECT_EQ(refused->at(0).refusal->why, Refused::kForbidden);
  now_ms_ += 100;
  EXPECT_EQ(Seated(*here_, ask).table, first.table);
}

TEST_F(MatchingTest, OnePlayerWhoJoinsTwiceAtOnceGetsTwoTables) {
  const auto first = Join(*here_, Rated("first"));
  const auto second = Join(*here_, Rated("first"));
  here_->log.Settle();
  ASSERT_TRUE(first->at(0).ok());
  ASSERT_TRUE(second->at(0).ok());
  EXPECT_NE(first->at(0).table, second->at(0).table);
}

TEST_F(MatchingTest, UnratedPlayersMeetWhateverTheirRatings) {
  ratings_["far"] = 5'000;
  JoinAsk first = Rated("first");
  JoinAsk far = Rated("far");
  first.settings.is_rated = far.settings.is_rated = false;
  EXPECT_EQ(Seated(*here_, first).table, Seated(*here_, far).table);
}

TEST_F(MatchingTest, OneOwnerSitsOnceAtARatedTable) {
  JoinAsk twin = Rated("twin");
  twin.occupant.owner = "owner of first";
  const Reply first = Seated(*here_, Rated("first"));
  EXPECT_NE(Seated(*here_, twin).table, first.table);
  EXPECT_NE(Seated(*here_, Rated("first")).table, first.table);
}

// ---- House bots.

TEST_F(MatchingTest, TheNearestHouseBotsComeAndEachOnce) {
  const Reply first = Seated(*here_, Rated("first"));
  Fill(*here_, *first.table);
  EXPECT_THAT(NamesAt(*first.table), ElementsAre("first", "middle", "low"));
  ratings_["strong"] = 450;
  const Reply strong = Seated(*here_, Rated("strong"));
  Fill(*here_, *strong.table);
  EXPECT_THAT(NamesAt(*strong.table), ElementsAre("strong", "high", "middle"));
}

TEST_F(MatchingTest, AHouseBotThatIsReservedComesOnce) {
  JoinAsk ask = Rated("first");
  ask.settings.house_bots[Seat::kThird] = "middle";
  const Reply first = Seated(*here_, ask);
  Fill(*here_, *first.table);
  EXPECT_THAT(NamesAt(*first.table), ElementsAre("first", "low", "middle"));
}

TEST_F(MatchingTest, TheFirstHouseBotComesToUnratedTables) {
  JoinAsk ask = Rated("first");
  ask.settings.is_rated = false;
  const Reply first = Seated(*here_, ask);
  Fill(*here_, *first.table);
  EXPECT_EQ(first.table->occupant(Seat::kThird)->house_bot, "low");
}

TEST_F(MatchingTest, ARatedGameNeedsDifferentHouseBots) {
  const GameInfo& three = *FindGame("triumvirate").value();
  const GameInfo& two = *FindGame("tri-d").value();
  EXPECT_TRUE(here_->session->has_bots_for(three));
  options_.house_bots = {"one", "one"};
  const auto other = Made();
  EXPECT_FALSE(other->session->has_bots_for(three));
  EXPECT_TRUE(other->session->has_bots_for(two));
}

// ---- Secrets.

TEST_F(MatchingTest, ASecretSitsOnce) {
  JoinAsk ask = Rated("first");
  ask.secret = std::string(32, 'a');
  const Reply first = Seated(*here_, ask);
  const auto again = Join(*here_, ask);
  ASSERT_THAT(*again, SizeIs(1));  // nothing had to be stored
  EXPECT_EQ(again->at(0).token, first.token);
  EXPECT_EQ(again->at(0).seat, first.seat);
}

TEST_F(MatchingTest, ASecretThatIsBeingSeatedWaitsForThatSeat) {
  // The table has one free seat: a second request would find another table.
  Seated(*here_, Rated("other", "tri-d"));
  JoinAsk ask = Rated("first", "tri-d");
  ask.secret = std::string(32, 'b');
  const auto first = Join(*here_, ask);
  const auto second = Join(*here_, ask);
  const auto third = Join(*here_, ask);
  here_->log.Settle();
  ASSERT_THAT(*first, SizeIs(1));
  for (const auto& replies : {second, third}) {
    ASSERT_THAT(*replies, SizeIs(1));
    EXPECT_EQ(replies->at(0).token, first->at(0).token);
    EXPECT_EQ(replies->at(0).seat, first->at(0).seat);
  }
  EXPECT_EQ(here_->session->table_count(), 1u);
}

TEST_F(MatchingTest, ASecretMayTryAgainAfterAnError) {
  JoinAsk ask = Rated("first");
  ask.secret = std::string(32, 'c');
  const auto first = Join(*here_, ask);
  const auto second = Join(*here_, ask);
  here_->log.PerformAndAnswer(TestLog::Fate::kNotDone);
  here_->log.Settle();
  ASSERT_THAT(*second, SizeIs(1));
  EXPECT_FALSE(first->at(0).ok());
  ASSERT_TRUE(second->at(0).ok());  // it was tried again
  EXPECT_EQ(Seated(*here_, ask).token, second->at(0).token);
}

TEST_F(MatchingTest, WhoHasLeftMayComeAgainWithTheSecret) {
  JoinAsk ask = Rated("first");
  ask.secret = std::string(32, 'd');
  Seated(*here_, Rated("other"));
  const Reply first = Seated(*here_, ask);
  here_->session->Request(first.table->id(),
                          As(first.token, [](const Table& table, const Table::Holder& holder,
                                             int64_t now) { return table.Resign(holder, now); }),
                          [](const Reply& reply) { EXPECT_TRUE(reply.ok()); });
  here_->log.Settle();
  const Reply again = Seated(*here_, ask);
  EXPECT_EQ(again.token, first.token);
  EXPECT_FALSE(here_->session->FindToken(again.token).holder.is_lost);
}

// ---- Rematches.

class RematchTest : public MatchingTest {
 protected:
  RematchTest() {
    for (const char* name : {"Ann", "Ben"}) {
      const Reply reply =
          Seated(*here_, {.occupant = {.name = name}, .settings = {.game = "tri-d"}});
      table_ = reply.table->id();
    }
  }
  JoinAsk Rematch(const std::string& name, Seat wish) const {
    JoinAsk ask{.occupant = {.name = name}, .settings = {.game = "tri-d"}, .wishes = {wish}};
    ask.settings.is_private = true;
    ask.settings.rematch_of = table_;
    return ask;
  }

  std::string table_;
};

TEST_F(RematchTest, PlayersMeetAgain) {
  const Reply ann = Seated(*here_, Rematch("Ann", Seat::kSecond));
  const Reply ben = Seated(*here_, Rematch("Ben", Seat::kFirst));
  EXPECT_EQ(ann.table, ben.table);
  EXPECT_NE(ann.table->id(), table_);
  EXPECT_THAT(NamesAt(*ann.table), ElementsAre("Ben", "Ann"));
  const auto late = Join(*here_, Rematch("Ann", Seat::kSecond));
  here_->log.Settle();
  EXPECT_EQ(late->at(0).refusal->why, Refused::kFull);
}

TEST_F(RematchTest, NobodyElseCanTellItsId) {
  const Reply ann = Seated(*here_, Rematch("Ann", Seat::kSecond));
  // The same table without the hashes of its tokens leads elsewhere.
  TestStore other_store;
  std::vector<Event> events = store_.Events(table_);
  for (Event& event : events) {
    if (event.kind == Event::Kind::kJoined) event.occupant.token_hash = "guessed";
  }
  ASSERT_TRUE(other_store.Append({.table = table_, .first = 0, .events = events}).ok());
  Instance other(other_store, options_,
                 Session::Parts{.now_ms = [this] { return now_ms_; },
                                .random = [this] { return TestBytes(random_); },
                                .rating = [](std::string_view, std::string_view) { return 0.0; },
                                .changed = [](const Table&, int64_t, const auto&) {}});
  ASSERT_TRUE(other.session->Restore(table_, events).ok());
  EXPECT_NE(Seated(other, Rematch("Ann", Seat::kSecond)).table->id(), ann.table->id());
}

TEST_F(RematchTest, TwoInstancesOpenOneTable) {
  // Each of them may be the first to store, and its answer may be lost.
  for (const TestLog::Fate fate : {TestLog::Fate::kDone, TestLog::Fate::kLostAnswer}) {
    for (const bool is_here_first : {true, false}) {
      const auto there = Made();
      ASSERT_TRUE(there->session->Restore(table_, store_.Events(table_)).ok());
      const auto ann = Join(*here_, Rematch("Ann", Seat::kSecond));
      const auto ben = Join(*there, Rematch("Ben", Seat::kFirst));
      Instance& first = is_here_first ? *here_ : *there;
      Instance& second = is_here_first ? *there : *here_;
      first.log.Perform(fate);
      second.log.Perform();
      first.log.Settle();
      second.log.Settle();
      ASSERT_THAT(*ann, SizeIs(1));
      ASSERT_THAT(*ben, SizeIs(1));
      ASSERT_TRUE(ann->at(0).ok()) << ann->at(0).error;
      ASSERT_TRUE(ben->at(0).ok()) << ben->at(0).error;
      const std::string id = ann->at(0).table->id();
      EXPECT_EQ(ben->at(0).table->id(), id);
      EXPECT_THAT(NamesAt(store_.Rebuilt(id)), ElementsAre("Ben", "Ann"));
      here_->session->Refresh(id);
      there->session->Refresh(id);
      here_->log.Settle();
      there->log.Settle();
      EXPECT_EQ(Describe(*here_->session->Find(id)), Describe(*there->session->Find(id)));
      table_ = id;  // and another one
    }
  }
}

TEST_F(RematchTest, ATableThatIsGoneHasNoRematch) {
  table_ = "nowhere";
  const auto replies = Join(*here_, Rematch("Ann", Seat::kSecond));
  ASSERT_THAT(*replies, SizeIs(1));
  EXPECT_TRUE(absl::IsNotFound(replies->at(0).error));
}

}  // namespace
}  // namespace triarch::arena
