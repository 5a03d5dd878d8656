// Formats the figures of tables for people.

#ifndef TRIARCH_COORDINATOR_RATINGS_FIGURES_H_
#define TRIARCH_COORDINATOR_RATINGS_FIGURES_H_

#include <cstdint>
#include <string>

#include "coordinator/ratings/rating.h"

namespace triarch {

// Formats 1234567 as "1 234 567": every language reads spaces the same way.
std::string Grouped(int64_t number);

// Formats about three significant digits: "0.021", "1.25", "12.5", "125", "12.5k", "3.4M".
std::string Short(double value);

// Rounds Elo to what its error allows: to the first digit of a fifth of the margin, and to whole
// numbers at most.
int64_t Rounded(double elo, const ratings::Estimate& estimate);
// Formats the rounded value, "+120", and half of the rounded 95 % interval, "±30".
std::string Signed(const ratings::Estimate& estimate);
std::string Margin(const ratings::Estimate& estimate);

// Rounds an estimate to two or three digits: 1 105 → 1 100.
int64_t Roughly(int64_t number);

// Formats a percentage: whole between 1 and 99, else with one decimal. A share can be exactly 0 or
// 1; a probability cannot, although it may round to it.
std::string Percent(double share, bool is_probability = false);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_FIGURES_H_
