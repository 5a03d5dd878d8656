// Gives the expected score of a test's unit for a difference in Elo.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SCORE_CURVE_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SCORE_CURVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "Eigen/Core"
#include "absl/status/statusor.h"
#include "coordinator/experiments/log_likelihood_ratio.h"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"
#include "core/record/test_spec.h"

namespace triarch::experiments {

// Returns the part of a place that falls to a seat that shares it; 0 if it has another place.
double PartOf(const PerSeat<uint8_t>& place, size_t seats, size_t seat, uint8_t wanted);
// What a game adds to the sum over its unit; the score of a unit is the mean over its games.
// `bots` are by seat.
double UnitScoreOf(const TestSpec& test, const PerSeat<int>& bots, const PerSeat<uint8_t>& place,
                   size_t seats);
// The prior for the variance of a unit's score.
double PriorVariance(const TestSpec& test, size_t seats);

// Whether the curve is fitted again after so many units: after 20, 40, 80, …
bool IsFitDue(int64_t units);

class ScoreCurve {
 public:
  // The curve of equal bots without seat effects or ties, as a line.
  ScoreCurve(const TestSpec& test, size_t seats);
  // The curve by the ratings fitted to these games, which include seat effects and ties. Fails as
  // FitRatings does.
  static absl::StatusOr<ScoreCurve> Fit(const TestSpec& test, const ratings::GameCounts& games);

  // Returns the expected score of a unit if the new bot is `elo` stronger than the base.
  double Score(double elo) const;
  // Returns the difference in Elo at which that score is expected, within ±kEloMax.
  double Elo(double score) const;

  static constexpr double kEloMax = 800;

 private:
  struct Fitted {
    ratings::ParameterLayout layout;
    Eigen::VectorXd parameters;
  };

  double ScoreOfGame(const PerSeat<int>& bots, const Eigen::VectorXd& parameters) const;

  TestSpec test_;
  size_t seats_;
  double slope_;  // per Elo
  std::optional<Fitted> fitted_;
  std::vector<double> scores_;  // at multiples of kStep from -kEloMax; empty for a line
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SCORE_CURVE_H_
