#include "coordinator/store/tally.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

GameSummary RandomGame(int64_t index, size_t seats, Random& random) {
  GameSummary game;
  game.index = index;
  game.match = random.Below(4) == 0 ? int64_t{random.Below(1'000'000)} : index / 6;
  game.plies = random.Below(300);
  game.outcome.termination = static_cast<Termination>(random.Below(16));
  for (size_t i = 0; i < seats; ++i) {
    const Seat seat = SeatAt(i);
    game.bots[seat] = static_cast<int>(random.Below(random.Below(2) == 0 ? 5 : 100'000));
    game.outcome.place[seat] = static_cast<uint8_t>(1 + random.Below(3));
    if (random.Below(2) == 0) game.endings[seat] = static_cast<Termination>(random.Below(16));
    game.costs[seat] = {.moves = random.Below(100),
                        .nodes = static_cast<int64_t>(random.Next() >> 20),
                        .time_us = random.Below(1u << 31)};
    if (random.Below(2) == 0) game.costs[seat].cpu_us = random.Below(1u << 31);
    game.fallbacks[seat] = random.Below(3);
  }
  return game;
}

GameSummary ResultOf(GameSummary game) {
  game.plies = 0;
  game.costs = {};
  game.fallbacks = {};
  return game;
}

struct Contents {
  std::vector<GameSummary> games;
  GameCosts costs;
};

Contents Read(const std::string& tally) {
  Contents contents;
  const auto keep = [&contents](const GameSummary& game) {
    contents.games.push_back(game);
    return absl::OkStatus();
  };
  const absl::Status status = VisitTally(tally, keep, &contents.costs);
  EXPECT_TRUE(status.ok()) << status;
  return contents;
}

// Games arrive in any order and in batches of any size.
TEST(TallyTest, HoldsTheResultsAndSumsOfAllGames) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const size_t seats = 2 + random.Below(2);
    std::vector<GameSummary> games;
    for (int64_t index = 1280; index < 1280 + kGamesPerTally; ++index) {
      if (random.Below(3) > 0) games.push_back(RandomGame(index, seats, random));
    }
    std::vector<GameSummary> arriving = games;
    for (size_t i = arriving.size(); i > 1; --i) {
      std::swap(arriving[i - 1], arriving[random.Below(static_cast<uint32_t>(i))]);
    }
    std::string tally;
    while (!arriving.empty()) {
      const auto size =
          static_cast<std::ptrdiff_t>(1 + random.Below(static_cast<uint32_t>(arriving.size())));
      tally = AddToTally(tally, {arriving.end() - size, arriving.end()}).value();
      arriving.erase(arriving.end() - size, arriving.end());
    }
    GameCosts costs;
    std::vector<GameSummary> results;
    for (const GameSummary& game : games) {
      costs.Add(game);
      results.push_back(ResultOf(game));
    }
    const Contents contents = Read(tally);
    EXPECT_EQ(contents.games, results);
    EXPECT_EQ(contents.costs, costs);
  }
}

TEST(TallyTest, IsSmall) {
  std::vector<GameSummary> games;
  for (int64_t index = 0; index < kGamesPerTally; ++index) {
    GameSummary game;
    game.index = index;
    game.match = index / 6;
    game.bots = {{0, 1, 2}};
    game.outcome.place = {{1, 3, 2}};
    games.push_back(game);
  }
  EXPECT_LT(AddToTally("", games)->size(), 9 * games.size());
}

TEST(TallyTest, ReportsDamage) {
  Random random(1);
  const std::string tally = AddToTally("", {RandomGame(7, 3, random)}).value();
  const auto ignore = [](const GameSummary&) { return absl::OkStatus(); };
  int whole = 0;
  for (size_t size = 0; size < tally.size(); ++size) {
    GameCosts costs;
    const absl::Status status = VisitTally(tally.substr(0, size), ignore, &costs);
    whole += status.ok() ? 1 : 0;
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kDataLoss) << status;
  }
  EXPECT_EQ(whole, 1) << "the costs alone are a tally without games";
  GameCosts costs;
  EXPECT_EQ(VisitTally(std::string(50, '\xff'), ignore, &costs).code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(VisitTally("", ignore, &costs).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(AddToTally(std::string(1, '\x01'), {}).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace triarch
