#include "coordinator/experiments/adaptive_pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "Eigen/Core"
#include "Eigen/LU"
#include "coordinator/ratings/davidson_luce.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ratings::RatingFit;
using ::testing::Contains;

RatingFit Fit(size_t bots, size_t seats, const std::vector<GameSummary>& games) {
  const absl::StatusOr<ratings::GameCounts> counts = ratings::CountGames(bots, seats, games);
  EXPECT_TRUE(counts.ok()) << counts.status();
  absl::StatusOr<RatingFit> fit = ratings::FitRatings(*counts);
  EXPECT_TRUE(fit.ok()) << fit.status();
  return *std::move(fit);
}

ratings::SimulatedWorld World(std::vector<double> strengths, size_t seats) {
  return {.strength = std::move(strengths), .seat = std::vector<double>(seats, 0)};
}

// A pool in which some bots have few games.
std::vector<GameSummary> UnequalGames(size_t seats) {
  const ratings::SimulatedWorld world = World({0.9, 0.6, 0.1, -0.2, -0.5, -0.9}, seats);
  std::vector<GameSummary> games = ratings::SimulateRoundRobin(world, 2, 1);
  Random random(2);
  for (int match = 100; match < 108; ++match) {
    std::vector<int> bots = {0, 2, 3};
    bots.resize(seats);
    ratings::SimulateMatch(world, match, bots, random, games);
  }
  return games;
}

// Returns the expected information of one match for the strengths of its bots, from the model's own
// derivatives.
MatrixXd InformationOf(const Table& table, const VectorXd& strengths) {
  ratings::GameModel model{.seats = table.size(), .can_tie = {}};
  for (size_t i = 0; i < table.size(); ++i) {
    model.parameters[ratings::StrengthIndex(i, false)] = strengths[table[i]];
  }
  MatrixXd information = MatrixXd::Zero(strengths.size(), strengths.size());
  const double games = table.size() == 3 ? 6 : 2;
  for (const PerSeat<uint8_t>& place : ratings::Placements(table.size())) {
    if (!ratings::IsPossible(model, place)) continue;
    const ratings::GameTerms terms = ratings::Evaluate(model, place);
    const auto seats = static_cast<int>(table.size());
    information(table, table) +=
        games * std::exp(terms.log_likelihood) * terms.information.topLeftCorner(seats, seats);
  }
  return information;
}

// Returns M of the header.
MatrixXd FormOf(AdaptiveGoal goal, const MatrixXd& covariance, const VectorXd& strengths) {
  const Eigen::Index bots = strengths.size();
  if (goal == AdaptiveGoal::kRatings) {
    return MatrixXd::Identity(bots, bots) -
           MatrixXd::Constant(bots, bots, 1 / static_cast<double>(bots));
  }
  Eigen::Index leader = 0;
  strengths.maxCoeff(&leader);
  MatrixXd form = MatrixXd::Zero(bots, bots);
  for (Eigen::Index bot = 0; bot < bots; ++bot) {
    if (bot == leader) continue;
    const VectorXd contrast = VectorXd::Unit(bots, leader) - VectorXd::Unit(bots, bot);
    const double error = std::sqrt(contrast.dot(covariance * contrast));
    const double z = contrast.dot(strengths) / error;
    form += std::exp(-z * z / 2) * (z + 0.5) / error * contrast * contrast.transpose();
  }
  return form;
}

// Chooses the best table by inverting the whole information matrix for each, and updates it.
Table SlowBest(AdaptiveGoal goal, size_t seats, const VectorXd& strengths, MatrixXd& information) {
  const MatrixXd form = FormOf(goal, information.inverse(), strengths);
  double least = std::numeric_limits<double>::infinity();
  Table best;
  const auto bots = static_cast<int>(strengths.size());
  for (int a = 0; a < bots; ++a) {
    for (int b = a + 1; b < bots; ++b) {
      for (int c = seats == 3 ? b + 1 : bots - 1; c < bots; ++c) {
        const Table table = seats == 3 ? Table{a, b, c} : Table{a, b};
        const MatrixXd after = (information + InformationOf(table, strengths)).inverse();
        const double left = (form * after).trace();
        if (left >= least) continue;
        least = left;
        best = table;
      }
    }
  }
  information += InformationOf(best, strengths);
  return best;
}

TEST(AdaptivePairingTest, ChoosesTheTablesThatTellMost) {
  for (const size_t seats : {2u, 3u}) {
    const RatingFit fit = Fit(6, seats, UnequalGames(seats));
    const VectorXd strengths = fit.parameters().head(6);
    for (const AdaptiveGoal goal : {AdaptiveGoal::kRatings, AdaptiveGoal::kBest}) {
      MatrixXd information = fit.covariance().topLeftCorner(6, 6).inverse();
      for (const Table& table : NextBatch(fit, std::vector<int64_t>(6, 9), goal, 1)) {
        EXPECT_EQ(table, SlowBest(goal, seats, strengths, information));
      }
    }
  }
}

TEST(AdaptivePairingTest, EveryBotStartsWithAFewMatches) {
  for (const size_t seats : {2u, 3u}) {
    for (const size_t bots : {seats, size_t{7}, size_t{100}}) {
      const RatingFit fit = Fit(bots, seats, {});
      std::vector<int64_t> matches(bots, 0);
      int64_t tables = 0;
      while (*std::min_element(matches.begin(), matches.end()) < kStartMatches) {
        const std::vector<Table> batch =
            NextBatch(fit, matches, AdaptiveGoal::kRatings, static_cast<uint64_t>(tables));
        EXPECT_EQ(batch.size(), bots / seats);
        for (const Table& table : batch) {
          EXPECT_EQ(std::set<int>(table.begin(), table.end()).size(), seats);
          for (const int bot : table) ++matches[static_cast<size_t>(bot)];
          ++tables;
        }
      }
      // Little more than needed.
      EXPECT_LE(tables, static_cast<int64_t>(kStartMatches * bots * 4 / (3 * seats)) + 2);
    }
  }
}

TEST(AdaptivePairingTest, NoBotStaysBelowTheFloor) {
  const RatingFit fit = Fit(6, 3, UnequalGames(3));
  EXPECT_THAT(NextBatch(fit, std::vector<int64_t>{20, 20, 20, 20, 20, 8}, AdaptiveGoal::kRatings, 1)
                  .front(),
              Contains(5));
  // A quarter is enough to find the best bot, and the last is not among the candidates.
  EXPECT_THAT(
      NextBatch(fit, std::vector<int64_t>{20, 20, 20, 20, 20, 8}, AdaptiveGoal::kBest, 1).front(),
      ::testing::Not(Contains(5)));
  EXPECT_THAT(
      NextBatch(fit, std::vector<int64_t>{20, 20, 20, 20, 20, 3}, AdaptiveGoal::kBest, 1).front(),
      Contains(5));
}

TEST(AdaptivePairingTest, LooksForTheBestAmongTheContenders) {
  const ratings::SimulatedWorld world = World({1.5, 1.4, 0, -0.1, -0.9, -1.2}, 3);
  const RatingFit fit = Fit(6, 3, ratings::SimulateRoundRobin(world, 4, 1));
  for (const Table& table : NextBatch(fit, std::vector<int64_t>(6, 40), AdaptiveGoal::kBest, 1)) {
    EXPECT_THAT(table, Contains(0));
    EXPECT_THAT(table, Contains(1));
  }
}

TEST(AdaptivePairingTest, SamplesTablesOfALargePool) {
  const RatingFit fit = Fit(100, 3, {});
  const std::vector<int64_t> matches(100, 5);
  const std::vector<Table> batch = NextBatch(fit, matches, AdaptiveGoal::kRatings, 1);
  EXPECT_EQ(batch.size(), 33u);
  EXPECT_EQ(batch, NextBatch(fit, matches, AdaptiveGoal::kRatings, 1));
  EXPECT_NE(batch, NextBatch(fit, matches, AdaptiveGoal::kRatings, 2));
  // With no games, fresh bots tell more than those that play in this batch already.
  std::set<int> bots;
  for (const Table& table : batch) bots.insert(table.begin(), table.end());
  EXPECT_GE(bots.size(), 90u);
}

TEST(AdaptivePairingTest, TakesPendingTablesAsPlayed) {
  const RatingFit fit = Fit(6, 3, UnequalGames(3));
  const std::vector<int64_t> matches(6, 40);
  const std::vector<Table> batch = NextBatch(fit, matches, AdaptiveGoal::kRatings, 1);
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_NE(batch[0], batch[1]);
  const std::vector<Table> pending = {batch[0]};
  EXPECT_EQ(NextBatch(fit, matches, AdaptiveGoal::kRatings, 1, pending)[0], batch[1]);
}

TEST(AdaptivePairingTest, TheLeaderIsAheadOfTheBotThatComesClosest) {
  const RatingFit fit = Fit(6, 3, UnequalGames(3));
  const Leader leader = LeaderOf(fit);
  double least = 1;
  for (int bot = 0; bot < 6; ++bot) {
    if (bot != leader.bot) least = std::min(least, fit.Superiority(leader.bot, bot));
  }
  EXPECT_GT(least, 0.5);
  EXPECT_NEAR(ratings::NormalCdf(leader.deviates), least, 1e-12);
}

}  // namespace
}  // namespace triarch::experiments
