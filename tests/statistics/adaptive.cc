// Measures how many games adaptive pairing takes, and the coverage of its intervals.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "Eigen/Core"
#include "absl/strings/str_format.h"
#include "coordinator/experiments/adaptive_pairing.h"
#include "coordinator/experiments/plan.h"
#include "core/base/check.h"
#include "tests/statistics/experiments.h"
#include "tests/statistics/pool.h"

namespace triarch::statistics {
namespace {

using experiments::Table;
using ratings::RatingFit;

// One row of the reference: games until the goal is reached. Fits of large pools take long, so such
// rows have fewer runs: one in `share`, and as a round robin one in `round_robin_share`. The
// reference drew results from the first place down. That hardly matters to the ratings, but as a
// round robin the best bot is known sooner, so those figures have no bar.
struct AdaptiveRow {
  AdaptiveGoal goal;
  size_t bots;
  double deviation_elo;
  double round_robin;
  double adaptive;
  int share;
  int round_robin_share;
};
constexpr AdaptiveRow kAdaptiveRows[] = {
    {AdaptiveGoal::kRatings, 12, 100, 1245, 1225, 3, 10},
    {AdaptiveGoal::kRatings, 12, 200, 1529, 1444, 1, 10},
    {AdaptiveGoal::kRatings, 12, 400, 2662, 2156, 3, 10},
    {AdaptiveGoal::kRatings, 30, 100, 3546, 3348, 10, 30},
    {AdaptiveGoal::kRatings, 30, 200, 4260, 3726, 10, 30},
    {AdaptiveGoal::kRatings, 30, 400, 6309, 4800, 10, 30},
    {AdaptiveGoal::kBest, 12, 100, 1328, 331, 1, 3},
    {AdaptiveGoal::kBest, 20, 100, 2368, 517, 1, 10},
    {AdaptiveGoal::kBest, 20, 200, 892, 232, 1, 3},
    {AdaptiveGoal::kBest, 30, 150, 3722, 398, 1, 10},
};
constexpr double kGamesTolerance = 0.1;
// A planner does not know the results of the last batch. To know the best bot, it takes the errors
// of the standings, which for few games are larger, so it may take up to this share of the games of
// a round robin.
constexpr double kPlannedShare = 0.4;
constexpr uint64_t kPlannedSettings = 100;
constexpr double kMarginElo = 30;
constexpr double kBestDeviates = 2.58;
constexpr double kGamesMax = 10;
constexpr double kGrowth = 1.03;  // between two looks at a round robin

struct AdaptiveRun {
  double games = 0;
  double covered = 0;  // percentage of the bots whose 95 % interval contains the truth
  // By how many matches the bot with the fewest falls short of the floor; 0 if it does not.
  double below_floor = 0;
};

// Returns whether the leader is ahead of every other bot by enough errors, as the model estimates
// them.
bool IsBestKnown(const RatingFit& fit) {
  const auto bots = static_cast<Eigen::Index>(fit.layout().bots());
  const Eigen::VectorXd strength = fit.parameters().head(bots);
  const Eigen::MatrixXd& covariance = fit.covariance();
  Eigen::Index best = 0;
  strength.maxCoeff(&best);
  for (Eigen::Index bot = 0; bot < bots; ++bot) {
    const double variance =
        covariance(best, best) + covariance(bot, bot) - 2 * covariance(best, bot);
    const double lead = strength[best] - strength[bot];
    if (bot != best && lead < kBestDeviates * std::sqrt(variance)) return false;
  }
  return true;
}

struct PlannedRun {
  double games = 0;
  double is_right = 0;  // 100 if the bot that leads in the end is the strongest
};

// Plays a tournament as the product does, one batch ahead.
PlannedRun PlayPlanned(const AdaptiveRow& row, uint64_t seed) {
  Random random(seed);
  PoolGames pool(SpreadPool(row.bots, row.deviation_elo, random));
  TournamentSpec spec;
  spec.game = "triumvirate";
  spec.seed = seed;
  spec.bots.resize(row.bots);
  spec.format = Format::kAdaptive;
  spec.format_options.adaptive_goal = row.goal;
  spec.format_options.adaptive_error = kMarginElo;
  spec.games = static_cast<int64_t>(kGamesMax * row.adaptive);
  experiments::Plan plan(spec);
  for (size_t played = 0; !plan.is_over(); ++played) {
    const std::vector<PlannedMatch> next = plan.Next();
    plan.Add(next);
    const size_t before = pool.games().size();
    pool.Play(plan.matches()[played].bots, random);
    for (size_t game = before; game < pool.games().size(); ++game) plan.Add(pool.games()[game]);
  }
  const std::vector<double>& strength = pool.world().strength;
  const auto leader = static_cast<size_t>(experiments::LeaderOf(pool.Fit()).bot);
  const bool is_right = strength[leader] == *std::max_element(strength.begin(), strength.end());
  return {.games = static_cast<double>(pool.games().size()), .is_right = is_right ? 100.0 : 0.0};
}

bool IsReached(AdaptiveGoal goal, const RatingFit& fit) {
  if (goal == AdaptiveGoal::kBest) return IsBestKnown(fit);
  const std::optional<double> margin = fit.TypicalMargin();
  return margin && *margin <= kMarginElo;
}

// Hands out the tables of round robins in random order.
class RandomRoundRobin {
 public:
  RandomRoundRobin(size_t bots, Random& random) : bots_(bots), random_(random) {}

  std::vector<Table> NextBatch() {
    std::vector<Table> batch;
    while (batch.size() < bots_ / 3) {
      if (left_.empty()) left_ = AllTables(bots_, random_);
      batch.push_back(left_.back());
      left_.pop_back();
    }
    return batch;
  }

 private:
  size_t bots_;
  Random& random_;
  std::vector<Table> left_;
};

double CoveredOf(const RatingFit& fit, const std::vector<double>& strength) {
  const auto bots = static_cast<double>(strength.size());
  const double mean = std::accumulate(strength.begin(), strength.end(), 0.0) / bots;
  double covered = 0;
  for (size_t bot = 0; bot < strength.size(); ++bot) {
    const ratings::Estimate rating = fit.Rating(static_cast<int>(bot));
    const double truth = ratings::kEloPerNatural * (strength[bot] - mean);
    covered += std::abs(rating.value - truth) <= rating.margin() ? 100 : 0;
  }
  return covered / bots;
}

// Plays a pool until the goal is reached.
class PoolRun {
 public:
  PoolRun(const AdaptiveRow& row, uint64_t seed)
      : row_(row),
        random_(seed),
        pool_(SpreadPool(row.bots, row.deviation_elo, random_)),
        matches_(row.bots, 0) {}

  AdaptiveRun RunAdaptive() {
    RatingFit fit = pool_.Fit();
    while (Games() < kGamesMax * row_.adaptive && !IsEnough(fit)) {
      Play(experiments::NextBatch(fit, matches_, row_.goal, random_.Next()));
      fit = pool_.Fit();
    }
    return End(fit);
  }

  AdaptiveRun RunRoundRobin() {
    RandomRoundRobin tables(row_.bots, random_);
    // The ratings are never known in half the games.
    double next_look = row_.goal == AdaptiveGoal::kRatings ? row_.round_robin / 2 : 0;
    RatingFit fit = pool_.Fit();
    while (Games() < kGamesMax * row_.round_robin && !IsEnough(fit)) {
      do {
        Play(tables.NextBatch());
      } while (Games() < next_look);
      next_look = kGrowth * Games();
      fit = pool_.Fit();
    }
    return End(fit);
  }

 private:
  double Games() const { return static_cast<double>(pool_.games().size()); }
  int64_t FewestMatches() const { return *std::min_element(matches_.begin(), matches_.end()); }
  bool IsEnough(const RatingFit& fit) const {
    return FewestMatches() >= experiments::kStartMatches && IsReached(row_.goal, fit);
  }

  void Play(const std::vector<Table>& batch) {
    for (const Table& table : batch) {
      pool_.Play(table, random_);
      for (const int bot : table) ++matches_[static_cast<size_t>(bot)];
    }
  }

  AdaptiveRun End(const RatingFit& fit) const {
    const double mean = 3 * static_cast<double>(pool_.matches()) / static_cast<double>(row_.bots);
    const double floor = std::floor(experiments::FloorShare(row_.goal) * mean);
    return {.games = Games(),
            .covered = CoveredOf(fit, pool_.world().strength),
            .below_floor = std::max(0.0, floor - static_cast<double>(FewestMatches()))};
  }

  const AdaptiveRow& row_;
  Random random_;
  PoolGames pool_;
  std::vector<int64_t> matches_;
};

std::string AdaptiveName(const AdaptiveRow& row) {
  const char* goal = row.goal == AdaptiveGoal::kRatings ? "median ±30" : "best known";
  return absl::StrFormat("%s, %d bots, sd %g", goal, row.bots, row.deviation_elo);
}

}  // namespace

std::vector<Figure> MeasureAdaptive(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const AdaptiveRow& row : kAdaptiveRows) {
    const auto random = RunAll(OneIn(row.round_robin_share, runs), setting,
                               [&](uint64_t seed) { return PoolRun(row, seed).RunRoundRobin(); });
    const auto adaptive = RunAll(OneIn(row.share, runs), setting++,
                                 [&](uint64_t seed) { return PoolRun(row, seed).RunAdaptive(); });
    const std::string name = AdaptiveName(row);
    const bool rates_all = row.goal == AdaptiveGoal::kRatings;
    figures.push_back({name, "games, random round robin",
                       MeanOf(Column(random, &AdaptiveRun::games)),
                       rates_all ? WithinShare(row.round_robin, kGamesTolerance)
                                 : Bar{.reference = row.round_robin},
                       0});
    figures.push_back({name, "games, adaptive", MeanOf(Column(adaptive, &AdaptiveRun::games)),
                       WithinShare(row.adaptive, kGamesTolerance), 0});
    // With few games a fit takes the larger of two errors, so its intervals may cover more.
    figures.push_back({name, "% of 95 % intervals that cover, adaptive",
                       MeanOf(Column(adaptive, &AdaptiveRun::covered)),
                       rates_all ? Within(95, 1.5) : Bar{.reference = 95, .low = 93.5}, 1});
    const auto planned = RunAll(OneIn(row.share, runs), kPlannedSettings + setting,
                                [&](uint64_t seed) { return PlayPlanned(row, seed); });
    figures.push_back(
        {name, "games, planned one batch ahead", MeanOf(Column(planned, &PlannedRun::games)),
         rates_all ? WithinShare(row.adaptive, kGamesTolerance)
                   : Bar{.reference = row.adaptive, .high = kPlannedShare * row.round_robin},
         0});
    if (!rates_all) {
      figures.push_back({name, "% of the leaders that are the best, planned",
                         MeanOf(Column(planned, &PlannedRun::is_right)), Bar{.low = 95}, 1});
    }
    figures.push_back({name,
                       "matches below the floor, adaptive",
                       MeanOf(Column(adaptive, &AdaptiveRun::below_floor)),
                       {.high = 1},
                       1});
  }
  return figures;
}

}  // namespace triarch::statistics
