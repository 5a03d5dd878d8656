#include "tests/statistics/pool.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/base/normal.h"
#include "core/game/outcome.h"

namespace triarch::statistics {

using experiments::MatchResult;
using experiments::Table;

namespace {

double NormalQuantile(double probability) {
  double low = -10;
  double high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (ratings::NormalCdf(middle) < probability ? low : high) = middle;
  }
  return low;
}

}  // namespace

ratings::SimulatedWorld DrawPool(size_t bots, double deviation_elo, Random& random) {
  ratings::SimulatedWorld world{.strength = {}, .seat = {0, 0, 0}};
  for (size_t i = 0; i < bots; ++i) {
    world.strength.push_back(deviation_elo / ratings::kEloPerNatural * NormalDeviate(random));
  }
  return world;
}

ratings::SimulatedWorld SpreadPool(size_t bots, double deviation_elo, Random& random) {
  ratings::SimulatedWorld world{.strength = std::vector<double>(bots), .seat = {0, 0, 0}};
  const std::vector<int> order = experiments::DrawStartingOrder(bots, random.Next());
  double squares = 0;
  for (size_t i = 0; i < bots; ++i) {
    // Blom's approximation of the expected order statistics.
    const double quantile =
        NormalQuantile((static_cast<double>(i) + 0.625) / (static_cast<double>(bots) + 0.25));
    world.strength[static_cast<size_t>(order[i])] = quantile;
    squares += quantile * quantile;
  }
  const double deviation = std::sqrt(squares / static_cast<double>(bots));
  for (double& strength : world.strength) {
    strength *= deviation_elo / ratings::kEloPerNatural / deviation;
  }
  return world;
}

MatchResult PoolGames::Play(const ratings::SimulatedWorld& world, const Table& table,
                            Random& random) {
  const size_t before = games_.size();
  ratings::SimulateMatch(world, matches_++, table, random, games_);
  MatchResult result{table, std::vector<double>(table.size(), 0)};
  for (size_t game = before; game < games_.size(); ++game) {
    const PerSeat<double> points = Points(games_[game].outcome.place, table.size());
    for (size_t seat = 0; seat < table.size(); ++seat) {
      const auto bot = std::find(table.begin(), table.end(), games_[game].bots[SeatAt(seat)]);
      result.points[static_cast<size_t>(bot - table.begin())] += points[SeatAt(seat)];
    }
  }
  return result;
}

ratings::GameCounts PoolGames::Counts() const {
  absl::StatusOr<ratings::GameCounts> counts =
      ratings::CountGames(bots(), world_.seat.size(), games_);
  CHECK(counts.ok());
  return *std::move(counts);
}

ratings::RatingFit PoolGames::Fit(ratings::Strengths strengths) const {
  absl::StatusOr<ratings::RatingFit> fit = ratings::FitRatings(Counts(), {.strengths = strengths});
  CHECK(fit.ok());
  return *std::move(fit);
}

std::vector<Table> AllTables(size_t bots, Random& random) {
  std::vector<Table> tables;
  const int count = static_cast<int>(bots);
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      for (int c = b + 1; c < count; ++c) tables.push_back({a, b, c});
    }
  }
  for (size_t left = tables.size(); left > 1; --left) {
    std::swap(tables[left - 1], tables[random.Below(static_cast<uint32_t>(left))]);
  }
  return tables;
}

}  // namespace triarch::statistics
