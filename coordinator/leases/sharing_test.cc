// Tests how workers of different speeds divide their time among tournaments.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/leases/lease_book.h"
#include "coordinator/leases/test_time.h"

namespace triarch {
namespace {

struct Player {
  std::string name;
  int64_t slots = 1;
  double speed = 1;
  std::vector<std::string> bots = {"slow", "fast"};
  std::deque<Lease> leases = {};
  double busy_until = 0;
};

// Each tournament has one bot, which decides how long its games take.
class SharingTest : public testing::Test {
 protected:
  static constexpr double kStep = 0.25;

  void AddTournament(int64_t id, const std::string& bot, const Precedence& precedence,
                     int64_t games = 10'000'000) {
    bots_[id] = bot;
    book_.AddTournament(id, Ledger(games, RangeSet()),
                        {.game = "triumvirate", .bots = {bot}, .digests = {}},
                        TournamentState::kActive, precedence);
  }
  void Come(const Player& player) {
    WorkerInfo info{.id = {player.name, 1},
                    .slots = player.slots,
                    .games = {"triumvirate"},
                    .bots = {},
                    .build = ""};
    for (const std::string& bot : player.bots) info.bots.push_back({.type = bot, .digest = "1"});
    ASSERT_TRUE(book_.Register(info, At(now_)).ok());
    players_.push_back(player);
  }

  // Plays for that long, and returns how the time of all slots was divided: each tournament's part.
  std::map<int64_t, double> Play(double length) {
    std::map<int64_t, double> spent;
    for (const double end = now_ + length; now_ < end; now_ += kStep) {
      for (Player& player : players_) Step(player, spent);
      book_.Expire(At(now_));
    }
    const double all =
        std::accumulate(spent.begin(), spent.end(), 0.0,
                        [](double sum, const auto& one) { return sum + one.second; });
    for (auto& [id, part] : spent) part /= all;
    return spent;
  }

 private:
  void Step(Player& player, std::map<int64_t, double>& spent) {
    const WorkerId id{player.name, 1};
    HeartbeatRequest heartbeat;
    heartbeat.worker = id;
    for (const Lease& lease : player.leases) heartbeat.leases.push_back({.token = lease.token});
    ASSERT_TRUE(book_.Heartbeat(heartbeat, At(now_)).ok());
    while (player.leases.size() < 2) {
      const auto reply = book_.RequestLease(id, At(now_));
      ASSERT_TRUE(reply.ok());
      if (!reply->lease) break;
      player.leases.push_back(*reply->lease);
    }
    if (player.leases.empty()) return;
    spent[player.leases.front().tournament] += kStep * static_cast<double>(player.slots);
    Report(player);
  }

  // Reports one game for each slot when their time is up.
  void Report(Player& player) {
    Lease& lease = player.leases.front();
    const double game = (bots_.at(lease.tournament) == "slow" ? 40 : 1) / player.speed;
    if (player.busy_until <= now_ - kStep) player.busy_until = now_ + game;
    if (now_ + kStep < player.busy_until) return;
    player.busy_until = now_;
    const int64_t last = std::min(lease.games.last, lease.games.first + player.slots);
    std::vector<int64_t> indices(static_cast<size_t>(last - lease.games.first));
    std::iota(indices.begin(), indices.end(), lease.games.first);
    const auto check = book_.CheckReport({player.name, 1}, lease.token, indices, At(now_));
    ASSERT_TRUE(check.ok());
    if (check->is_live) book_.Recorded(check->tournament, lease.token, check->fresh, At(now_));
    lease.games.first = last;
    if (!check->is_live || lease.games.size() == 0) player.leases.pop_front();
  }

  LeaseBook book_{LeaseRules(), 1};
  std::map<int64_t, std::string> bots_;
  std::vector<Player> players_;
  double now_ = 0;
};

TEST_F(SharingTest, SharesDivideTheTimeOfUnequalWorkers) {
  AddTournament(1, "slow", {.share = 1});
  AddTournament(2, "fast", {.share = 3});
  Come({.name = "a", .slots = 1, .speed = 1});
  Come({.name = "b", .slots = 8, .speed = 3});
  Come({.name = "c", .slots = 4, .speed = 0.5});
  Play(600);
  const auto parts = Play(20'000);
  EXPECT_NEAR(parts.at(1), 0.25, 0.03);
  EXPECT_NEAR(parts.at(2), 0.75, 0.03);
}

// The worker's leases of the slow tournament take as long as many of the fast one.
TEST_F(SharingTest, OneWorkerDividesItsTime) {
  AddTournament(1, "slow", {.share = 2});
  AddTournament(2, "fast", {.share = 1});
  Come({.name = "a"});
  Play(600);
  EXPECT_NEAR(Play(20'000).at(1), 2.0 / 3, 0.03);
}

TEST_F(SharingTest, ANewTournamentGetsItsShareAtOnce) {
  AddTournament(1, "fast", {});
  Come({.name = "a", .slots = 2});
  Come({.name = "b", .slots = 2});
  EXPECT_NEAR(Play(5'000).at(1), 1, 0.001);
  AddTournament(2, "fast", {});
  EXPECT_NEAR(Play(400).at(2), 0.5, 0.1);
}

TEST_F(SharingTest, LowerPrioritiesGetWhatIsLeft) {
  AddTournament(1, "fast", {});
  AddTournament(2, "fast", {.priority = 1}, 4'000);
  Come({.name = "a", .slots = 4});
  Come({.name = "b", .slots = 4});
  const auto before = Play(400);
  EXPECT_NEAR(before.at(2), 1, 0.05);
  const auto after = Play(400);
  EXPECT_GT(after.at(1), 0.7) << "the others end with 4000 games";
}

TEST_F(SharingTest, WorkersDivideTheirTimeAmongWhatTheyCanPlay) {
  AddTournament(1, "slow", {});
  AddTournament(2, "fast", {});
  Come({.name = "a", .slots = 2, .bots = {"fast"}});
  Play(3'000);
  Come({.name = "b", .slots = 2});
  Come({.name = "c", .slots = 2});
  const auto parts = Play(10'000);
  EXPECT_NEAR(parts.at(1), 1.0 / 3, 0.03) << "it has saved nothing up";
}

}  // namespace
}  // namespace triarch
