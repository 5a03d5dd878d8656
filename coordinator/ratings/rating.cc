#include "coordinator/ratings/rating.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "Eigen/Cholesky"
#include "Eigen/LU"
#include "absl/status/status.h"
#include "core/base/check.h"

namespace triarch::ratings {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kNewtonStepsMax = 200;

// The log posterior (up to a constant) and its derivatives.
struct Posterior {
  double value = 0;
  VectorXd gradient;
  MatrixXd information;  // the negated second derivative
};

// Returns the diagonal of the prior's precision matrix.
VectorXd PriorPrecision(const ParameterLayout& layout, const RatingOptions& options) {
  const double strength = options.prior_elo / kEloPerNatural;
  VectorXd precision = VectorXd::Constant(layout.size(), 1 / (strength * strength));
  const int ties = layout.size() - layout.AtSeat(layout.seats());
  precision.tail(ties).setConstant(1 / (options.tie_prior * options.tie_prior));
  return precision;
}

PerTieKind OccurringTies(const GameCounts& counts) {
  PerTieKind occurring{};
  for (const GameCount& count : counts.counts) {
    const PerTieKind ties = TiesIn(Placements(counts.seats)[count.placement], counts.seats);
    for (size_t kind = 0; kind < kTieKinds; ++kind) occurring[kind] |= ties[kind];
  }
  return occurring;
}

// Adds a game's terms, `games` times, at the positions of its parameters.
void Scatter(const GameTerms& terms, const ParameterLayout::Links& links, double games,
             Posterior& sum) {
  sum.value += games * terms.log_likelihood;
  for (const auto& a : links) {
    sum.gradient[a.parameter] += games * terms.gradient[a.of_game];
    for (const auto& b : links) {
      sum.information(a.parameter, b.parameter) += games * terms.information(a.of_game, b.of_game);
    }
  }
}

Posterior EvaluateLikelihood(const GameCounts& counts, const ParameterLayout& layout,
                             const VectorXd& parameters) {
  Posterior sum{0, VectorXd::Zero(layout.size()), MatrixXd::Zero(layout.size(), layout.size())};
  for (const GameCount& count : counts.counts) {
    const GameModel model = layout.ModelOf(count.bots, parameters);
    const GameTerms terms = Evaluate(model, Placements(counts.seats)[count.placement]);
    Scatter(terms, layout.LinksOf(count.bots), static_cast<double>(count.games), sum);
  }
  return sum;
}

Posterior EvaluatePosterior(const GameCounts& counts, const ParameterLayout& layout,
                            const VectorXd& precision, const VectorXd& parameters) {
  Posterior posterior = EvaluateLikelihood(counts, layout, parameters);
  posterior.value -= 0.5 * parameters.dot(precision.cwiseProduct(parameters));
  posterior.gradient -= precision.cwiseProduct(parameters);
  posterior.information += precision.asDiagonal();
  return posterior;
}

// Maximises the posterior by Newton's method, halving each step until it improves; this always
// converges for a concave function. Returns the number of steps.
int Maximise(const GameCounts& counts, const ParameterLayout& layout, const VectorXd& precision,
             VectorXd& parameters) {
  Posterior here = EvaluatePosterior(counts, layout, precision, parameters);
  for (int step = 1; step < kNewtonStepsMax; ++step) {
    const VectorXd direction = here.information.llt().solve(here.gradient);
    // Twice the improvement that a local parabola predicts. It is also the squared distance to the
    // maximum in standard errors, which a final step reduces to about its square. Below this
    // threshold the improvement disappears in rounding errors.
    const double promise = here.gradient.dot(direction);
    if (promise < 1e-9 + 1e-14 * std::abs(here.value)) {
      parameters += direction;
      return step;
    }
    double scale = 1;
    Posterior next = EvaluatePosterior(counts, layout, precision, parameters + direction);
    while (!(next.value > here.value) && scale > 1e-9) {
      scale /= 2;
      next = EvaluatePosterior(counts, layout, precision, parameters + scale * direction);
    }
    parameters += scale * direction;
    here = std::move(next);
  }
  return kNewtonStepsMax;
}

// Σ_b g_b g_bᵀ, and the number of blocks that involve each parameter.
struct Meat {
  explicit Meat(Eigen::Index size)
      : squares(MatrixXd::Zero(size, size)),
        jackknifed(MatrixXd::Zero(size, size)),
        blocks_of(static_cast<size_t>(size), 0) {}

  MatrixXd squares;
  MatrixXd jackknifed;  // the same with (I − H_b V)⁻¹ g_b, which removes the effect of b on the fit
  std::vector<int64_t> blocks_of;
  int64_t blocks = 0;
};

// Adds up the blocks. Those with the same parameters and information H_b are few, so that one
// system of equations is solved for all of them.
class MeatSum {
 public:
  // All arguments must outlive this object.
  MeatSum(const GameCounts& counts, const ParameterLayout& layout, const VectorXd& parameters,
          const MatrixXd& covariance)
      : counts_(counts),
        layout_(layout),
        parameters_(parameters),
        covariance_(covariance),
        classes_(InformationClasses(counts)),
        information_of_(kInformationKept),
        slot_of_(static_cast<size_t>(layout.size()), -1),
        meat_(layout.size()) {
    gradients_.reserve(counts.counts.size());
    for (const GameCount& count : counts.counts) gradients_.push_back(TermsOf(count).gradient);
  }

  Meat Sum() && {
    for (size_t i = 0; i < counts_.blocks.size();) {
      const std::span<const uint32_t> games = GamesOf(counts_.blocks[i]);
      BeginGroup(games);
      for (; i < counts_.blocks.size() && IsAlike(GamesOf(counts_.blocks[i]), games); ++i) {
        AddBlock(GamesOf(counts_.blocks[i]), counts_.blocks[i].times);
      }
      EndGroup();
    }
    return std::move(meat_);
  }

 private:
  struct Slot {
    int of_game;  // entry of a GameVector
    int slot;     // position in touched_
  };
  // Information is computed again if it is needed after that of many other classes.
  static constexpr size_t kInformationKept = 4096;
  static constexpr int kSmall = 16;  // parameters of a group; one table of three has at most 12
  struct Information {
    std::optional<uint32_t> of_class;
    GameMatrix matrix;
  };

  std::span<const uint32_t> GamesOf(const GameCounts::Block& block) const {
    return std::span(counts_.block_games).subspan(block.first, block.last - block.first);
  }
  bool IsAlike(std::span<const uint32_t> a, std::span<const uint32_t> b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](uint32_t x, uint32_t y) { return classes_[x] == classes_[y]; });
  }
  GameTerms TermsOf(const GameCount& count) const {
    return Evaluate(layout_.ModelOf(count.bots, parameters_),
                    Placements(counts_.seats)[count.placement]);
  }
  const GameMatrix& InformationOf(uint32_t game) {
    Information& kept = information_of_[classes_[game] % kInformationKept];
    if (kept.of_class != classes_[game]) {
      kept = {classes_[game], TermsOf(counts_.counts[game]).information};
    }
    return kept.matrix;
  }
  std::span<const Slot> SlotsOf(size_t game) const {
    return std::span(slots_).subspan(game * links_, links_);
  }

  // Prepares for blocks that are like this one.
  void BeginGroup(std::span<const uint32_t> games) {
    for (const int parameter : touched_) slot_of_[static_cast<size_t>(parameter)] = -1;
    touched_.clear();
    slots_.clear();
    columns_.clear();
    for (const uint32_t game : games) AddSlots(layout_.LinksOf(counts_.counts[game].bots));
    const auto size = static_cast<Eigen::Index>(touched_.size());
    information_.setZero(size, size);
    for (size_t i = 0; i < games.size(); ++i) {
      const GameMatrix& information = InformationOf(games[i]);
      for (const Slot& a : SlotsOf(i)) {
        for (const Slot& b : SlotsOf(i)) {
          information_(a.slot, b.slot) += information(a.of_game, b.of_game);
        }
      }
    }
  }

  void AddSlots(const ParameterLayout::Links& links) {
    links_ = links.count;
    for (const auto& link : links) {
      int& slot = slot_of_[static_cast<size_t>(link.parameter)];
      if (slot < 0) {
        slot = static_cast<int>(touched_.size());
        touched_.push_back(link.parameter);
      }
      slots_.push_back({link.of_game, slot});
    }
  }

  void AddBlock(std::span<const uint32_t> games, int64_t times) {
    const size_t begin = columns_.size();
    columns_.resize(begin + touched_.size(), 0);
    double* const sum = columns_.data() + begin;
    for (size_t i = 0; i < games.size(); ++i) {
      const GameVector& gradient = gradients_[games[i]];
      for (const Slot& slot : SlotsOf(i)) sum[slot.slot] += gradient[slot.of_game];
    }
    // Σ times g gᵀ = Σ (√times g)(√times g)ᵀ
    const double weight = std::sqrt(static_cast<double>(times));
    for (size_t i = 0; i < touched_.size(); ++i) sum[i] *= weight;
    meat_.blocks += times;
    for (const int parameter : touched_) meat_.blocks_of[static_cast<size_t>(parameter)] += times;
  }

  void EndGroup() {
    // Nearly all groups are small, and need no memory then.
    if (touched_.size() <= size_t{kSmall}) {
      EndGroup<
          Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kSmall, kSmall>>();
    } else {
      EndGroup<MatrixXd>();
    }
  }

  template <class Matrix>
  void EndGroup() {
    const auto size = static_cast<Eigen::Index>(touched_.size());
    Matrix covariance(size, size);
    Matrix information = Matrix::Zero(size, size);
    for (Eigen::Index row = 0; row < size; ++row) {
      for (Eigen::Index column = 0; column < size; ++column) {
        covariance(row, column) = covariance_(ParameterAt(row), ParameterAt(column));
        information(row, column) = information_(row, column);
      }
    }
    Matrix own_pull = Matrix::Identity(size, size);
    own_pull.noalias() -= information.lazyProduct(covariance);
    const Eigen::PartialPivLU<Matrix> solver(own_pull);
    Matrix squares = Matrix::Zero(size, size);
    Matrix jackknifed = Matrix::Zero(size, size);
    using Vector =
        Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Matrix::MaxRowsAtCompileTime, 1>;
    for (size_t begin = 0; begin < columns_.size(); begin += touched_.size()) {
      const Vector gradient = Eigen::Map<const VectorXd>(columns_.data() + begin, size);
      const Vector without = solver.solve(gradient);
      squares.noalias() += gradient.lazyProduct(gradient.transpose());
      jackknifed.noalias() += without.lazyProduct(without.transpose());
    }
    for (Eigen::Index row = 0; row < size; ++row) {
      for (Eigen::Index column = 0; column < size; ++column) {
        meat_.squares(ParameterAt(row), ParameterAt(column)) += squares(row, column);
        meat_.jackknifed(ParameterAt(row), ParameterAt(column)) += jackknifed(row, column);
      }
    }
  }

  int ParameterAt(Eigen::Index slot) const { return touched_[static_cast<size_t>(slot)]; }

  const GameCounts& counts_;
  const ParameterLayout& layout_;
  const VectorXd& parameters_;
  const MatrixXd& covariance_;
  const std::vector<uint32_t> classes_;
  std::vector<GameVector> gradients_;  // by count
  std::vector<Information> information_of_;

  // Of the group.
  std::vector<int> touched_;  // its parameters
  std::vector<int> slot_of_;  // position of each parameter in touched_, or -1
  std::vector<Slot> slots_;   // links_ for each game of a block
  size_t links_ = 0;
  MatrixXd information_;         // H_b
  std::vector<double> columns_;  // g_b of each block, times the root of their number

  Meat meat_;
};

absl::Status CheckOptions(const RatingOptions& options, size_t bots) {
  if (!(options.prior_elo > 0) || !(options.tie_prior > 0)) {
    return absl::InvalidArgumentError("the priors of the ratings must be wider than 0");
  }
  if (options.anchor && (*options.anchor < 0 || static_cast<size_t>(*options.anchor) >= bots)) {
    return absl::InvalidArgumentError("the anchor is not one of the bots");
  }
  return absl::OkStatus();
}

std::vector<int64_t> GamesPerBot(const GameCounts& counts) {
  std::vector<int64_t> games(counts.bots, 0);
  for (const GameCount& count : counts.counts) {
    for (size_t i = 0; i < counts.seats; ++i) {
      games[static_cast<size_t>(count.bots[SeatAt(i)])] += count.games;
    }
  }
  return games;
}

}  // namespace

ParameterLayout::ParameterLayout(size_t bots, size_t seats, PerTieKind occurring,
                                 Strengths strengths)
    : bots_(bots),
      seats_(seats),
      strengths_(seats == 3 && strengths == Strengths::kByStage ? 2 : 1),
      can_tie_(occurring),
      size_(AtSeat(seats)) {
  for (size_t kind = 0; kind < kTieKinds; ++kind) {
    if (can_tie_[kind]) tie_[kind] = size_++;
  }
}

GameModel ParameterLayout::ModelOf(const PerSeat<int>& bots, const VectorXd& parameters) const {
  GameModel model{.seats = seats_,
                  .can_tie = can_tie_,
                  .is_by_stage = is_by_stage(),
                  .parameters = GameVector::Zero()};
  for (const Link& link : LinksOf(bots))
    model.parameters[link.of_game] += parameters[link.parameter];
  return model;
}

ParameterLayout::Links ParameterLayout::LinksOf(const PerSeat<int>& bots) const {
  Links links;
  const auto add = [&](size_t of_game, int parameter) {
    links.links[links.count++] = {static_cast<int>(of_game), parameter};
  };
  for (size_t stage = 0; stage < strengths_; ++stage) {
    for (size_t i = 0; i < seats_; ++i) {
      const auto of_game = static_cast<size_t>(StrengthIndex(i, stage == 1));
      add(of_game, Bot(bots[SeatAt(i)], stage == 1));
      add(of_game, AtSeat(i));
    }
  }
  for (const TieKind kind : {TieKind::kTwoOfTwo, TieKind::kTwoOfThree, TieKind::kThree}) {
    if (can_tie(kind)) add(static_cast<size_t>(TieIndex(kind)), Tie(kind));
  }
  return links;
}

absl::StatusOr<RatingFit> FitRatings(const GameCounts& counts, const RatingOptions& options) {
  if (absl::Status status = CheckOptions(options, counts.bots); !status.ok()) return status;
  RatingFit fit(
      ParameterLayout(counts.bots, counts.seats, OccurringTies(counts), options.strengths));
  const ParameterLayout& layout = fit.layout_;
  const VectorXd precision = PriorPrecision(layout, options);
  fit.options_ = options;
  fit.parameters_ = VectorXd::Zero(layout.size());
  fit.newton_steps_ = Maximise(counts, layout, precision, fit.parameters_);

  MatrixXd information = EvaluateLikelihood(counts, layout, fit.parameters_).information;
  fit.information_ = information.diagonal();
  information += precision.asDiagonal();
  const MatrixXd identity = MatrixXd::Identity(layout.size(), layout.size());
  fit.covariance_ = information.llt().solve(identity);

  Meat meat = MeatSum(counts, layout, fit.parameters_, fit.covariance_).Sum();
  meat.squares += precision.asDiagonal();
  meat.jackknifed += precision.asDiagonal();
  fit.robust_covariance_ = fit.covariance_ * meat.squares * fit.covariance_;
  fit.jackknife_covariance_ = fit.covariance_ * meat.jackknifed * fit.covariance_;
  fit.blocks_of_ = std::move(meat.blocks_of);
  fit.blocks_ = meat.blocks;
  fit.games_ = counts.games;
  fit.bot_games_ = GamesPerBot(counts);
  fit.connections_ = FindConnections(counts);
  const int pool = LargestGroup(fit.connections_.group);
  for (const int group : fit.connections_.group) {
    fit.in_pool_.push_back(group == pool || fit.games_ == 0);
  }
  return fit;
}

void RatingFit::AddBot(int bot, double weight, VectorXd& contrast) const {
  for (const bool is_duel : {false, true}) contrast[layout_.Bot(bot, is_duel)] += weight / 2;
}

VectorXd RatingFit::RatingContrast(int bot) const {
  VectorXd contrast = VectorXd::Zero(layout_.size());
  AddBot(bot, 1, contrast);
  if (options_.anchor) {
    AddBot(*options_.anchor, -1, contrast);
    return contrast;
  }
  const auto members = static_cast<double>(std::count(in_pool_.begin(), in_pool_.end(), true));
  for (size_t i = 0; i < in_pool_.size(); ++i) {
    if (in_pool_[i]) AddBot(static_cast<int>(i), -1 / members, contrast);
  }
  return contrast;
}

double RatingFit::Evidence(int parameter) const {
  return std::min(static_cast<double>(blocks_of_[static_cast<size_t>(parameter)]),
                  information_[parameter]);
}

double RatingFit::EvidenceOfBot(int bot) const {
  return std::min(Evidence(layout_.Bot(bot)), Evidence(layout_.Bot(bot, true)));
}

double RatingFit::ErrorOf(const VectorXd& contrast, double evidence) const {
  const double model = contrast.dot(covariance_ * contrast);
  const double robust = contrast.dot(jackknife_covariance_ * contrast);
  const double variance = evidence >= kEvidenceForRobust ? robust : std::max(model, robust);
  return std::sqrt(std::max(variance, 0.0));  // rounding can make it slightly negative
}

Estimate RatingFit::Rating(int bot) const {
  if (options_.anchor) return Difference(bot, *options_.anchor);
  const VectorXd contrast = RatingContrast(bot);
  return {kEloPerNatural * contrast.dot(parameters_),
          kEloPerNatural * ErrorOf(contrast, EvidenceOfBot(bot))};
}

Estimate RatingFit::Difference(int i, int j) const {
  if (i == j) return {0, 0};
  VectorXd contrast = VectorXd::Zero(layout_.size());
  AddBot(i, 1, contrast);
  AddBot(j, -1, contrast);
  const double evidence = std::min(EvidenceOfBot(i), EvidenceOfBot(j));
  return {kEloPerNatural * contrast.dot(parameters_), kEloPerNatural * ErrorOf(contrast, evidence)};
}

double RatingFit::Superiority(int i, int j) const {
  const Estimate difference = Difference(i, j);
  return difference.error > 0 ? NormalCdf(difference.value / difference.error) : 0.5;
}

bool RatingFit::HasStyle(int bot) const {
  return layout_.is_by_stage() && GamesOf(bot) > 0 && !IsUnconnected(bot) && !IsOneSided(bot) &&
         EvidenceOfBot(bot) >= kEvidenceForRobust;
}

std::optional<Estimate> RatingFit::Style(int bot) const {
  if (!HasStyle(bot)) return std::nullopt;
  VectorXd contrast = VectorXd::Zero(layout_.size());
  const auto add = [&](int other, double weight) {
    contrast[layout_.Bot(other)] += weight;
    contrast[layout_.Bot(other, true)] -= weight;
  };
  std::vector<int> others;
  for (int other = 0; other < static_cast<int>(layout_.bots()); ++other) {
    if (HasStyle(other)) others.push_back(other);
  }
  add(bot, 1);
  for (const int other : others) add(other, -1 / static_cast<double>(others.size()));
  return Estimate{kEloPerNatural * contrast.dot(parameters_),
                  kEloPerNatural * ErrorOf(contrast, EvidenceOfBot(bot))};
}

Estimate RatingFit::SeatEffect(size_t seat) const {
  VectorXd contrast = VectorXd::Zero(layout_.size());
  for (size_t i = 0; i < layout_.seats(); ++i) {
    contrast[layout_.AtSeat(i)] = -1 / static_cast<double>(layout_.seats());
  }
  contrast[layout_.AtSeat(seat)] += 1;
  return {kEloPerNatural * contrast.dot(parameters_),
          kEloPerNatural * ErrorOf(contrast, Evidence(layout_.AtSeat(seat)))};
}

std::optional<Estimate> RatingFit::TieTerm(TieKind kind) const {
  if (!layout_.can_tie(kind)) return std::nullopt;
  const int parameter = layout_.Tie(kind);
  const VectorXd contrast = VectorXd::Unit(layout_.size(), parameter);
  return Estimate{parameters_[parameter], ErrorOf(contrast, Evidence(parameter))};
}

bool RatingFit::IsUnconnected(int bot) const {
  const auto i = static_cast<size_t>(bot);
  return bot_games_[i] > 0 && !in_pool_[i];
}

bool RatingFit::IsOneSided(int bot) const {
  const auto i = static_cast<size_t>(bot);
  if (bot_games_[i] == 0 || !in_pool_[i]) return false;
  return connections_.strong_group[i] != LargestGroup(connections_.strong_group);
}

std::optional<double> RatingFit::TypicalMargin() const {
  std::vector<double> margins;
  for (int bot = 0; bot < static_cast<int>(layout_.bots()); ++bot) {
    if (GamesOf(bot) == 0 || IsUnconnected(bot) || IsOneSided(bot)) continue;
    if (options_.anchor != bot) margins.push_back(Rating(bot).margin());
  }
  if (margins.empty()) return std::nullopt;
  const auto middle = margins.begin() + static_cast<std::ptrdiff_t>(margins.size() / 2);
  std::nth_element(margins.begin(), middle, margins.end());
  return *middle;
}

std::optional<int64_t> RatingFit::GamesUntil(double margin_elo) const {
  const std::optional<double> now = TypicalMargin();
  if (!now) return std::nullopt;
  const double ratio = *now / margin_elo;
  const double more = static_cast<double>(games_) * (ratio * ratio - 1);
  return static_cast<int64_t>(std::clamp(std::ceil(more), 0.0, 1e18));
}

std::vector<double> RatingFit::PlacementProbabilities(const PerSeat<int>& bots) const {
  const GameModel model = layout_.ModelOf(bots, parameters_);
  std::vector<double> probabilities;
  for (const PerSeat<uint8_t>& place : Placements(layout_.seats())) {
    const bool is_possible = IsPossible(model, place);
    probabilities.push_back(is_possible ? std::exp(Evaluate(model, place).log_likelihood) : 0);
  }
  return probabilities;
}

double RatingFit::Dispersion() const {
  double sum = 0;
  int members = 0;
  for (int bot = 0; bot < static_cast<int>(layout_.bots()); ++bot) {
    if (GamesOf(bot) == 0 || IsUnconnected(bot) || IsOneSided(bot)) continue;
    const VectorXd contrast = RatingContrast(bot);
    const double model = contrast.dot(covariance_ * contrast);
    if (model <= 0) continue;  // the anchor
    sum += contrast.dot(robust_covariance_ * contrast) / model;
    ++members;
  }
  return members == 0 ? 1 : std::max(1.0, sum / members);
}

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

TieRates RatesOfTies(const RatingFit& fit, const GameCounts& counts) {
  TieRates rates;
  const std::span<const PerSeat<uint8_t>> placements = Placements(counts.seats);
  const auto add = [&](size_t placement, double share, double TieRate::*side) {
    const PerSeat<uint8_t>& place = placements[placement];
    const auto end = place.begin() + static_cast<std::ptrdiff_t>(counts.seats);
    const auto first = std::count(place.begin(), end, 1);
    if (first == 2) rates.first_of_two.*side += share;
    if (first == 3) rates.first_of_three.*side += share;
    if (std::count(place.begin(), end, 2) == 2) rates.second.*side += share;
  };
  for (const GameCount& count : counts.counts) {
    const double share = static_cast<double>(count.games) / static_cast<double>(counts.games);
    add(count.placement, share, &TieRate::observed);
  }
  VisitSeatings(counts, [&](const PerSeat<int>& bots, int64_t games) {
    const double share = static_cast<double>(games) / static_cast<double>(counts.games);
    const std::vector<double> expected = fit.PlacementProbabilities(bots);
    for (size_t i = 0; i < expected.size(); ++i) add(i, share * expected[i], &TieRate::model);
  });
  return rates;
}

}  // namespace triarch::ratings
