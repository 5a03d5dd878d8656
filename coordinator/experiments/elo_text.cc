#include "coordinator/experiments/elo_text.h"

#include <cmath>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/score_curve.h"

namespace triarch::experiments {

std::string AtLeast(double elo, std::string_view unit) {
  if (elo == 0) return "stronger";
  if (elo > 0) return absl::StrFormat("more than %g %s stronger", elo, unit);
  return absl::StrFormat("less than %g %s weaker", -elo, unit);
}

std::string AtMost(double elo, std::string_view unit) {
  if (elo == 0) return "weaker";
  if (elo > 0) return absl::StrFormat("less than %g %s stronger", elo, unit);
  return absl::StrFormat("more than %g %s weaker", -elo, unit);
}

std::string RoundedElo(double elo, double margin) {
  if (std::abs(elo) >= ScoreCurve::kEloMax) {
    return absl::StrFormat("%s%.0f", elo > 0 ? ">+" : "<-", ScoreCurve::kEloMax);
  }
  double step = 0.1;
  while (step * 10 <= margin / 5) step *= 10;
  return absl::StrFormat("%+.*f", step < 1 ? 1 : 0, std::round(elo / step) * step);
}

}  // namespace triarch::experiments
