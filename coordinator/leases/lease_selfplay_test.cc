// Tests self-play leases.

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/leases/lease_book.h"
#include "coordinator/leases/test_time.h"

// Self-play leases are longer, because a shard holds the games of one lease, and are never shared.
namespace triarch {
namespace {

class LeaseSelfplayTest : public testing::Test {
 protected:
  void Make(const LeaseRules& rules, int64_t games, bool is_selfplay) {
    book_.emplace(rules, 3);
    TournamentNeeds needs{.game = "tri-d", .bots = {"random"}, .digests = {}};
    needs.is_selfplay = is_selfplay;
    book_->AddTournament(7, Ledger(games, RangeSet()), needs, TournamentState::kActive);
  }
  void Come(const std::string& name, int64_t slots) {
    ASSERT_TRUE(book_
                    ->Register({.id = {name, 1},
                                .slots = slots,
                                .games = {"tri-d"},
                                .bots = {{.type = "random", .digest = "r"}},
                                .build = ""},
                               At(0))
                    .ok());
  }
  std::optional<Lease> RequestLease(const std::string& name, double second) {
    const auto reply = book_->RequestLease({name, 1}, At(second));
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->lease : std::nullopt;
  }
  void Report(const std::string& name, const Lease& lease, double second) {
    std::vector<int64_t> indices(static_cast<size_t>(lease.games.size()));
    std::iota(indices.begin(), indices.end(), lease.games.first);
    const auto check = book_->CheckReport({name, 1}, lease.token, indices, At(second));
    ASSERT_TRUE(check.ok() && check->is_live);
    book_->Recorded(7, lease.token, check->fresh, At(second));
  }

  std::optional<LeaseBook> book_;
};

TEST_F(LeaseSelfplayTest, LastsLonger) {
  for (const bool is_selfplay : {false, true}) {
    Make({.games_first = 100}, 100'000, is_selfplay);
    Come("a", 1);
    const std::optional<Lease> first = RequestLease("a", 0);
    ASSERT_EQ(first->games.size(), 100);
    Report("a", *first, 10);
    // 10 games per second, for 10 or 60 seconds, but at most four times the last lease.
    EXPECT_EQ(RequestLease("a", 10)->games.size(), is_selfplay ? 400 : 100);
  }
}

TEST_F(LeaseSelfplayTest, IsNotShared) {
  for (const bool is_selfplay : {false, true}) {
    Make({}, 20, is_selfplay);
    Come("slow", 20);
    Come("fast", 1);
    ASSERT_TRUE(RequestLease("slow", 0).has_value());
    while (RequestLease("slow", 0)) {
    }
    EXPECT_EQ(RequestLease("fast", 21).has_value(), !is_selfplay);
  }
}

}  // namespace
}  // namespace triarch
