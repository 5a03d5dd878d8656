#include "tests/audits/simulated_audits.h"

#include <gtest/gtest.h>

namespace triarch::audits {
namespace {

double Found(const Totals& totals) {
  return 1 - static_cast<double>(totals.forged_counted) / static_cast<double>(totals.forged);
}

TEST(SimulatedAuditsTest, FindsForgersAlone) {
  const Totals totals = Simulate({.workers = 1000, .games = 500, .forgers = 0.3});
  EXPECT_GT(totals.forged, 200);
  EXPECT_GE(Found(totals), 0.985);
  EXPECT_GE(totals.liars_found, 295);
  EXPECT_EQ(totals.honest_blamed, 0);
  EXPECT_EQ(totals.undecided, 0);
}

TEST(SimulatedAuditsTest, FindsForgersWithAccomplices) {
  const Totals totals = Simulate(
      {.workers = 1000, .games = 500, .accomplices = 0.3, .is_ring = true, .own_workers = 5});
  EXPECT_GE(Found(totals), 0.98);
  EXPECT_EQ(totals.honest_blamed, 0);
  EXPECT_EQ(totals.undecided, 0);
}

TEST(SimulatedAuditsTest, FindsLyingAuditors) {
  const Totals totals =
      Simulate({.workers = 500, .games = 1000, .forgers = 0, .lying_auditors = 0.1});
  EXPECT_GE(totals.liars_found, 40);
  EXPECT_EQ(totals.honest_blamed, 0);
  EXPECT_EQ(totals.undecided, 0);
}

TEST(SimulatedAuditsTest, TrustedHonestWorkersCostLittle) {
  const Totals totals = Simulate({.workers = 200, .games = 3000, .forgers = 0, .is_trusted = true});
  EXPECT_LT(static_cast<double>(totals.audit_games), 0.05 * static_cast<double>(totals.games));
  EXPECT_EQ(totals.honest_blamed, 0);
  EXPECT_EQ(totals.undecided, 0);
}

}  // namespace
}  // namespace triarch::audits
