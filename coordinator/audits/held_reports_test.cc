#include "coordinator/audits/held_reports.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

namespace triarch {
namespace {

using Ids = std::vector<int64_t>;

HeldReport Report(int64_t id, int64_t first_game, int64_t games, int64_t audits) {
  HeldReport report{
      .id = id, .tournament = 1, .worker = "w", .owner = "o", .audits = audits, .games = {}};
  report.games.resize(static_cast<size_t>(games));
  std::iota(report.games.begin(), report.games.end(), first_game);
  return report;
}

Audit Of(int64_t report, int64_t game) {
  return {.id = 100 * report + game, .tournament = 1, .game = game, .report = report};
}

TEST(HeldReportsTest, PassesOfEarlierGamesDoNotCountForLaterReports) {
  HeldReports held;
  EXPECT_EQ(held.Hold(Report(1, 0, 10, 2), false), 0);
  held.Open(Of(1, 3));
  held.Open(Of(1, 4));
  EXPECT_EQ(held.Hold(Report(2, 10, 10, 2), false), 2) << "two audits are open";
  held.Close(Of(1, 3), true);
  EXPECT_EQ(held.TakeConfirmed(false), Ids());
  held.Close(Of(1, 4), true);
  EXPECT_EQ(held.TakeConfirmed(false), Ids{1});
  EXPECT_EQ(held.games(), 10);
  held.Open(Of(2, 10));
  held.Close(Of(2, 10), true);
  EXPECT_EQ(held.TakeConfirmed(false), Ids());
  held.Open(Of(2, 11));
  held.Close(Of(2, 11), true);
  EXPECT_EQ(held.TakeConfirmed(false), Ids{2});
}

TEST(HeldReportsTest, AReportWaitsForItsOwnAudits) {
  HeldReports held(7);
  EXPECT_EQ(held.Hold(Report(1, 0, 4, 1), false), 7);
  held.Open(Of(1, 0));
  held.Open(Of(1, 1));
  held.Close(Of(1, 0), true);
  EXPECT_EQ(held.TakeConfirmed(true), Ids());
  EXPECT_EQ(held.OpenAudits(), Ids{101});
  held.Close(Of(1, 1), false);
  EXPECT_EQ(held.TakeConfirmed(true), Ids{1});
}

TEST(HeldReportsTest, AllGamesAreEnoughOnceSettled) {
  HeldReports held;
  held.Hold(Report(1, 0, 2, 45), false);
  for (const int64_t game : {0, 1}) {
    held.Open(Of(1, game));
    held.Close(Of(1, game), true);
  }
  EXPECT_EQ(held.TakeConfirmed(false), Ids());
  EXPECT_EQ(held.TakeConfirmed(true), Ids{1});
}

TEST(HeldReportsTest, ConfirmsNothingDuringADispute) {
  HeldReports held;
  held.Hold(Report(1, 0, 2, 1), false);
  held.Hold(Report(2, 2, 2, 1), false);
  held.Open(Of(2, 2));
  held.Open(Of(2, 3));
  held.BeginDispute();
  held.Close(Of(2, 2), true);
  EXPECT_EQ(held.TakeConfirmed(true), Ids());
  held.EndDispute();
  held.Close(Of(2, 3), true);
  EXPECT_EQ(held.TakeConfirmed(true), (Ids{1, 2}));
}

TEST(HeldReportsTest, KeepsTheStoredNumberOfPasses) {
  HeldReports held(5);
  HeldReport report = Report(1, 0, 3, 2);
  report.passes_before = 4;
  EXPECT_EQ(held.Hold(report, true), 4);
  held.Open(Of(1, 0));
  held.Close(Of(1, 0), true);
  EXPECT_EQ(held.TakeConfirmed(false), Ids{1});
}

TEST(HeldReportsTest, ReopensAPassedAudit) {
  HeldReports held;
  held.Hold(Report(1, 0, 3, 2), false);
  held.Open(Of(1, 2));
  held.Close(Of(1, 2), true);
  Audit again = Of(1, 2);
  again.id = 7;
  held.Reopen(again);
  EXPECT_EQ(held.passes(), 0);
  EXPECT_EQ(held.OpenAudits(), Ids{7});
  EXPECT_TRUE(held.Holds(1));
  EXPECT_FALSE(held.Holds(2));
}

TEST(HeldReportsTest, ChoosesAsManyGamesAsPassesLack) {
  HeldReports held;
  held.Hold(Report(1, 0, 100, 5), false);
  held.Open(Of(1, 50));
  const std::vector<Audit> chosen = held.Choose(Random(1));
  EXPECT_EQ(chosen.size(), 4u);
  std::set<int64_t> games = {50};
  for (const Audit& audit : chosen) games.insert(audit.game);
  EXPECT_EQ(games.size(), 5u) << "each game once";
}

TEST(HeldReportsTest, ChoosesAllGamesOfASmallReport) {
  HeldReports held;
  held.Hold(Report(1, 0, 3, 5), false);
  held.Open(Of(1, 1));
  EXPECT_EQ(held.Choose(Random(1)).size(), 2u);
}

TEST(HeldReportsTest, ChoosesGamesWherePassesLackMost) {
  int later = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    HeldReports held;
    held.Hold(Report(1, 0, 100, 10), false);
    for (int64_t game = 0; game < 9; ++game) held.Open(Of(1, game));
    held.Hold(Report(2, 100, 100, 10), false);
    for (const Audit& audit : held.Choose(Random(seed))) later += audit.report == 2 ? 1 : 0;
  }
  EXPECT_GT(later, 1700) << "of 2000; report 1 lacks one pass, report 2 ten";
  EXPECT_LT(later, 1950);
}

}  // namespace
}  // namespace triarch
