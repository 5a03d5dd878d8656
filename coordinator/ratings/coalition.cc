#include "coordinator/ratings/coalition.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "Eigen/Eigenvalues"
#include "core/base/check.h"
#include "core/game/outcome.h"

namespace triarch::ratings {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kPairSignificance = 0.025;  // for gang and for feed
constexpr double kTripleSignificance = 0.05;
constexpr int kRefitsMax = 10;
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

ChiSquare Test(const Sums& sums, const MatrixXd& all_covariance, double dispersion) {
  // Only the parameters of the games' bots, seats and ties have a score.
  std::vector<int> touched;
  for (int i = 0; i < sums.score.cols(); ++i) {
    if (!sums.score.col(i).isZero(0)) touched.push_back(i);
  }
  const MatrixXd covariance = all_covariance(touched, touched);
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
  const MatrixXd score = scaled.transpose() * sums.score(Eigen::all, touched);
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

// The sum over games of one value.
struct PairSum {
  explicit PairSum(int parameters) : score(VectorXd::Zero(parameters)) {}

  double observed = 0;
  double expected = 0;
  double variance = 0;
  VectorXd score;  // covariance with the score
};

struct PairSums {
  explicit PairSums(int parameters) : gang(parameters), feed(parameters) {}

  int64_t games = 0;
  PairSum gang;
  PairSum feed;
};

// Adds the games of one seating, in which placement i has the value values[i].
void AddToPair(const RatingFit& fit, const Seating& seating, const Results& results,
               const std::vector<double>& values, PairSum& sum) {
  double games = 0;
  for (const GameCount& count : seating.counts) {
    games += static_cast<double>(count.games);
    sum.observed += static_cast<double>(count.games) * values[count.placement];
  }
  double mean = 0;
  double square = 0;
  GameVector score = GameVector::Zero();
  for (size_t i = 0; i < values.size(); ++i) {
    mean += results.probabilities[i] * values[i];
    square += results.probabilities[i] * values[i] * values[i];
    score += results.probabilities[i] * values[i] * results.gradients[i];
  }
  sum.expected += games * mean;
  sum.variance += games * (square - mean * mean);
  for (const auto& link : fit.layout().LinksOf(seating.counts.front().bots)) {
    sum.score[link.parameter] += games * score[link.of_game];
  }
}

// Adds the games of one seating to its three pairs.
void AddToPairs(const RatingFit& fit, const Seating& seating, const Results& results,
                std::map<std::array<int, 2>, PairSums>& pairs) {
  const PerSeat<int>& bots = seating.counts.front().bots;
  for (size_t third = 0; third < 3; ++third) {
    size_t low = (third + 1) % 3;
    size_t high = (third + 2) % 3;
    if (bots[SeatAt(low)] > bots[SeatAt(high)]) std::swap(low, high);
    std::vector<double> gang;
    std::vector<double> feed;
    for (const PerSeat<uint8_t>& place : Placements(3)) {
      const PerSeat<double> points = Points(place, 3);
      gang.push_back(points[SeatAt(third)]);
      feed.push_back(points[SeatAt(high)] - points[SeatAt(low)]);
    }
    const std::array<int, 2> pair = {bots[SeatAt(low)], bots[SeatAt(high)]};
    PairSums& sums = pairs.try_emplace(pair, fit.layout().size()).first->second;
    for (const GameCount& count : seating.counts) sums.games += count.games;
    AddToPair(fit, seating, results, gang, sums.gang);
    AddToPair(fit, seating, results, feed, sums.feed);
  }
}

PairTest TestOf(const PairSum& sum, const MatrixXd& covariance, double dispersion) {
  PairTest test{.observed = sum.observed, .expected = sum.expected};
  const double free = sum.variance - sum.score.dot(covariance * sum.score);
  test.is_tested = sum.variance >= kVarianceMin && free >= kFreeShareMin * sum.variance;
  if (test.is_tested) test.z = (sum.observed - sum.expected) / std::sqrt(free * dispersion);
  return test;
}

// Corrects the p-values of the tested items for their number.
template <class Item>
void CorrectByHolm(std::vector<Item*> tested) {
  std::sort(tested.begin(), tested.end(),
            [](const Item* a, const Item* b) { return a->p_value < b->p_value; });
  double last = 0;
  for (size_t i = 0; i < tested.size(); ++i) {
    const double corrected = tested[i]->p_value * static_cast<double>(tested.size() - i);
    tested[i]->p_holm = last = std::clamp(corrected, last, 1.0);
  }
}

void CorrectPairs(std::vector<PairCheck>& pairs, PairTest PairCheck::*family) {
  std::vector<PairTest*> tested;
  for (PairCheck& pair : pairs) {
    if ((pair.*family).is_tested) tested.push_back(&(pair.*family));
  }
  CorrectByHolm(tested);
  for (PairTest* test : tested) test->is_significant = test->p_holm < kPairSignificance;
}

double LowestP(const PairCheck& pair) { return std::min(pair.gang.p_holm, pair.feed.p_holm); }

std::vector<PairCheck> TestPairs(const RatingFit& fit, const GameCounts& counts,
                                 double dispersion) {
  std::map<std::array<int, 2>, PairSums> sums;
  for (const Seating& seating : SeatingsByTriple(counts)) {
    AddToPairs(fit, seating, ResultsOf(fit, seating.counts.front().bots), sums);
  }
  std::vector<PairCheck> pairs;
  for (const auto& [bots, sum] : sums) {
    PairCheck& pair = pairs.emplace_back();
    pair = {.bots = bots,
            .games = sum.games,
            .gang = TestOf(sum.gang, fit.covariance(), dispersion),
            .feed = TestOf(sum.feed, fit.covariance(), dispersion)};
    if (pair.gang.is_tested) pair.gang.p_value = NormalCdf(pair.gang.z);
    if (pair.feed.is_tested) pair.feed.p_value = 2 * NormalCdf(-std::abs(pair.feed.z));
  }
  CorrectPairs(pairs, &PairCheck::gang);
  CorrectPairs(pairs, &PairCheck::feed);
  return pairs;
}

int IndexIn(const std::array<int, 3>& sorted, int bot) {
  return static_cast<int>(std::find(sorted.begin(), sorted.end(), bot) - sorted.begin());
}

std::vector<TripleCheck> TestTriples(const RatingFit& fit, const GameCounts& counts,
                                     double dispersion) {
  std::vector<TripleCheck> triples;
  const PerResult firsts = FirstShares(counts.seats);
  const std::vector<Seating> seatings = SeatingsByTriple(counts);
  for (size_t i = 0; i < seatings.size();) {
    const std::array<int, 3> bots = seatings[i].sorted;
    Sums sums(fit.layout().size());
    for (; i < seatings.size() && seatings[i].sorted == bots; ++i) {
      const PerSeat<int>& table = seatings[i].counts.front().bots;
      const std::array<int, 3> row = {IndexIn(bots, table.values[0]),
                                      IndexIn(bots, table.values[1]),
                                      IndexIn(bots, table.values[2])};
      Add(fit, seatings[i], ResultsOf(fit, table), firsts, row, sums);
    }
    triples.push_back(TripleOf(bots, sums, fit, dispersion));
  }
  std::vector<TripleCheck*> tested;
  for (TripleCheck& triple : triples) {
    if (triple.degrees > 0) tested.push_back(&triple);
  }
  CorrectByHolm(tested);
  for (TripleCheck* triple : tested) triple->is_significant = triple->p_holm < kTripleSignificance;
  return triples;
}

// Returns the games in which at most one of the two bots plays, without blocks: only the first fit
// estimates the dispersion.
GameCounts Without(const GameCounts& counts, const std::array<int, 2>& pair) {
  GameCounts rest{.bots = counts.bots, .seats = counts.seats};
  for (const GameCount& count : counts.counts) {
    const auto plays = [&](int bot) {
      return std::find(count.bots.begin(), count.bots.end(), bot) != count.bots.end();
    };
    if (plays(pair[0]) && plays(pair[1])) continue;
    rest.counts.push_back(count);
    rest.games += count.games;
  }
  return rest;
}

RatingFit FitByStage(const GameCounts& counts) {
  absl::StatusOr<RatingFit> fit = FitRatings(counts, {.strengths = Strengths::kByStage});
  CHECK(fit.ok());
  return *std::move(fit);
}

size_t CountPlayingBots(const GameCounts& counts) {
  std::vector<bool> plays(counts.bots, false);
  for (const GameCount& count : counts.counts) {
    for (const int bot : count.bots) plays[static_cast<size_t>(bot)] = true;
  }
  return static_cast<size_t>(std::count(plays.begin(), plays.end(), true));
}

}  // namespace

CoalitionReport CheckCoalitions(RatingFit fit, const GameCounts& counts) {
  CoalitionReport report;
  if (counts.seats != 3 || counts.bots > kCoalitionBotsMax) return report;
  if (CountPlayingBots(counts) < kCoalitionBotsMin) return report;
  const double dispersion = fit.Dispersion();
  GameCounts without;  // the games of the pairs found so far
  const GameCounts* rest = &counts;
  // Every pair appears in the report, even if it has no games left once others are left out.
  std::map<std::array<int, 2>, PairCheck> checks;
  std::vector<PairCheck> pairs = TestPairs(fit, *rest, dispersion);
  for (const PairCheck& pair : pairs) checks[pair.bots].bots = pair.bots;
  for (int refits = 0; refits < kRefitsMax && !pairs.empty(); ++refits) {
    const auto lowest = std::min_element(
        pairs.begin(), pairs.end(),
        [](const PairCheck& a, const PairCheck& b) { return LowestP(a) < LowestP(b); });
    if (LowestP(*lowest) >= kPairSignificance) break;
    checks[lowest->bots] = *lowest;
    without = Without(*rest, lowest->bots);
    rest = &without;
    fit = FitByStage(*rest);
    pairs = TestPairs(fit, *rest, dispersion);
  }
  for (const PairCheck& pair : pairs) checks[pair.bots] = pair;
  for (const auto& [bots, check] : checks) report.pairs.push_back(check);
  report.triples = TestTriples(fit, *rest, dispersion);
  return report;
}

}  // namespace triarch::ratings
