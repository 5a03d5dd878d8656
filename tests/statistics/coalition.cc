// Measures how often a planted coalition is flagged, and how often an honest pool.

#include "coordinator/ratings/coalition.h"

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

using experiments::Table;
using ratings::SimulatedWorld;

enum class Plot { kNone, kGang, kFeed };

// One row of the reference: the percentage of pools in which the planted pair is flagged, or in an
// honest pool any pair.
struct CoalitionRow {
  size_t bots;
  int rounds;
  Plot plot;
  double elo;
  double flagged;
};
constexpr CoalitionRow kHonestRows[] = {{6, 5, Plot::kNone, 0, 6}, {12, 2, Plot::kNone, 0, 6}};
constexpr CoalitionRow kPlotRows[] = {
    {6, 1, Plot::kGang, 100, 8},   {6, 1, Plot::kGang, 200, 12},  {6, 1, Plot::kFeed, 100, 0},
    {6, 1, Plot::kFeed, 200, 30},  {6, 5, Plot::kGang, 100, 45},  {6, 5, Plot::kGang, 200, 95},
    {6, 5, Plot::kFeed, 100, 65},  {6, 5, Plot::kFeed, 200, 100}, {12, 1, Plot::kGang, 100, 8},
    {12, 1, Plot::kFeed, 100, 15}, {12, 4, Plot::kGang, 100, 65}, {12, 4, Plot::kFeed, 100, 95},
};
constexpr double kPoolDeviationElo = 100;
constexpr double kOpeningDeviationElo = 52;
constexpr double kPowerTolerance = 10;
constexpr int kPlotRunsShare = 5;  // rare false flags need more runs than power

// Bots 0 and 1 conspire when they sit together: against the third, or 0 for 1.
SimulatedWorld Conspire(const CoalitionRow& row, const Table& table, SimulatedWorld world) {
  if (row.plot == Plot::kNone || table[0] != 0 || table[1] != 1) return world;
  const double natural = row.elo / ratings::kEloPerNatural;
  if (row.plot == Plot::kGang) {
    world.strength[static_cast<size_t>(table[2])] -= natural;
  } else {
    world.strength[0] -= natural;
    world.strength[1] += natural;
  }
  return world;
}

struct CoalitionRun {
  bool is_pair_flagged = false;  // bots 0 and 1
  bool is_any_flagged = false;
  bool is_triple_flagged = false;
};

CoalitionRun RunCoalition(const CoalitionRow& row, uint64_t seed) {
  Random random(seed);
  SimulatedWorld world = DrawPool(row.bots, kPoolDeviationElo, random);
  world.opening_deviation = kOpeningDeviationElo / ratings::kEloPerNatural;
  PoolGames pool(world);
  for (int round = 0; round < row.rounds; ++round) {
    for (const Table& table : AllTables(row.bots, random)) {
      pool.Play(Conspire(row, table, world), table, random);
    }
  }
  const ratings::CoalitionReport report =
      ratings::CheckCoalitions(pool.Fit(ratings::Strengths::kByStage), pool.Counts());
  CoalitionRun run;
  for (const ratings::PairCheck& pair : report.pairs) {
    if (!pair.gang.is_significant && !pair.feed.is_significant) continue;
    run.is_any_flagged = true;
    if (pair.bots[0] == 0 && pair.bots[1] == 1) run.is_pair_flagged = true;
  }
  for (const ratings::TripleCheck& triple : report.triples) {
    run.is_triple_flagged = run.is_triple_flagged || triple.is_significant;
  }
  return run;
}

std::string CoalitionName(const CoalitionRow& row) {
  const size_t sets = row.bots * (row.bots - 1) * (row.bots - 2) / 6;
  const std::string pool =
      absl::StrFormat("%d bots, %d games", row.bots, 6 * sets * static_cast<size_t>(row.rounds));
  if (row.plot == Plot::kNone) return pool + ", honest";
  return absl::StrFormat("%s, %s %g", pool, row.plot == Plot::kGang ? "gang" : "feed", row.elo);
}

}  // namespace

std::vector<Figure> MeasureCoalition(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const CoalitionRow& row : kHonestRows) {
    const auto results =
        RunAll(runs, setting++, [&](uint64_t seed) { return RunCoalition(row, seed); });
    figures.push_back({CoalitionName(row),
                       "% with a flagged pair",
                       PercentageOf(Column(results, &CoalitionRun::is_any_flagged)),
                       {.reference = 5, .high = row.flagged},
                       1});
    figures.push_back({CoalitionName(row),
                       "% with a flagged triple",
                       PercentageOf(Column(results, &CoalitionRun::is_triple_flagged)),
                       {.reference = 5, .high = row.flagged},
                       1});
  }
  for (const CoalitionRow& row : kPlotRows) {
    const auto results = RunAll(OneIn(kPlotRunsShare, runs), setting++,
                                [&](uint64_t seed) { return RunCoalition(row, seed); });
    // More power than the reference's is no fault.
    figures.push_back(
        {CoalitionName(row),
         "% in which the pair is flagged",
         PercentageOf(Column(results, &CoalitionRun::is_pair_flagged)),
         {.reference = row.flagged, .low = std::max(0.0, row.flagged - kPowerTolerance)},
         1});
  }
  return figures;
}

}  // namespace triarch::statistics
