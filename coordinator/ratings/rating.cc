#include "coordinator/ratings/rating.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "Eigen/Cholesky"
#include "absl/container/flat_hash_map.h"
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

// Returns a b, in loops for which the compiler uses vector instructions.
template <class Matrix, class Columns>
Columns Product(const Matrix& a, const Columns& b) {
  Columns product = Columns::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    const double* const __restrict from = a.col(i).data();
    for (Eigen::Index column = 0; column < b.cols(); ++column) {
      double* const __restrict sum = product.col(column).data();
      const double factor = b(i, column);
      for (Eigen::Index row = 0; row < a.rows(); ++row) sum[row] += factor * from[row];
    }
  }
  return product;
}

// Adds a aᵀ to `sum`, in the same way.
template <class Vector, class Matrix>
void AddSquare(const Vector& a, Matrix& sum) {
  for (Eigen::Index column = 0; column < a.size(); ++column) {
    double* const __restrict to = sum.col(column).data();
    for (Eigen::Index row = 0; row < a.size(); ++row) to[row] += a[column] * a[row];
  }
}

// Returns (I − a)⁻¹ = (I + a)(I + a²)(I + a⁴)… for a block's share `a` in all information, whose
// eigenvalues lie between 0 and 1.
template <class Matrix>
Matrix InverseOfRest(Matrix a) {
  constexpr int kFactorsMax = 60;
  constexpr double kNegligible = 1e-9;  // its square disappears in rounding errors
  Matrix inverse = Matrix::Identity(a.rows(), a.cols()) + a;
  for (int i = 0; i < kFactorsMax && a.cwiseAbs().maxCoeff() > kNegligible; ++i) {
    a = Product(a, a);
    inverse += Product(inverse, a);
  }
  return inverse;
}

// Solves (I − H V) x = g for a block with information H, of the fit's covariance V. The block's
// share H V in all information has eigenvalues between 0 and 1, whose sum is its trace.
template <class Matrix, class Vector>
class WithoutOwnPull {
 public:
  WithoutOwnPull(const Matrix& information, const Matrix& covariance)
      : information_(information), covariance_(covariance) {
    const double trace = information.cwiseProduct(covariance).sum();
    double rest = trace;  // bounds what terms_ terms leave out, relative to g
    while (rest > kNegligible && terms_ <= kTermsMax) {
      rest *= trace;
      ++terms_;
    }
    if (terms_ > kTermsMax) inverse_ = InverseOfRest<Matrix>(Product(information, covariance));
  }

  Vector operator()(const Vector& g) const {
    if (inverse_) return Product(*inverse_, g);
    Vector term = g;
    Vector sum = g;
    for (int i = 0; i < terms_; ++i) {
      term = Product(information_, Product(covariance_, term));
      sum += term;
    }
    return sum;
  }

 private:
  // Each of many blocks has a small share, so that one or two terms of g + HVg + HVHVg + … do.
  static constexpr int kTermsMax = 6;
  static constexpr double kNegligible = 1e-9;

  const Matrix& information_;
  const Matrix& covariance_;
  int terms_ = 0;
  std::optional<Matrix> inverse_ = std::nullopt;
};

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

// Adds up the blocks. Those with the same bots on the same seats have the same parameters; those
// that also have the same information H_b are a group, for which one matrix is inverted.
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
        slot_of_(static_cast<size_t>(layout.size()), -1),
        meat_(layout.size()) {
    gradients_.reserve(counts.counts.size());
    for (const GameCount& count : counts.counts) gradients_.push_back(TermsOf(count).gradient);
  }

  Meat Sum() && {
    for (size_t i = 0; i < counts_.blocks.size();) {
      const std::span<const uint32_t> games = GamesOf(counts_.blocks[i]);
      if (!HaveSeatings(games)) {
        EndSeatings();
        BeginSeatings(games);
      }
      columns_.clear();
      for (; i < counts_.blocks.size() && IsAlike(GamesOf(counts_.blocks[i]), games); ++i) {
        AddBlock(GamesOf(counts_.blocks[i]), counts_.blocks[i].times);
      }
      if (size_ == kSmall) {
        AddGroup<Eigen::Matrix<double, kSmall, kSmall>>(games);
      } else {
        AddGroup<MatrixXd>(games);
      }
    }
    EndSeatings();
    return std::move(meat_);
  }

 private:
  struct Slot {
    int of_game;  // entry of a GameVector
    int slot;     // position in touched_
  };
  // Number of parameters of the blocks of one table of three. Others have no more, except if they
  // mix tables. With a fixed size the compiler uses vector instructions.
  static constexpr Eigen::Index kSmall = 12;

  std::span<const uint32_t> GamesOf(const GameCounts::Block& block) const {
    return std::span(counts_.block_games).subspan(block.first, block.last - block.first);
  }
  bool IsAlike(std::span<const uint32_t> a, std::span<const uint32_t> b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](uint32_t x, uint32_t y) { return classes_[x] == classes_[y]; });
  }
  bool HaveSeatings(std::span<const uint32_t> games) const {
    return std::equal(
        games.begin(), games.end(), seatings_.begin(), seatings_.end(),
        [this](uint32_t x, const PerSeat<int>& bots) { return counts_.counts[x].bots == bots; });
  }
  GameTerms TermsOf(const GameCount& count) const {
    return Evaluate(layout_.ModelOf(count.bots, parameters_),
                    Placements(counts_.seats)[count.placement]);
  }
  std::span<const Slot> SlotsOf(size_t game) const {
    return std::span(slots_).subspan(game * links_, links_);
  }
  int ParameterAt(size_t slot) const { return touched_[slot]; }

  // Prepares for blocks with the seatings of this one.
  void BeginSeatings(std::span<const uint32_t> games) {
    touched_.clear();
    slots_.clear();
    seatings_.clear();
    information_of_.clear();
    for (const uint32_t game : games) {
      seatings_.push_back(counts_.counts[game].bots);
      AddSlots(layout_.LinksOf(seatings_.back()));
    }
    size_ = std::max(std::ssize(touched_), kSmall);
    own_covariance_.setZero(size_, size_);
    squares_.setZero(size_, size_);
    jackknifed_.setZero(size_, size_);
    for (size_t row = 0; row < touched_.size(); ++row) {
      for (size_t column = 0; column < touched_.size(); ++column) {
        own_covariance_(Index(row), Index(column)) =
            covariance_(ParameterAt(row), ParameterAt(column));
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

  void EndSeatings() {
    for (size_t row = 0; row < touched_.size(); ++row) {
      for (size_t column = 0; column < touched_.size(); ++column) {
        const int a = ParameterAt(row);
        const int b = ParameterAt(column);
        meat_.squares(a, b) += squares_(Index(row), Index(column));
        meat_.jackknifed(a, b) += jackknifed_(Index(row), Index(column));
      }
    }
    for (const int parameter : touched_) slot_of_[static_cast<size_t>(parameter)] = -1;
  }

  // Returns the information of the block's game with this index in the block.
  const MatrixXd& InformationOf(uint32_t game, size_t in_block) {
    const auto [found, is_new] = information_of_.try_emplace(classes_[game]);
    MatrixXd& own = found->second;
    if (!is_new) return own;
    own.setZero(size_, size_);
    const GameMatrix information = TermsOf(counts_.counts[game]).information;
    for (const Slot& a : SlotsOf(in_block)) {
      for (const Slot& b : SlotsOf(in_block)) {
        own(a.slot, b.slot) += information(a.of_game, b.of_game);
      }
    }
    return own;
  }

  void AddBlock(std::span<const uint32_t> games, int64_t times) {
    const size_t begin = columns_.size();
    columns_.resize(begin + static_cast<size_t>(size_), 0);
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

  // Adds the blocks in columns_, whose information is that of `games`. Unused rows and columns are
  // zero.
  template <class Matrix>
  void AddGroup(std::span<const uint32_t> games) {
    using Vector = Eigen::Matrix<double, Matrix::RowsAtCompileTime, 1>;
    const auto fixed = [this](MatrixXd& matrix) {
      return Eigen::Map<Matrix>(matrix.data(), size_, size_);
    };
    Matrix information = Matrix::Zero(size_, size_);
    for (size_t i = 0; i < games.size(); ++i) information += InformationOf(games[i], i);
    const Matrix covariance = fixed(own_covariance_);
    const WithoutOwnPull<Matrix, Vector> without_own_pull(information, covariance);
    Eigen::Map<Matrix> squares = fixed(squares_);
    Eigen::Map<Matrix> jackknifed = fixed(jackknifed_);
    for (size_t begin = 0; begin < columns_.size(); begin += static_cast<size_t>(size_)) {
      const Vector gradient = Eigen::Map<const Vector>(columns_.data() + begin, size_);
      AddSquare(gradient, squares);
      AddSquare(without_own_pull(gradient), jackknifed);
    }
  }

  static Eigen::Index Index(size_t slot) { return static_cast<Eigen::Index>(slot); }

  const GameCounts& counts_;
  const ParameterLayout& layout_;
  const VectorXd& parameters_;
  const MatrixXd& covariance_;
  const std::vector<uint32_t> classes_;
  std::vector<GameVector> gradients_;  // by count

  // Of the blocks with the current seatings. The matrices have rows and columns by slot.
  std::vector<PerSeat<int>> seatings_;
  std::vector<int> touched_;  // the parameters
  std::vector<int> slot_of_;  // position of each parameter in touched_, or -1
  std::vector<Slot> slots_;   // links_ for each game of a block
  size_t links_ = 0;
  Eigen::Index size_ = 0;
  MatrixXd own_covariance_;
  MatrixXd squares_;
  MatrixXd jackknifed_;
  absl::flat_hash_map<uint32_t, MatrixXd> information_of_;  // of a game, by its class

  std::vector<double> columns_;  // g_b of each block of a group, times the root of their number

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
