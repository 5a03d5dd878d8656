#include "coordinator/experiments/score_curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/status_macros.h"
#include "core/game/outcome.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

using ratings::kEloPerNatural;

constexpr double kStep = 25;  // Elo between the points of a fitted curve

double InitialSlope(const TestSpec& test, size_t seats) {
  if (seats == 2) return 0.00144;
  const bool is_pool = test.field == TestField::kPool;
  if (test.score == TestScore::kFirsts) return is_pool ? 0.00120 : 0.00160;
  return is_pool ? 0.00108 : 0.00144;
}

size_t SeatOf(const PerSeat<int>& bots, int bot) {
  return static_cast<size_t>(std::find(bots.begin(), bots.end(), bot) - bots.begin());
}

}  // namespace

double PartOf(const PerSeat<uint8_t>& place, size_t seats, size_t seat, uint8_t wanted) {
  if (place[SeatAt(seat)] != wanted) return 0;
  const auto end = place.begin() + static_cast<ptrdiff_t>(seats);
  return 1.0 / static_cast<double>(std::count(place.begin(), end, wanted));
}

double UnitScoreOf(const TestSpec& test, const PerSeat<int>& bots, const PerSeat<uint8_t>& place,
                   size_t seats) {
  const auto score = [&](int bot) {
    const size_t seat = SeatOf(bots, bot);
    return test.score == TestScore::kFirsts ? PartOf(place, seats, seat, 1)
                                            : Points(place, seats)[SeatAt(seat)];
  };
  if (seats == 2 || test.field == TestField::kPool) return (score(kNewBot) - score(kBaseBot)) / 2;
  const auto end = bots.begin() + static_cast<ptrdiff_t>(seats);
  const bool is_new_alone = std::count(bots.begin(), end, kNewBot) == 1;
  return is_new_alone ? score(kNewBot) : -score(kBaseBot);
}

double PriorVariance(const TestSpec& test, size_t seats) {
  if (seats == 2) return 1.0 / 8;
  const bool is_pool = test.field == TestField::kPool;
  if (test.score == TestScore::kFirsts) return is_pool ? 1.0 / 36 : 1.0 / 27;
  return is_pool ? 1.0 / 48 : 1.0 / 36;
}

bool IsFitDue(int64_t units) {
  return units >= kTestUnitsMin && units % kTestUnitsMin == 0 &&
         std::has_single_bit(static_cast<uint64_t>(units / kTestUnitsMin));
}

ScoreCurve::ScoreCurve(const TestSpec& test, size_t seats)
    : test_(test), seats_(seats), slope_(InitialSlope(test, seats)) {}

absl::StatusOr<ScoreCurve> ScoreCurve::Fit(const TestSpec& test, const ratings::GameCounts& games) {
  ASSIGN_OR_RETURN(const ratings::RatingFit fit, ratings::FitRatings(games));
  ScoreCurve curve(test, games.seats);
  curve.fitted_ = Fitted{.layout = fit.layout(), .parameters = fit.parameters()};
  for (double elo = -kEloMax; elo <= kEloMax; elo += kStep) {
    curve.scores_.push_back(curve.Score(elo));
  }
  return curve;
}

double ScoreCurve::ScoreOfGame(const PerSeat<int>& bots, const Eigen::VectorXd& parameters) const {
  const ratings::GameModel model = fitted_->layout.ModelOf(bots, parameters);
  double sum = 0;
  for (const PerSeat<uint8_t>& place : ratings::Placements(seats_)) {
    if (!ratings::IsPossible(model, place)) continue;
    const double probability = std::exp(ratings::Evaluate(model, place).log_likelihood);
    sum += probability * UnitScoreOf(test_, bots, place, seats_);
  }
  return sum;
}

double ScoreCurve::Score(double elo) const {
  if (!fitted_) return slope_ * elo;
  const ratings::ParameterLayout& layout = fitted_->layout;
  Eigen::VectorXd parameters = fitted_->parameters;
  double& strength = parameters[layout.Bot(kNewBot)];
  double& base = parameters[layout.Bot(kBaseBot)];
  const double mean = (strength + base) / 2;
  strength = mean + elo / kEloPerNatural / 2;
  base = mean - elo / kEloPerNatural / 2;
  const auto bots = static_cast<int64_t>(layout.bots());
  const int64_t units = test_.field == TestField::kPool && seats_ == 3 ? bots - 2 : 1;
  const int64_t games = units * GamesPerTestUnit(seats_);
  double sum = 0;
  for (int64_t game = 0; game < games; ++game) {
    sum += ScoreOfGame(SeatTestBots(test_.field, bots, seats_, game), parameters);
  }
  return sum / static_cast<double>(games);
}

double ScoreCurve::Elo(double score) const {
  if (!fitted_) return std::clamp(score / slope_, -kEloMax, kEloMax);
  if (score <= scores_.front()) return -kEloMax;
  if (score >= scores_.back()) return kEloMax;
  const auto above = std::upper_bound(scores_.begin(), scores_.end(), score);
  const double share = (score - *(above - 1)) / (*above - *(above - 1));
  return -kEloMax + kStep * (static_cast<double>(above - 1 - scores_.begin()) + share);
}

}  // namespace triarch::experiments
