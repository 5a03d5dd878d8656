// Compares measured figures with reference values, and prints them as a table.

#ifndef TRIARCH_TESTS_STATISTICS_FIGURES_H_
#define TRIARCH_TESTS_STATISTICS_FIGURES_H_

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/ratings/rating.h"

namespace triarch::statistics {

// The values that a figure may have. The reference values come from independent programs, written
// for the design of the algorithms.
struct Bar {
  std::optional<double> reference = std::nullopt;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
// Return a bar around a reference value: ± an amount, or ± a share of it.
Bar Within(double reference, double amount);
Bar WithinShare(double reference, double share);

struct Figure {
  std::string setting;  // "12 bots, 5 rounds"
  std::string name;     // "best bot wins, %"
  ratings::Estimate measured;
  Bar bar;
  int decimals = 0;
};

// Returns the mean with its standard error.
ratings::Estimate MeanOf(const std::vector<double>& sample);
// Returns the median; 1.96 times its error is half the interval between order statistics that
// covers 95 %.
ratings::Estimate MedianOf(std::vector<double> sample);
// Returns the percentage of `true`, with its standard error.
ratings::Estimate PercentageOf(const std::vector<bool>& sample);

bool HasBar(const Figure& figure);
// Returns whether some value of the figure's 95 % interval satisfies the bar.
bool IsMet(const Figure& figure);

// Returns a table of the figures with reference, bar, and whether the bar is met: "yes", "yes ±" if
// only a part of the 95 % interval satisfies it and not the value itself, or "NO".
std::string TableOf(const std::vector<Figure>& figures);

}  // namespace triarch::statistics

#endif  // TRIARCH_TESTS_STATISTICS_FIGURES_H_
