// Tests how operators evict, quarantine and unquarantine workers.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/leases/test_time.h"

namespace triarch {
namespace {

// As in lease_book_test.cc: worker "a" has instance 1, and tokens are given without the epoch.
class EvictionTest : public testing::Test {
 protected:
  static constexpr uint64_t kEpoch = 3;
  static uint64_t Token(uint64_t count) { return kEpoch << 32 | count; }
  static std::string Code(const absl::Status& status) {
    return std::string(absl::StatusCodeToString(status.code()));
  }

  void AddTournament(int64_t id, int64_t games, const std::vector<Range>& done = {}) {
    book_.AddTournament(id, Ledger(games, RangeSet(done)),
                        {.game = "tri-d", .bots = {"random"}, .digests = {}},
                        TournamentState::kActive);
  }
  std::string Come(const std::string& name, double time = 0, uint64_t instance = 1) {
    const WorkerInfo worker{.id = {name, instance},
                            .slots = 1,
                            .games = {"tri-d"},
                            .bots = {{.type = "random", .digest = "1"}},
                            .build = ""};
    return Code(book_.Register(worker, At(time)));
  }
  // Returns "1 t7 0-3", "" or the error.
  std::string RequestLease(const std::string& name, double time = 0) {
    const auto reply = book_.RequestLease({name, 1}, At(time));
    if (!reply.ok()) return Code(reply.status());
    if (!reply->lease) return "";
    return absl::StrFormat("%d t%d %s", reply->lease->token & 0xffffffff, reply->lease->tournament,
                           RangeSet({reply->lease->games}).ToString());
  }
  std::string View(int64_t tournament) const {
    const auto view = book_.View(tournament);
    return absl::StrFormat("%s %d/%d/%d", std::string(ToString(view->state)), view->open,
                           view->leased, view->done);
  }
  std::string Events() {
    std::string text;
    for (const LeaseEvent& event : book_.TakeEvents()) {
      if (!text.empty()) text += ", ";
      text += absl::StrFormat("%s %d %s", std::string(ToString(event.kind)),
                              event.lease.token & 0xffffffff, event.worker.name);
    }
    return text;
  }

  // No worker needs to record a game before it gets a second lease.
  LeaseBook book_{LeaseRules{.leases_first = LeaseRules().leases_max}, kEpoch};
};

TEST_F(EvictionTest, AnEvictedWorkerLosesItsLeasesAndMayRegisterAgain) {
  AddTournament(7, 100);
  Come("a");
  Come("b");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("a"), "2 t7 4-7");
  EXPECT_EQ(*book_.Evict("a", "", At(1)), 2);
  EXPECT_EQ(Events(), "granted 1 a, granted 2 a, cancelled 1 a, cancelled 2 a");
  EXPECT_EQ(View(7), "active 100/0/0");
  EXPECT_FALSE(book_.CheckReport({"a", 1}, Token(1), std::vector<int64_t>{0}, At(1))->is_live);
  EXPECT_EQ(RequestLease("a", 1), "NOT_FOUND");
  EXPECT_EQ(Code(book_.Evict("a", "", At(1)).status()), "NOT_FOUND");
  EXPECT_EQ(RequestLease("b", 1), "3 t7 0-3") << "its games go to others at once";
  Come("a", 2);
  EXPECT_EQ(RequestLease("a", 2), "4 t7 4-7");
}

TEST_F(EvictionTest, AQuarantineByAnOperatorLastsUntilAnOperatorEndsIt) {
  AddTournament(7, 8);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(*book_.Evict("a", "too slow", At(1)), 1);
  EXPECT_EQ(View(7), "active 8/0/0");
  EXPECT_EQ(RequestLease("a", 1), "PERMISSION_DENIED");
  EXPECT_EQ(Come("a", 99, 2), "PERMISSION_DENIED");
  EXPECT_EQ(book_.Workers(At(1))[0].quarantine, "too slow");
  EXPECT_EQ(*book_.Evict("a", "a liar", At(1)), 0) << "the reason changes";
  EXPECT_EQ(book_.Workers(At(1))[0].quarantine, "a liar");
  EXPECT_EQ(Code(book_.Unquarantine("a")), "OK");
  EXPECT_EQ(RequestLease("a", 2), "2 t7 0-3");
  EXPECT_EQ(Code(book_.Unquarantine("a")), "FAILED_PRECONDITION");
  EXPECT_EQ(Code(book_.Unquarantine("b")), "NOT_FOUND");
}

TEST_F(EvictionTest, AnUnquarantinedWorkerHasACleanRecord) {
  AddTournament(7, 100);
  Come("a");
  for (int i = 0; i < 3; ++i) book_.Reject({"a", 1}, 0, "a lie", At(1));
  EXPECT_EQ(RequestLease("a", 1), "PERMISSION_DENIED");
  EXPECT_EQ(Code(book_.Unquarantine("a")), "OK");
  book_.Reject({"a", 1}, 0, "a lie", At(2));
  EXPECT_EQ(RequestLease("a", 2), "1 t7 0-3") << "one lie is not three";
}

// A coordinator that takes over knows the lease before the worker registers.
TEST_F(EvictionTest, EvictsAWorkerThatHasNotRegisteredYet) {
  AddTournament(7, 100, {{50, 51}});
  book_.Restore({"a", 1}, {.tournament = 7, .games = {0, 4}, .token = 1}, At(0));
  EXPECT_EQ(*book_.Evict("a", "", At(1)), 1);
  EXPECT_EQ(View(7), "active 99/0/1");
}

}  // namespace
}  // namespace triarch
