// Tests what happens to games that a worker refuses.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/leases/test_time.h"

// Leases that workers cannot play.
namespace triarch {
namespace {

using std::chrono::seconds;

class LeaseRefusalTest : public testing::Test {
 protected:
  LeaseRefusalTest() {
    for (const int64_t id : {7, 8}) {
      book_.AddTournament(id, Ledger(100, RangeSet()),
                          {.game = "tri-d", .bots = {"process"}, .digests = {}},
                          TournamentState::kActive);
    }
    for (const char* name : {"a", "b"}) Come(name, "build of " + std::string(name));
  }
  void Come(const std::string& name, const std::string& digest) {
    ASSERT_TRUE(book_
                    .Register({.id = {name, 1},
                               .slots = 1,
                               .games = {"tri-d"},
                               .bots = {{.type = "process", .digest = digest}},
                               .build = ""},
                              At(0))
                    .ok());
  }
  // Returns the tournament of the new lease and sets `token_`, or returns 0 without a lease.
  int64_t RequestLease(const std::string& name, double second) {
    const auto reply = book_.RequestLease({name, 1}, At(second));
    if (!reply.ok() || !reply->lease) return 0;
    token_ = reply->lease->token;
    return reply->lease->tournament;
  }
  std::string RefusalsOf(const std::string& name, double second) {
    std::string text;
    for (const WorkerView& view : book_.Workers(At(second))) {
      if (view.info.id.name != name) continue;
      for (const auto& [id, why] : view.refusals) text += absl::StrFormat("%d: %s\n", id, why);
    }
    return text;
  }

  LeaseBook book_{{.leases_first = 4}, 3};
  uint64_t token_ = 0;
};

// The worker gets other games and is tried again after a minute.
TEST_F(LeaseRefusalTest, RefusedGamesGoToOtherWorkers) {
  ASSERT_EQ(RequestLease("a", 0), 7);
  book_.Refuse({"a", 1}, token_, "no python3", At(1));
  EXPECT_EQ(RefusalsOf("a", 1), "7: no python3\n");
  EXPECT_EQ(RefusalsOf("b", 1), "");
  EXPECT_EQ(book_.View(7)->open, 100);
  EXPECT_EQ(book_.TakeEvents().back().kind, LeaseEvent::Kind::kReleased);
  EXPECT_EQ(RequestLease("a", 2), 8);
  EXPECT_EQ(RequestLease("b", 2), 7);
  book_.Leave({"b", 1}, At(3));
  EXPECT_EQ(RequestLease("a", 60), 8);
  book_.Expire(At(60));
  EXPECT_EQ(RefusalsOf("a", 60), "7: no python3\n");
  book_.Expire(At(61));
  EXPECT_EQ(RefusalsOf("a", 61), "");
}

TEST_F(LeaseRefusalTest, SaysWhyNoWorkerCanPlay) {
  const std::vector<std::string> none;
  book_.SetPrecedence(7, {.priority = 1});
  ASSERT_EQ(RequestLease("a", 0), 7);
  book_.Refuse({"a", 1}, token_, "no python3", At(1));
  EXPECT_EQ(book_.RefusalsOf(7, At(1)), none) << "b may";
  ASSERT_EQ(RequestLease("b", 1), 7);
  book_.Refuse({"b", 1}, token_, "no sandbox", At(1));
  EXPECT_EQ(book_.RefusalsOf(7, At(2)),
            (std::vector<std::string>{"a: no python3", "b: no sandbox"}));
  EXPECT_EQ(book_.RefusalsOf(8, At(2)), none);
  EXPECT_EQ(book_.RefusalsOf(9, At(2)), none);
  ASSERT_TRUE(book_
                  .Register({.id = {"c", 1},
                             .slots = 1,
                             .games = {"three-way"},
                             .bots = {{.type = "process", .digest = "x"}},
                             .build = ""},
                            At(2))
                  .ok());
  EXPECT_EQ(book_.RefusalsOf(7, At(2)).back(), "c: it does not know the game tri-d");
  ASSERT_TRUE(book_
                  .Register({.id = {"d", 1},
                             .slots = 1,
                             .games = {"tri-d"},
                             .bots = {{.type = "torch", .digest = "x"}},
                             .build = ""},
                            At(2))
                  .ok());
  EXPECT_EQ(book_.RefusalsOf(7, At(2)).back(), "d: it has no bot process");
  ASSERT_EQ(RequestLease("a", 40), 8);
  EXPECT_EQ(book_.RefusalsOf(7, At(61)), none) << "a is tried again";
  ASSERT_TRUE(book_.SetState(7, TournamentState::kPaused, At(0)).ok());
  EXPECT_EQ(book_.RefusalsOf(7, At(2)), none);
}

TEST_F(LeaseRefusalTest, OnlyTheHolderCanRefuseALease) {
  ASSERT_EQ(RequestLease("a", 0), 7);
  book_.Refuse({"b", 1}, token_, "not its own", At(1));
  book_.Refuse({"a", 2}, token_, "another instance's", At(1));
  book_.Refuse({"a", 1}, token_ + 1, "no lease", At(1));
  EXPECT_EQ(RefusalsOf("a", 1) + RefusalsOf("b", 1), "");
  EXPECT_EQ(book_.Leases().size(), 1u);
}

// The worker does not get such games from another worker's lease either.
TEST_F(LeaseRefusalTest, RefusedGamesAreNotStolen) {
  ASSERT_TRUE(book_.SetState(8, TournamentState::kPaused, At(0)).ok());
  ASSERT_EQ(RequestLease("a", 0), 7);
  book_.Refuse({"a", 1}, token_, "no python3", At(0));
  while (RequestLease("b", 1) == 7) {
    const Range games = book_.Leases().rbegin()->second.lease.games;
    if (games.last == 100) break;
    std::vector<int64_t> indices;
    for (int64_t i = games.first; i < games.last; ++i) indices.push_back(i);
    ASSERT_TRUE(book_.CheckReport({"b", 1}, token_, indices, At(1)).ok());
    book_.Recorded(7, token_, indices, At(1));
  }
  EXPECT_EQ(book_.View(7)->open, 0);
  EXPECT_EQ(RequestLease("a", 50), 0);
}

}  // namespace
}  // namespace triarch
