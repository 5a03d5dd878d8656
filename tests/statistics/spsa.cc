// Measures what SPSA leaves to gain on a quadratic loss.

#include "coordinator/experiments/spsa.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/game/outcome.h"
#include "tests/statistics/experiments.h"

namespace triarch::statistics {
namespace {

using experiments::Spsa;
using experiments::SpsaOptions;
using experiments::SpsaParameter;

// One row of the reference: losses in Elo after 6 000, 30 000 and 120 000 games, with a final rate
// of 0.002 and of 0.008.
struct SpsaRow {
  int parameters;
  double elo_per_step;
  double slow[3];
  double fast[3];
};
constexpr SpsaRow kSpsaRows[] = {
    {2, 0.5, {12, 4.5, 0.2}, {6, 0.5, 0.7}},  {6, 0.5, {38, 15, 0.9}, {21, 1.9, 1.6}},
    {6, 2, {76, 2.0, 0.4}, {7, 1.2, 1.4}},    {16, 0.5, {102, 41, 2.5}, {54, 5.8, 3.9}},
    {16, 2, {207, 6.3, 1.0}, {18, 4.0, 3.5}},
};
constexpr int64_t kSpsaGames[] = {6'000, 30'000, 120'000};
constexpr double kSpsaStart = 4;   // distance of each parameter from its best value, in steps
constexpr double kSpsaBound = 10;  // largest distance, in steps

// Returns ± 20 %, and what the rounding of the reference adds.
Bar SpsaBar(double reference) {
  return Within(reference, 0.2 * reference + (reference < 10 ? 0.05 : 0.5));
}

double LossOf(const std::vector<double>& values, double elo_per_step) {
  double loss = 0;
  for (const double value : values) loss += elo_per_step * value * value;
  return loss;
}

// Plays three games of `one` against two copies of another bot that is `natural` weaker, and
// returns its mean points less ½.
double PlayHalf(double natural, Random& random) {
  const ratings::SimulatedWorld world{.strength = {}, .seat = {0, 0, 0}};
  double points = 0;
  for (size_t seat = 0; seat < 3; ++seat) {
    std::vector<double> at_seat(3, 0);
    at_seat[seat] = natural;
    const PerSeat<uint8_t> place = ratings::SimulatePlaces(world, at_seat, {0, 0, 0}, random);
    points += Points(place, 3)[SeatAt(seat)];
  }
  return points / 3 - 0.5;
}

// Returns how a tuning on the quadratic ends.
Spsa Tune(const SpsaRow& row, const SpsaOptions& options) {
  const SpsaParameter parameter{
      .start = kSpsaStart, .min = -kSpsaBound, .max = kSpsaBound, .step = 1};
  Spsa spsa(std::vector<SpsaParameter>(static_cast<size_t>(row.parameters), parameter), options);
  Random random(DeriveSeed(options.seed, 1));
  while (spsa.applied() < spsa.iterations()) {
    const experiments::SpsaPair pair = spsa.PairOf(spsa.applied());
    const double natural =
        (LossOf(pair.minus, row.elo_per_step) - LossOf(pair.plus, row.elo_per_step)) /
        ratings::kEloPerNatural;
    // A among two of B, then B among two of A.
    const double gain = (PlayHalf(natural, random) - PlayHalf(-natural, random)) / 2;
    spsa.Add(spsa.applied(), 12 * gain);
  }
  return spsa;
}

}  // namespace

// The reference took the last values of iterations played one by one. The answer of a tuning is the
// mean over the last quarter, with more in play.
std::vector<Figure> MeasureSpsa(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const SpsaRow& row : kSpsaRows) {
    for (size_t i = 0; i < 3; ++i) {
      for (const double rate : {0.002, 0.008}) {
        const std::string name =
            absl::StrFormat("%d parameters, %g Elo per step, %d games at rate %g", row.parameters,
                            row.elo_per_step, kSpsaGames[i], rate);
        SpsaOptions options = {.iterations = kSpsaGames[i] / 6, .final_rate = rate};
        const auto last = RunAll(runs, setting, [&, options](uint64_t seed) mutable {
          options.seed = seed;
          return LossOf(Tune(row, options).path().back(), row.elo_per_step);
        });
        options.in_play = experiments::MaxSpsaInPlay(options.iterations);
        const auto mean = RunAll(runs, setting++, [&, options](uint64_t seed) mutable {
          options.seed = seed;
          return LossOf(Tune(row, options).Mean(), row.elo_per_step);
        });
        const double reference = rate == 0.008 ? row.fast[i] : row.slow[i];
        figures.push_back(
            {name, "Elo left by the last values", MeanOf(last), SpsaBar(reference), 2});
        figures.push_back({name, "Elo left by the mean, 2 % in play", MeanOf(mean), {}, 2});
      }
    }
  }
  return figures;
}

}  // namespace triarch::statistics
