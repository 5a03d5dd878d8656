// Measures how well Swiss events find the best bots.

#include "coordinator/experiments/swiss.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "tests/statistics/experiments.h"
#include "tests/statistics/pool.h"

namespace triarch::statistics {
namespace {

using experiments::Pairings;
using experiments::RoundResult;
using experiments::SwissEvent;

// One row of the reference.
struct SwissRow {
  size_t bots;
  int rounds;
  double best_random, best_swiss, top_random, top_swiss, by_points, by_rating;
};
constexpr SwissRow kSwissRows[] = {
    {12, 5, 0.68, 0.70, 0.79, 0.79, 0.77, 0.78}, {25, 3, 0.49, 0.57, 0.62, 0.65, 0.68, 0.71},
    {25, 5, 0.58, 0.65, 0.70, 0.74, 0.74, 0.78}, {60, 5, 0.50, 0.62, 0.61, 0.68, 0.73, 0.77},
    {60, 8, 0.58, 0.69, 0.68, 0.74, 0.77, 0.82},
};
constexpr double kSwissDeviationElo = 150;
constexpr double kSwissTolerance = 0.04;

// How an event ended.
struct SwissRun {
  double best_wins = 0;  // 0 or 1
  double top_three = 0;  // share of the three strongest that are among the first three
  double by_points = 0;  // Kendall's τ between strengths and the order by points
  double by_rating = 0;
  double repeats = 0;  // meetings beyond the first of a pair
};

// Returns Kendall's τ between `order`, best bot first, and the strengths.
double Tau(const std::vector<int>& order, const std::vector<double>& strength) {
  double agree = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i + 1; j < order.size(); ++j) {
      const bool is_right =
          strength[static_cast<size_t>(order[i])] > strength[static_cast<size_t>(order[j])];
      agree += is_right ? 1 : -1;
    }
  }
  const auto size = static_cast<double>(order.size());
  return agree / (size * (size - 1) / 2);
}

Pairings RandomRound(size_t bots, Random& random) {
  const std::vector<int> order = experiments::DrawStartingOrder(bots, random.Next());
  Pairings pairings;
  const size_t playing = bots - bots % 3;
  for (size_t i = 0; i < playing; i += 3) {
    pairings.tables.push_back({order[i], order[i + 1], order[i + 2]});
  }
  pairings.byes.assign(order.begin() + static_cast<std::ptrdiff_t>(playing), order.end());
  return pairings;
}

double Repeats(const std::vector<RoundResult>& rounds, size_t bots) {
  std::vector<int> met(bots * bots, 0);
  double repeats = 0;
  for (const RoundResult& round : rounds) {
    for (const auto& match : round.matches) {
      for (const int a : match.bots) {
        for (const int b : match.bots) {
          if (a < b && met[static_cast<size_t>(a) * bots + static_cast<size_t>(b)]++ > 0) ++repeats;
        }
      }
    }
  }
  return repeats;
}

SwissRun RunEvent(const SwissRow& row, bool is_random, uint64_t seed) {
  Random random(seed);
  PoolGames pool(DrawPool(row.bots, kSwissDeviationElo, random));
  SwissEvent event{.seats = 3,
                   .starting_order = experiments::DrawStartingOrder(row.bots, random.Next())};
  for (int round = 0; round < row.rounds; ++round) {
    const Pairings pairings = is_random ? RandomRound(row.bots, random) : NextSwissRound(event);
    RoundResult result{.matches = {}, .byes = pairings.byes};
    for (const auto& table : pairings.tables) result.matches.push_back(pool.Play(table, random));
    event.rounds.push_back(result);
  }
  std::vector<double> ratings;
  const ratings::RatingFit fit = pool.Fit();
  for (size_t bot = 0; bot < row.bots; ++bot) {
    ratings.push_back(fit.parameters()[static_cast<int>(bot)]);
  }
  const std::vector<double>& strength = pool.world().strength;
  const std::vector<int> truth = experiments::StartingOrderByRating(strength);
  std::vector<int> order;
  for (const auto& standing : RankEvent(3, event.starting_order, event.rounds, ratings)) {
    order.push_back(standing.bot);
  }
  SwissRun run{.best_wins = order[0] == truth[0] ? 1.0 : 0.0,
               .by_points = Tau(order, strength),
               .by_rating = Tau(experiments::StartingOrderByRating(ratings), strength),
               .repeats = Repeats(event.rounds, row.bots)};
  for (size_t i = 0; i < 3; ++i) {
    if (std::find(truth.begin(), truth.begin() + 3, order[i]) != truth.begin() + 3) {
      run.top_three += 1.0 / 3;
    }
  }
  return run;
}

}  // namespace

std::vector<Figure> MeasureSwiss(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const SwissRow& row : kSwissRows) {
    const std::string name = absl::StrFormat("%d bots, %d rounds", row.bots, row.rounds);
    const auto random =
        RunAll(runs, setting++, [&](uint64_t seed) { return RunEvent(row, true, seed); });
    const auto swiss =
        RunAll(runs, setting++, [&](uint64_t seed) { return RunEvent(row, false, seed); });
    const auto add = [&](const char* figure, const auto& sample, double SwissRun::*member,
                         double reference) {
      figures.push_back(
          {name, figure, MeanOf(Column(sample, member)), Within(reference, kSwissTolerance), 3});
    };
    add("best bot wins, random tables", random, &SwissRun::best_wins, row.best_random);
    add("best bot wins, Swiss", swiss, &SwissRun::best_wins, row.best_swiss);
    add("best three found, random tables", random, &SwissRun::top_three, row.top_random);
    add("best three found, Swiss", swiss, &SwissRun::top_three, row.top_swiss);
    add("Kendall's tau by points, Swiss", swiss, &SwissRun::by_points, row.by_points);
    add("Kendall's tau by rating, Swiss", swiss, &SwissRun::by_rating, row.by_rating);
    if (row.bots < 25 || row.rounds > 5) continue;
    figures.push_back({name, "pairs that met again, per event",
                       MeanOf(Column(swiss, &SwissRun::repeats)), Within(0, 0), 3});
  }
  return figures;
}

}  // namespace triarch::statistics
