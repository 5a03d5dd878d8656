#ifndef TRIARCH_COORDINATOR_RATINGS_RATING_H_
#define TRIARCH_COORDINATOR_RATINGS_RATING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "Eigen/Core"
#include "absl/status/statusor.h"
#include "coordinator/ratings/davidson_luce.h"
#include "coordinator/ratings/game_counts.h"
#include "core/game/seat.h"

// Ratings of all bots at once from all their games: the maximum a posteriori fit of the
// Davidson–Luce model with seat effects, with its full covariance.
//
// "Natural" units are natural logarithms of odds; Elo = kEloPerNatural times that.
namespace triarch::ratings {

inline constexpr double kEloPerNatural = 173.71779276130072;  // 400 / ln 10
inline constexpr double kDeviates95 = 1.959963984540054;      // half a 95 % interval, in errors

// Which ties share a tie term.
enum class TieTerms : uint8_t {
  // Ties of two have one, τ_2, whether they share the first place of three or the second, and ties
  // of three another: the model of RATINGS.
  kBySize,
  // One for each TieKind. Where games are drawn by two of three but second places are never shared
  // (Triumvirate), one τ_2 for both fits neither, and with thousands of games the ratings show it.
  kByStage,
};

struct RatingOptions {
  // Standard deviation of the prior of each bot, and of each seat effect, around 0, in Elo. It
  // keeps the fit finite for a bot that won or lost everything and for a handful of games.
  double prior_elo = 400;
  // The same for a tie term, natural units: so wide that it matters only where every game was tied.
  double tie_prior = 10;
  // This bot's rating is 0. Empty: the mean of the bots that are connected to most others is.
  std::optional<int> anchor;
  TieTerms tie_terms = TieTerms::kBySize;
};

// An estimate with its standard error. Its 95 % interval is value ± margin().
struct Estimate {
  double value = 0;
  double error = 0;

  double margin() const { return kDeviates95 * error; }
};

// Where the parameters stand in vectors and matrices: bots, seat effects, tie terms.
class ParameterLayout {
 public:
  // `occurring`: the kinds of ties to have a term; ties by one term occur together.
  ParameterLayout(size_t bots, size_t seats, PerTieKind occurring, TieTerms tie_terms);

  size_t bots() const { return bots_; }
  size_t seats() const { return seats_; }
  // Whether ties of the kind have a term; else they cannot happen.
  bool can_tie(TieKind kind) const { return can_tie_[static_cast<size_t>(kind)]; }
  int size() const { return size_; }
  int Bot(int bot) const { return bot; }
  int AtSeat(size_t seat) const { return static_cast<int>(bots_ + seat); }
  // Requires: can_tie(kind).
  int Tie(TieKind kind) const { return tie_[static_cast<size_t>(kind)]; }

  // The model of one game, bots given by seat.
  GameModel ModelOf(const PerSeat<int>& bots, const Eigen::VectorXd& parameters) const;

  // Entry `of_game` of a GameVector is a derivative by parameter `parameter` (among others).
  struct Link {
    int of_game;
    int parameter;
  };
  struct Links {
    std::array<Link, 2 * kSeatsMax + kTieKinds> links;
    size_t count = 0;

    const Link* begin() const { return links.data(); }
    const Link* end() const { return links.data() + count; }
  };
  Links LinksOf(const PerSeat<int>& bots) const;

 private:
  size_t bots_;
  size_t seats_;
  PerTieKind can_tie_;
  std::array<int, kTieKinds> tie_{};
  int size_;
};

// The fit. A regular value; everything it answers is in Elo unless it says "natural".
//
// Errors are block-robust, blocks being matches: games from one opening share what it does. The
// sandwich V_b = V (Σ_b g_b g_bᵀ) V of RATINGS is too small while blocks are few, because each
// block pulls the fit towards itself: with 6 blocks a bot its 95 % intervals covered 87 % in
// simulation. So for errors g_b is freed of its own pull, (I − H_b V)⁻¹ g_b (the block jackknife):
// 93 to 96 % there, and the same as V_b once blocks are many. The prior counts as one more
// independent observation in the middle of the sandwich; without it a bot that only the prior
// holds (no games, or none won) would have an error near 0.
//
// Where a bot's results hardly ever vary, its blocks have shown nothing to estimate a variance
// from. So the robust error stands alone only for bots with at least kEvidenceForRobust blocks
// *and* as much Fisher information (about the number of games that could have gone either way);
// elsewhere the larger of the two errors, by V and robust, is reported.
class RatingFit {
 public:
  static constexpr double kEvidenceForRobust = 20;

  const ParameterLayout& layout() const { return layout_; }
  // All parameters, natural: bots with mean 0, seats with mean 0, ties; and their covariances: V
  // by the model, V_b robust, V_b jackknifed (what errors are made from). The common level of the
  // bots, and of the seats, carries the prior's variance: only differences mean anything.
  const Eigen::VectorXd& parameters() const { return parameters_; }
  const Eigen::MatrixXd& covariance() const { return covariance_; }
  const Eigen::MatrixXd& robust_covariance() const { return robust_covariance_; }
  const Eigen::MatrixXd& jackknife_covariance() const { return jackknife_covariance_; }
  int64_t games() const { return games_; }
  int64_t blocks() const { return blocks_; }
  int newton_steps() const { return newton_steps_; }
  const Connections& connections() const { return connections_; }

  // Rating against the anchor or the pool mean, with the error of that difference.
  Estimate Rating(int bot) const;
  // R_i − R_j with its error.
  Estimate Difference(int i, int j) const;
  // How probable it is that i is stronger than j: Φ((θ_i − θ_j) / SE). 1/2 for i = j.
  double Superiority(int i, int j) const;
  // What a seat gives against the mean of the seats.
  Estimate SeatEffect(size_t seat) const;
  // τ of ties of that kind, natural; empty if no such tie occurred: the fit then leaves it out.
  std::optional<Estimate> TieTerm(TieKind kind) const;

  int64_t GamesOf(int bot) const { return bot_games_[static_cast<size_t>(bot)]; }
  // Whether the bot has games, but no chain of games connects it with the largest group.
  bool IsUnconnected(int bot) const;
  // Whether the bot belongs to those that won or lost everything against most others: its distance
  // from them is the prior's doing, a lower bound.
  bool IsOneSided(int bot) const;

  // The margin of the 95 % interval that at least half of the bots keep to. One-sided and
  // unconnected bots, and the anchor, do not count. Empty if that leaves none.
  std::optional<double> TypicalMargin() const;
  // About how many more games, played as those so far, until that is `margin_elo` (errors fall
  // with the square root of the games).
  std::optional<int64_t> GamesUntil(double margin_elo) const;

  // How probable each of Placements(seats) is in a game of these bots.
  std::vector<double> PlacementProbabilities(const PerSeat<int>& bots) const;
  // Variance by V_b over variance by V, the mean over the bots' ratings, at least 1: how much more
  // the games of a block scatter together than independent games would.
  double Dispersion() const;

 private:
  friend absl::StatusOr<RatingFit> FitRatings(const GameCounts& counts,
                                              const RatingOptions& options);
  explicit RatingFit(ParameterLayout layout) : layout_(layout) {}

  Eigen::VectorXd RatingContrast(int bot) const;
  // Standard error of contrastᵀ parameters, natural, given what stands behind it.
  double ErrorOf(const Eigen::VectorXd& contrast, double evidence) const;
  double Evidence(int parameter) const;

  ParameterLayout layout_;
  RatingOptions options_;
  Eigen::VectorXd parameters_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd robust_covariance_;
  Eigen::MatrixXd jackknife_covariance_;
  Eigen::VectorXd information_;     // diagonal of the Hessian, without the prior
  std::vector<int64_t> blocks_of_;  // blocks that say something about each parameter
  std::vector<int64_t> bot_games_;
  std::vector<bool> in_pool_;  // the bots whose mean is 0
  Connections connections_;
  int64_t games_ = 0;
  int64_t blocks_ = 0;
  int newton_steps_ = 0;
};

// Fits the model. InvalidArgument if the options make no sense. Time grows with the number of
// different counts, with games only through one addition each, and with bots³.
absl::StatusOr<RatingFit> FitRatings(const GameCounts& counts, const RatingOptions& options = {});

// Φ, the distribution function of the standard normal.
double NormalCdf(double z);

// Shares of the games with some tie, and what the fit expects of the same games.
struct TieRate {
  double observed = 0;
  double model = 0;
};
struct TieRates {
  TieRate first_of_two;    // exactly two share the first place (with two seats: the draw)
  TieRate first_of_three;  // all three share it
  TieRate second;          // two share the second place
};
// All 0 without games.
TieRates RatesOfTies(const RatingFit& fit, const GameCounts& counts);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_RATING_H_
