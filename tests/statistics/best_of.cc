// Simulates searches for the best of several variants: false passes, cost, and how often the best
// variant is found.

#include "coordinator/experiments/best_of.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coordinator/experiments/planner.h"
#include "coordinator/ratings/rating.h"
#include "core/base/random.h"
#include "tests/statistics/experiments.h"

namespace triarch::statistics {
namespace {

using experiments::BestOf;

constexpr size_t kSeats = 3;

// Draws the places of games of three, without seat effects or ties.
class VariantGames {
 public:
  // Strengths in Elo: of the base, then of the variants.
  explicit VariantGames(const std::vector<double>& elo) : bots_(elo.size()) {
    const int bots = static_cast<int>(bots_);
    for (int a = 0; a < bots; ++a) {
      for (int b = 0; b < bots; ++b) {
        for (int c = 0; c < bots; ++c) AddSeating(elo, {{a, b, c}});
      }
    }
  }

  PerSeat<uint8_t> Draw(const PerSeat<int>& bots, Random& random) const {
    size_t seating = 0;
    for (const int bot : bots) seating = seating * bots_ + static_cast<size_t>(bot);
    const std::span<const PerSeat<uint8_t>> placements = ratings::Placements(kSeats);
    const auto first = cumulative_.begin() + static_cast<ptrdiff_t>(seating * placements.size());
    const auto last = first + std::ssize(placements);
    const auto found = std::upper_bound(first, last, random.Unit() * *(last - 1));
    return placements[static_cast<size_t>(std::min(found, last - 1) - first)];
  }

 private:
  // Adds the cumulative probabilities of the placements.
  void AddSeating(const std::vector<double>& elo, const PerSeat<int>& bots) {
    ratings::GameModel game;
    game.seats = kSeats;
    game.can_tie = {};
    for (size_t i = 0; i < kSeats; ++i) {
      game.parameters[ratings::StrengthIndex(i, false)] =
          elo[static_cast<size_t>(bots[SeatAt(i)])] / ratings::kEloPerNatural;
    }
    double sum = 0;
    for (const PerSeat<uint8_t>& place : ratings::Placements(kSeats)) {
      const bool can_be = ratings::IsPossible(game, place);
      sum += can_be ? std::exp(ratings::Evaluate(game, place).log_likelihood) : 0;
      cumulative_.push_back(sum);
    }
  }

  size_t bots_;
  std::vector<double> cumulative_;  // by seating, then placement
};

struct BestOfRow {
  std::string name;
  std::vector<double> elo;  // of the variants; the base has 0
  double games = 0;         // reference
  double passes = 0;        // reference, in percent
  double best = 0;          // reference, in percent; 0 if all variants are equal
};

// The first of `variants`, 10 Elo above the others.
std::vector<double> OneBetter(size_t variants) {
  std::vector<double> elo(variants, 0);
  elo.front() = 10;
  return elo;
}

std::vector<BestOfRow> BestOfRows() {
  return {
      {.name = "4 variants, all 0", .elo = {0, 0, 0, 0}, .games = 13'600, .passes = 3.9},
      {.name = "4 variants, all -5", .elo = {-5, -5, -5, -5}, .games = 7'000, .passes = 0},
      {.name = "4 variants, 10, rest 0",
       .elo = OneBetter(4),
       .games = 10'400,
       .passes = 96,
       .best = 95},
      {.name = "8 variants, 10, rest 0",
       .elo = OneBetter(8),
       .games = 17'500,
       .passes = 96,
       .best = 95},
      {.name = "8 variants, 10 8 6 4 2 0 -2 -4",
       .elo = {10, 8, 6, 4, 2, 0, -2, -4},
       .games = 16'200,
       .passes = 100,
       .best = 58},
      {.name = "16 variants, 10, rest 0",
       .elo = OneBetter(16),
       .games = 30'900,
       .passes = 96,
       .best = 94},
  };
}

TournamentSpec BestOfSpecOf(size_t variants, uint64_t seed) {
  TournamentSpec spec;
  spec.game = "triumvirate";
  spec.best_of = std::make_shared<const BestOfSpec>();
  spec.bots.resize(variants + 1);
  spec.seed = seed;
  spec.games = std::numeric_limits<int64_t>::max();
  return spec;
}

struct BestOfRun {
  bool has_passed = false;
  bool has_best = false;  // the best variant passed
  double games = 0;
  double lost = 0;  // Elo by which the variant that passed is weaker than the best
};

// Plays a match and adds it.
void PlayMatch(const VariantGames& games, PlannedMatch match, Random& random, BestOf* best_of) {
  experiments::FinishedMatch finished = {.match = std::move(match), .games = {}};
  const int64_t first = finished.match.first_game;
  for (int64_t index = first; index < EndOf(finished.match); ++index) {
    GameSummary& game = finished.games.emplace_back();
    game.index = index;
    const PerSeat<int> places = SeatPlaces(finished.match, index);
    for (size_t i = 0; i < kSeats; ++i) {
      game.bots[SeatAt(i)] = finished.match.bots[static_cast<size_t>(places[SeatAt(i)])];
    }
    game.outcome.place = games.Draw(game.bots, random);
  }
  best_of->OnFinished(finished);
}

BestOfRun RunBestOf(const BestOfRow& row, const VariantGames& games, uint64_t seed) {
  BestOf best_of(BestOfSpecOf(row.elo.size(), seed), kSeats);
  Random random(DeriveSeed(seed, 0));
  while (!best_of.is_over()) {
    for (PlannedMatch& match : best_of.Next()) {
      match.first_game = best_of.games();
      best_of.OnPlanned(match);
      PlayMatch(games, std::move(match), random, &best_of);
      if (best_of.is_over()) break;
    }
  }
  BestOfRun run = {.has_passed = best_of.best().has_value(),
                   .games = static_cast<double>(best_of.games())};
  if (!run.has_passed) return run;
  const double most = *std::max_element(row.elo.begin(), row.elo.end());
  run.lost = most - row.elo[static_cast<size_t>(*best_of.best()) - 1];
  run.has_best = run.lost == 0;
  return run;
}

}  // namespace

std::vector<Figure> MeasureBestOf(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const BestOfRow& row : BestOfRows()) {
    std::vector<double> elo = {0};
    elo.insert(elo.end(), row.elo.begin(), row.elo.end());
    const VariantGames games(elo);
    const std::vector<BestOfRun> all =
        RunAll(runs, setting++, [&](uint64_t seed) { return RunBestOf(row, games, seed); });
    const auto passes = PercentageOf(Column(all, &BestOfRun::has_passed));
    if (row.best == 0) {
      figures.push_back({row.name,
                         "a variant passes, %",
                         passes,
                         {.reference = row.passes, .low = 0, .high = 6},
                         2});
    } else {
      figures.push_back({row.name, "a variant passes, %", passes, {.reference = row.passes}, 1});
      figures.push_back({row.name,
                         "the best passes, %",
                         PercentageOf(Column(all, &BestOfRun::has_best)),
                         {.reference = row.best},
                         1});
      std::vector<double> lost;
      for (const BestOfRun& run : all)
        if (run.has_passed) lost.push_back(run.lost);
      figures.push_back(
          {row.name, "the one that passes is below the best, Elo", MeanOf(lost), {}, 1});
    }
    figures.push_back({row.name, "games", MeanOf(Column(all, &BestOfRun::games)),
                       WithinShare(row.games, 0.15), 0});
  }
  return figures;
}

}  // namespace triarch::statistics
