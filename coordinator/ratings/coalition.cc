#include "coordinator/ratings/coalition.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "Eigen/Eigenvalues"
#include "core/game/outcome.h"

namespace triarch::ratings {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kSignificance = 0.05;
// A sum with less variance than this (games²) is not approximately normal.
constexpr double kVarianceMin = 3;
// If the fit leaves less than this share of a sum's variance free, it largely determines the sum.
constexpr double kFreeShareMin = 0.1;

// One value per seat and result, to be summed.
using PerResult = std::vector<Vector3d>;

PerResult FirstShares(size_t seats) {
  PerResult shares;
  for (const PerSeat<uint8_t>& place : Placements(seats)) {
    const auto first = static_cast<double>(std::count(place.begin(), place.end(), 1));
    Vector3d share;
    for (size_t i = 0; i < 3; ++i)
      share[static_cast<int>(i)] = place[SeatAt(i)] == 1 ? 1 / first : 0;
    shares.push_back(share);
  }
  return shares;
}

PerResult PointsPerResult(size_t seats) {
  PerResult points;
  for (const PerSeat<uint8_t>& place : Placements(seats)) {
    points.push_back(Vector3d(Points(place, seats).values.data()));
  }
  return points;
}

// Sums over games of three values: observed and expected by the fit.
struct Sums {
  explicit Sums(int parameters) : score(MatrixXd::Zero(3, parameters)) {}

  int64_t games = 0;
  Vector3d observed = Vector3d::Zero();
  Vector3d expected = Vector3d::Zero();
  Matrix3d covariance = Matrix3d::Zero();
  MatrixXd score;  // covariance with the score: 3 × parameters
};

// The games of one seating of bots: a range of GameCounts::counts.
struct Seating {
  std::array<int, 3> sorted;
  std::span<const GameCount> counts;
};

std::vector<Seating> SeatingsByTriple(const GameCounts& counts) {
  std::vector<Seating> seatings;
  const std::span<const GameCount> all = counts.counts;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].bots == all[begin].bots) ++end;
    Seating seating{all[begin].bots.values, all.subspan(begin, end - begin)};
    std::sort(seating.sorted.begin(), seating.sorted.end());
    const auto& bots = seating.sorted;
    if (bots[0] != bots[1] && bots[1] != bots[2]) seatings.push_back(seating);
  }
  std::stable_sort(seatings.begin(), seatings.end(),
                   [](const Seating& a, const Seating& b) { return a.sorted < b.sorted; });
  return seatings;
}

// The results of one seating: their probabilities and gradients.
struct Results {
  std::vector<double> probabilities;
  std::vector<GameVector> gradients;
};

Results ResultsOf(const RatingFit& fit, const PerSeat<int>& bots) {
  const GameModel model = fit.layout().ModelOf(bots, fit.parameters());
  Results results;
  for (const PerSeat<uint8_t>& place : Placements(fit.layout().seats())) {
    const bool is_possible = IsPossible(model, place);
    const GameTerms terms = is_possible ? Evaluate(model, place) : GameTerms{};
    results.probabilities.push_back(is_possible ? std::exp(terms.log_likelihood) : 0);
    results.gradients.push_back(terms.gradient);
  }
  return results;
}

// Adds the games of one seating to `sums`; row[i] is the row of the value at seat i.
void Add(const RatingFit& fit, const Seating& seating, const Results& results,
         const PerResult& values, const std::array<int, 3>& row, Sums& sums) {
  Matrix3d to_row = Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) {
    if (row[static_cast<size_t>(i)] >= 0) to_row(row[static_cast<size_t>(i)], i) = 1;
  }
  double games = 0;
  for (const GameCount& count : seating.counts) {
    games += static_cast<double>(count.games);
    sums.games += count.games;
    sums.observed += static_cast<double>(count.games) * (to_row * values[count.placement]);
  }
  Vector3d mean = Vector3d::Zero();
  Matrix3d square = Matrix3d::Zero();
  Eigen::Matrix<double, 3, kGameParameters> score = decltype(score)::Zero();
  for (size_t i = 0; i < values.size(); ++i) {
    const Vector3d value = to_row * values[i];
    mean += results.probabilities[i] * value;
    square += results.probabilities[i] * value * value.transpose();
    score += results.probabilities[i] * value * results.gradients[i].transpose();
  }
  sums.expected += games * mean;
  sums.covariance += games * (square - mean * mean.transpose());
  for (const auto& link : fit.layout().LinksOf(seating.counts.front().bots)) {
    sums.score.col(link.parameter) += games * score.col(link.of_game);
  }
}

// The χ² statistic and degrees of freedom over the testable directions of the sum.
struct ChiSquare {
  double statistic = 0;
  int degrees = 0;
};

ChiSquare Test(const Sums& sums, const MatrixXd& covariance, double dispersion) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> all(sums.covariance);
  std::vector<int> varying;
  for (int i = 0; i < 3; ++i) {
    if (all.eigenvalues()[i] >= kVarianceMin) varying.push_back(i);
  }
  if (varying.empty()) return {};
  // In these directions, scaled to unit variance, the free share is the whole covariance.
  MatrixXd scaled = all.eigenvectors()(Eigen::all, varying);
  for (size_t i = 0; i < varying.size(); ++i) {
    scaled.col(static_cast<int>(i)) /= std::sqrt(all.eigenvalues()[varying[i]]);
  }
  const MatrixXd score = scaled.transpose() * sums.score;
  const MatrixXd free_share =
      MatrixXd::Identity(score.rows(), score.rows()) - score * covariance * score.transpose();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> free_directions(free_share);
  const VectorXd residual = free_directions.eigenvectors().transpose() *
                            (scaled.transpose() * (sums.observed - sums.expected));
  ChiSquare result;
  for (int i = 0; i < residual.size(); ++i) {
    const double share = free_directions.eigenvalues()[i];
    if (share < kFreeShareMin) continue;
    result.statistic += residual[i] * residual[i] / (share * dispersion);
    ++result.degrees;
  }
  return result;
}

// Returns the upper tail of χ² with one or two degrees of freedom. (Three values with a constant
// sum have no more.)
double ChiSquareTail(const ChiSquare& test) {
  if (test.degrees == 0) return 1;
  if (test.degrees == 1) return std::erfc(std::sqrt(test.statistic / 2));
  return std::exp(-test.statistic / 2);
}

TripleCheck TripleOf(const std::array<int, 3>& bots, const Sums& sums, const RatingFit& fit,
                     double dispersion) {
  TripleCheck triple{.bots = bots, .games = sums.games};
  for (size_t i = 0; i < 3; ++i) {
    triple.firsts[i] = sums.observed[static_cast<int>(i)];
    triple.expected[i] = sums.expected[static_cast<int>(i)];
  }
  const ChiSquare test = Test(sums, fit.covariance(), dispersion);
  triple.chi_square = test.statistic;
  triple.degrees = test.degrees;
  triple.p_value = ChiSquareTail(test);
  return triple;
}

// Row 0 of `sums` holds the third seat's points: those that the pair did not get.
PairCheck PairOf(const std::array<int, 2>& bots, const Sums& sums, const RatingFit& fit,
                 double dispersion) {
  constexpr double kPointsPerGame = 1.5;
  const double all_points = kPointsPerGame * static_cast<double>(sums.games);
  PairCheck pair{.bots = bots,
                 .games = sums.games,
                 .points = all_points - sums.observed[0],
                 .expected = all_points - sums.expected[0]};
  const ChiSquare test = Test(sums, fit.covariance(), dispersion);
  pair.is_tested = test.degrees == 1;
  if (!pair.is_tested) return pair;
  pair.z = std::copysign(std::sqrt(test.statistic), pair.points - pair.expected);
  pair.p_value = NormalCdf(-pair.z);
  return pair;
}

void MarkSignificant(CoalitionReport& report) {
  double tests = 0;
  for (const TripleCheck& triple : report.triples) tests += triple.degrees > 0 ? 1 : 0;
  for (const PairCheck& pair : report.pairs) tests += pair.is_tested ? 1 : 0;
  // Sums that were not tested have p = 1.
  const double p_max = kSignificance / std::max(tests, 1.0);
  for (TripleCheck& triple : report.triples) triple.is_significant = triple.p_value < p_max;
  for (PairCheck& pair : report.pairs) pair.is_significant = pair.p_value < p_max;
}

int IndexIn(const std::array<int, 3>& sorted, int bot) {
  return static_cast<int>(std::find(sorted.begin(), sorted.end(), bot) - sorted.begin());
}

using PairSums = std::map<std::array<int, 2>, Sums>;

// Adds the third seat's points for each of the three pairs in the game.
void AddToPairs(const RatingFit& fit, const Seating& seating, const Results& results,
                const PerResult& points, PairSums& pairs) {
  const PerSeat<int>& bots = seating.counts.front().bots;
  for (size_t third = 0; third < 3; ++third) {
    std::array<int, 2> pair = {bots[SeatAt((third + 1) % 3)], bots[SeatAt((third + 2) % 3)]};
    std::sort(pair.begin(), pair.end());
    std::array<int, 3> row = {-1, -1, -1};
    row[third] = 0;
    Sums& sums = pairs.try_emplace(pair, fit.layout().size()).first->second;
    Add(fit, seating, results, points, row, sums);
  }
}

}  // namespace

CoalitionReport CheckCoalitions(const RatingFit& fit, const GameCounts& counts) {
  CoalitionReport report;
  if (counts.seats != 3 || counts.bots > kCoalitionBotsMax) return report;
  const double dispersion = fit.Dispersion();
  const PerResult firsts = FirstShares(counts.seats);
  const PerResult points = PointsPerResult(counts.seats);
  const std::vector<Seating> seatings = SeatingsByTriple(counts);
  PairSums pairs;
  for (size_t i = 0; i < seatings.size();) {
    const std::array<int, 3> bots = seatings[i].sorted;
    Sums sums(fit.layout().size());
    for (; i < seatings.size() && seatings[i].sorted == bots; ++i) {
      const PerSeat<int>& table = seatings[i].counts.front().bots;
      const Results results = ResultsOf(fit, table);
      const std::array<int, 3> row = {IndexIn(bots, table.values[0]),
                                      IndexIn(bots, table.values[1]),
                                      IndexIn(bots, table.values[2])};
      Add(fit, seatings[i], results, firsts, row, sums);
      AddToPairs(fit, seatings[i], results, points, pairs);
    }
    report.triples.push_back(TripleOf(bots, sums, fit, dispersion));
  }
  for (const auto& [bots, sums] : pairs) {
    report.pairs.push_back(PairOf(bots, sums, fit, dispersion));
  }
  MarkSignificant(report);
  return report;
}

}  // namespace triarch::ratings
