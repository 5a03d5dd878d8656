#include "coordinator/experiments/event.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/schedule/pairing.h"

namespace triarch::experiments {
namespace {

std::vector<int> AllBots(size_t bots) {
  std::vector<int> all(bots);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Calls visit(match, i, j) for every two positions i ≠ j of every match.
template <class Visit>
void VisitOpponents(std::span<const RoundResult> rounds, Visit visit) {
  for (const RoundResult& round : rounds) {
    for (const MatchResult& match : round.matches) {
      CHECK(match.points.size() == match.bots.size());
      for (size_t i = 0; i < match.bots.size(); ++i) {
        for (size_t j = 0; j < match.bots.size(); ++j) {
          if (i != j) visit(match, i, j);
        }
      }
    }
  }
}

// Returns each bot's points per match, without byes.
std::vector<double> PointsPerMatch(size_t bots, std::span<const RoundResult> rounds) {
  std::vector<double> points(bots, 0);
  std::vector<double> matches(bots, 0);
  for (const RoundResult& round : rounds) {
    for (const MatchResult& match : round.matches) {
      for (size_t i = 0; i < match.bots.size(); ++i) {
        const auto bot = static_cast<size_t>(match.bots[i]);
        points[bot] += match.points[i];
        matches[bot] += 1;
      }
    }
  }
  for (size_t bot = 0; bot < bots; ++bot) points[bot] /= std::max(1.0, matches[bot]);
  return points;
}

std::vector<double> OpponentsPoints(size_t bots, std::span<const RoundResult> rounds) {
  const std::vector<double> per_match = PointsPerMatch(bots, rounds);
  std::vector<double> sum(bots, 0);
  std::vector<double> opponents(bots, 0);
  VisitOpponents(rounds, [&](const MatchResult& match, size_t i, size_t j) {
    sum[static_cast<size_t>(match.bots[i])] += per_match[static_cast<size_t>(match.bots[j])];
    opponents[static_cast<size_t>(match.bots[i])] += 1;
  });
  // Rounding makes means equal that differ only in the order of the sum.
  for (size_t bot = 0; bot < bots; ++bot) {
    sum[bot] = std::round(1e6 * sum[bot] / std::max(1.0, opponents[bot])) / 1e6;
  }
  return sum;
}

// Returns each bot's points less those of its opponents with the same rank so far.
std::vector<double> MutualPoints(std::span<const std::pair<double, double>> ranks,
                                 std::span<const RoundResult> rounds) {
  std::vector<double> mutual(ranks.size(), 0);
  VisitOpponents(rounds, [&](const MatchResult& match, size_t i, size_t j) {
    const auto bot = static_cast<size_t>(match.bots[i]);
    const auto other = static_cast<size_t>(match.bots[j]);
    if (ranks[bot] == ranks[other]) mutual[bot] += match.points[i] - match.points[j];
  });
  return mutual;
}

}  // namespace

std::vector<int> DrawStartingOrder(size_t bots, uint64_t seed) {
  std::vector<int> order = AllBots(bots);
  Random random(seed);
  for (size_t left = bots; left > 1; --left) {
    std::swap(order[left - 1], order[random.Below(static_cast<uint32_t>(left))]);
  }
  return order;
}

std::vector<int> StartingOrderByRating(std::span<const double> ratings) {
  std::vector<int> order = AllBots(ratings.size());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return ratings[static_cast<size_t>(a)] > ratings[static_cast<size_t>(b)];
  });
  return order;
}

double ByePoints(size_t seats) { return static_cast<double>(SeatingsPerSet(seats)) / 2; }

std::vector<double> PointsOf(size_t bots, size_t seats, std::span<const RoundResult> rounds) {
  std::vector<double> points(bots, 0);
  for (const RoundResult& round : rounds) {
    for (const MatchResult& match : round.matches) {
      for (size_t i = 0; i < match.bots.size(); ++i) {
        points[static_cast<size_t>(match.bots[i])] += match.points[i];
      }
    }
    for (const int bot : round.byes) points[static_cast<size_t>(bot)] += ByePoints(seats);
  }
  return points;
}

std::vector<EventStanding> RankEvent(size_t seats, std::span<const int> starting_order,
                                     std::span<const RoundResult> rounds,
                                     std::span<const double> ratings) {
  size_t bots = 0;
  for (const int bot : starting_order) bots = std::max(bots, static_cast<size_t>(bot) + 1);
  CHECK(ratings.empty() || ratings.size() >= bots);
  const std::vector<double> points = PointsOf(bots, seats, rounds);
  const std::vector<double> opponents = OpponentsPoints(bots, rounds);
  std::vector<std::pair<double, double>> ranks;
  for (size_t bot = 0; bot < bots; ++bot) ranks.emplace_back(points[bot], opponents[bot]);
  const std::vector<double> mutual = MutualPoints(ranks, rounds);
  std::vector<EventStanding> standings;
  for (const int bot : starting_order) {
    const auto i = static_cast<size_t>(bot);
    standings.push_back({bot, points[i], opponents[i], mutual[i]});
  }
  const auto key = [&](const EventStanding& standing) {
    const double rating = ratings.empty() ? 0 : ratings[static_cast<size_t>(standing.bot)];
    return std::tuple(standing.points, standing.opponents_points, standing.mutual_points, rating);
  };
  std::stable_sort(standings.begin(), standings.end(),
                   [&](const auto& a, const auto& b) { return key(a) > key(b); });
  return standings;
}

}  // namespace triarch::experiments
