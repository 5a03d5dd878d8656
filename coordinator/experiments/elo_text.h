// Puts differences in Elo into words and digits.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_ELO_TEXT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_ELO_TEXT_H_

#include <string>
#include <string_view>

namespace triarch::experiments {

// Return "more than 3 Elo stronger", "stronger", or "less than 3 Elo weaker"; and the opposite.
std::string AtLeast(double elo, std::string_view unit);
std::string AtMost(double elo, std::string_view unit);

// Formats a difference with its sign, rounded to the first digit of a fifth of its margin. Beyond
// ScoreCurve::kEloMax: ">+800".
std::string RoundedElo(double elo, double margin);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_ELO_TEXT_H_
