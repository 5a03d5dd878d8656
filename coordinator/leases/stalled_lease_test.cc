// Tests leases whose workers renew them but play no games.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/leases/test_time.h"

namespace triarch {
namespace {

using std::chrono::seconds;
using Kind = LeaseEvent::Kind;

constexpr int64_t kId = 7;

// One tournament; a lease stalls after 100 s.
class StalledLeaseTest : public testing::Test {
 protected:
  StalledLeaseTest() {
    Add(kId, 100);
    for (const char* name : {"slow", "other"}) Come(name);
  }
  void Add(int64_t id, int64_t games, bool is_selfplay = false) {
    TournamentNeeds needs{.game = "tri-d", .bots = {}, .digests = {}};
    needs.is_selfplay = is_selfplay;
    book_.AddTournament(id, Ledger(games, RangeSet()), needs, TournamentState::kActive);
  }
  void Come(const std::string& name, int64_t slots = 2) {
    ASSERT_TRUE(
        book_
            .Register(
                {.id = {name, 1}, .slots = slots, .games = {"tri-d"}, .bots = {}, .build = ""},
                At(0))
            .ok());
  }
  // Returns the games of the new lease, "" without one, or the error.
  std::string RequestLease(const std::string& name, double second) {
    const auto reply = book_.RequestLease({name, 1}, At(second));
    if (!reply.ok()) return std::string(reply.status().message());
    if (!reply->lease) return "";
    token_ = reply->lease->token;
    return RangeSet({reply->lease->games}).ToString();
  }
  // Renews all leases and passes the time.
  void Wait(double second) {
    for (const char* name : {"slow", "other"}) {
      HeartbeatRequest heartbeat;
      heartbeat.worker = {name, 1};
      for (const auto& [token, lease] : book_.Leases()) {
        if (lease.worker == heartbeat.worker) heartbeat.leases.push_back({.token = token});
      }
      (void)book_.Heartbeat(heartbeat, At(second));
    }
    book_.Expire(At(second));
  }
  // Returns the number of games that were fresh, or -1 if the lease has ended.
  int64_t Report(const std::string& name, uint64_t token, Range games, double second) {
    std::vector<int64_t> indices(static_cast<size_t>(games.size()));
    std::iota(indices.begin(), indices.end(), games.first);
    const auto check = book_.CheckReport({name, 1}, token, indices, At(second));
    if (!check.ok() || !check->is_live) return -1;
    book_.Recorded(check->tournament, token, check->fresh, At(second));
    return static_cast<int64_t>(check->fresh.size());
  }
  std::string View() const {
    const auto view = book_.View(kId);
    return absl::StrFormat("%d/%d/%d", view->open, view->leased, view->done);
  }

  LeaseBook book_{{.ttl = seconds(1'000),
                   .patience = seconds(100),
                   .patience_max = seconds(1'000),
                   .stalls_max = 3},
                  3};
  uint64_t token_ = 0;
};

TEST_F(StalledLeaseTest, ItsGamesGoToOthersAndTheFirstReportWins) {
  ASSERT_EQ(RequestLease("slow", 0), "0-7");
  const uint64_t slow = token_;
  Wait(100);
  EXPECT_EQ(View(), "92/8/0");
  Wait(101);
  EXPECT_EQ(View(), "100/0/0");
  EXPECT_EQ(book_.TakeEvents().back().kind, Kind::kStalled);
  EXPECT_EQ(RequestLease("slow", 102), "") << "it must play its games first";
  ASSERT_EQ(RequestLease("other", 102), "0-7");
  const uint64_t other = token_;
  EXPECT_EQ(Report("slow", slow, {0, 2}, 103), 2);
  EXPECT_EQ(Report("other", other, {1, 8}, 104), 6);
  EXPECT_TRUE(book_.Leases().empty()) << "both ended";
  EXPECT_EQ(View(), "92/0/8");
  EXPECT_EQ(Report("slow", slow, {2, 8}, 105), -1);
  EXPECT_NE(RequestLease("slow", 106), "");
}

TEST_F(StalledLeaseTest, TheEndOfOneOpensNoGames) {
  ASSERT_EQ(RequestLease("slow", 0), "0-7");
  const uint64_t slow = token_;
  Wait(101);
  ASSERT_EQ(RequestLease("other", 102), "0-7");
  book_.Release({"slow", 1}, slow, At(103));
  EXPECT_EQ(View(), "92/8/0");
  EXPECT_EQ(book_.TakeEvents().back().kind, Kind::kReleased);
}

// The number of slots is the worker's own claim.
TEST_F(StalledLeaseTest, AnUnprovenWorkerGetsFewGames) {
  Add(kId + 1, 20'000);
  ASSERT_TRUE(book_.SetState(kId, TournamentState::kPaused, At(0)).ok());
  Come("huge", 20'000);
  EXPECT_EQ(RequestLease("huge", 0), "0-255");
  const std::vector<int64_t> first = {0};
  EXPECT_EQ(Report("huge", token_, {0, 1}, 1), 1);
  EXPECT_EQ(RequestLease("huge", 2), "256-19999");
}

TEST_F(StalledLeaseTest, HoardersThatShareALeaseLoseIt) {
  Add(kId + 1, 1);
  ASSERT_TRUE(book_.SetState(kId, TournamentState::kPaused, At(0)).ok());
  ASSERT_EQ(RequestLease("slow", 0), "0");
  Come("thief");
  ASSERT_EQ(RequestLease("thief", 50), "0");
  Wait(151);
  EXPECT_EQ(RequestLease("other", 151), "0");
}

TEST_F(StalledLeaseTest, PatienceGrowsWhereGamesTakeLong) {
  ASSERT_EQ(RequestLease("slow", 0), "0-7");
  Wait(90);
  EXPECT_EQ(Report("slow", token_, {0, 1}, 90), 1);
  Wait(90 + 360);
  EXPECT_EQ(View(), "92/7/1");
  Wait(90 + 361);
  EXPECT_EQ(View(), "99/0/1");
}

TEST_F(StalledLeaseTest, ALeaseThatWaitsForAnOlderOneDoesNotStall) {
  ASSERT_EQ(RequestLease("slow", 0), "0-7");
  const uint64_t first = token_;
  EXPECT_EQ(RequestLease("slow", 0), "") << "it has played nothing yet";
  EXPECT_EQ(Report("slow", first, {0, 1}, 10), 1);
  ASSERT_NE(RequestLease("slow", 10), "");
  EXPECT_EQ(Report("slow", first, {1, 8}, 105), 7);
  Wait(112);
  EXPECT_EQ(book_.Leases().size(), 1u);
  EXPECT_FALSE(book_.Leases().begin()->second.is_stalled);
}

TEST_F(StalledLeaseTest, AWorkerThatNeverPlaysIsQuarantined) {
  double second = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(RequestLease("slow", second), "");
    const uint64_t token = token_;
    second += 101;
    Wait(second);
    book_.Release({"slow", 1}, token, At(second));
  }
  EXPECT_EQ(RequestLease("slow", second),
            "worker \"slow\" is quarantined: it kept games and played none of them");
  EXPECT_EQ(book_.TakeEvents().back().kind, Kind::kRejected);
  EXPECT_EQ(View(), "100/0/0");
}

// What is stored of quarantines follows the leases that end as rejected.
TEST_F(StalledLeaseTest, AnAuditThatNobodyPlaysEndsAsRejectedAfterEverMoreTime) {
  const auto next_audit = [](const WorkerBook::Worker&) {
    return std::optional(LeaseBook::AuditGame{.audit = 1, .tournament = kId, .game = 5});
  };
  std::vector<Kind> ends;
  double second = 0;
  for (const double patience : {100, 200, 400}) {
    const auto reply = book_.RequestLease({"slow", 1}, At(second), next_audit);
    ASSERT_TRUE(reply.ok() && reply->lease);
    book_.TakeEvents();
    Wait(second + patience);
    EXPECT_TRUE(book_.TakeEvents().empty()) << patience;
    second += patience + 1;
    Wait(second);
    ends.push_back(book_.TakeEvents().back().kind);
  }
  EXPECT_THAT(ends, testing::ElementsAre(Kind::kExpired, Kind::kExpired, Kind::kRejected));
}

TEST_F(StalledLeaseTest, GamesOfAStalledShardMayBePlayedByOthers) {
  ASSERT_TRUE(book_.SetState(kId, TournamentState::kPaused, At(0)).ok());
  Add(kId + 1, 8, /*is_selfplay=*/true);
  const std::string games = RequestLease("slow", 0);
  ASSERT_NE(games, "");
  Wait(101);
  EXPECT_EQ(RequestLease("other", 102), games);
}

}  // namespace
}  // namespace triarch
