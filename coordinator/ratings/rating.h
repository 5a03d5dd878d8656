// Fits ratings of all bots to their games, with full covariance.

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

// The fit is the maximum a posteriori estimate of the Davidson–Luce model with seat effects.
//
// "Natural" units are natural logarithms of odds; Elo = kEloPerNatural × natural.
namespace triarch::ratings {

inline constexpr double kEloPerNatural = 173.71779276130072;  // 400 / ln 10
inline constexpr double kDeviates95 =
    1.959963984540054;  // half a 95 % interval, in standard errors

// How many strengths a bot has in games with three seats.
enum class Strengths : uint8_t {
  kOne,
  // One while three are in play (not to go out) and one while two are (to win the duel). Fits the
  // results better, so that a bot's style does not look like a coalition.
  kByStage,
};

struct RatingOptions {
  // Standard deviation in Elo of the prior around 0 of each bot and seat effect. Keeps the fit
  // finite for a bot that won or lost everything, and for a handful of games.
  double prior_elo = 400;
  // Standard deviation of the prior of a tie term, natural. Matters only if every game was tied.
  double tie_prior = 10;
  // The bot whose rating is 0. If empty, the mean of the bots in the largest connected group is 0.
  std::optional<int> anchor = std::nullopt;
  Strengths strengths = Strengths::kOne;
};

// An estimate with its standard error. The 95 % interval is value ± margin().
struct Estimate {
  double value = 0;
  double error = 0;

  double margin() const { return kDeviates95 * error; }
};

// Positions of the parameters in vectors and matrices: bots, seat effects, tie terms.
class ParameterLayout {
 public:
  // `occurring` marks the kinds of ties that get a term.
  ParameterLayout(size_t bots, size_t seats, PerTieKind occurring, Strengths strengths);

  size_t bots() const { return bots_; }
  size_t seats() const { return seats_; }
  // Returns whether the kind has a term. Otherwise such ties cannot occur.
  bool can_tie(TieKind kind) const { return can_tie_[static_cast<size_t>(kind)]; }
  int size() const { return size_; }
  bool is_by_stage() const { return strengths_ == 2; }
  // Returns the position of a bot's strength, or with `is_duel` of its strength while only two of
  // three are in play.
  int Bot(int bot, bool is_duel = false) const {
    return is_duel && is_by_stage() ? static_cast<int>(bots_) + bot : bot;
  }
  int AtSeat(size_t seat) const { return static_cast<int>(strengths_ * bots_ + seat); }
  // Requires: can_tie(kind).
  int Tie(TieKind kind) const { return tie_[static_cast<size_t>(kind)]; }

  // Returns the model of one game; `bots` are by seat.
  GameModel ModelOf(const PerSeat<int>& bots, const Eigen::VectorXd& parameters) const;

  // Entry `of_game` of a GameVector contributes to the derivative by `parameter`.
  struct Link {
    int of_game;
    int parameter;
  };
  struct Links {
    std::array<Link, 4 * kSeatsMax + kTieKinds> links;
    size_t count = 0;

    const Link* begin() const { return links.data(); }
    const Link* end() const { return links.data() + count; }
  };
  Links LinksOf(const PerSeat<int>& bots) const;

 private:
  size_t bots_;
  size_t seats_;
  size_t strengths_;  // of each bot
  PerTieKind can_tie_;
  std::array<int, kTieKinds> tie_{};
  int size_;
};

// The fit, a regular value. Results are in Elo unless the name or comment says "natural".
//
// Errors are block-robust, with matches as blocks, because games from the same opening are
// correlated. The usual sandwich V_b = V (Σ_b g_b g_bᵀ) V is too small if there are few blocks,
// because each block pulls the fit towards itself: with 6 blocks per bot its 95 % intervals covered
// 87 % in simulation. So errors use (I − H_b V)⁻¹ g_b instead of g_b (the block jackknife), which
// covers 93 to 96 % there and equals V_b for many blocks. The prior counts as one more independent
// observation in the middle of the sandwich. Without it, a bot that only the prior constrains (no
// games, or none won) would get an error near 0.
//
// Blocks of a bot whose results hardly vary carry no information about the variance. So the robust
// error is used alone only for bots with at least kEvidenceForRobust blocks *and* as much Fisher
// information (about the number of undecided games). Otherwise the larger of the two errors, from V
// and robust, is reported.
class RatingFit {
 public:
  static constexpr double kEvidenceForRobust = 20;

  const ParameterLayout& layout() const { return layout_; }
  // All parameters, natural: bots with mean 0, seats with mean 0, and ties. Their covariances: V
  // from the model, V_b robust, V_b jackknifed (used for errors). The common level of the bots, and
  // of the seats, has the prior's variance, so only differences are meaningful.
  const Eigen::VectorXd& parameters() const { return parameters_; }
  const Eigen::MatrixXd& covariance() const { return covariance_; }
  const Eigen::MatrixXd& robust_covariance() const { return robust_covariance_; }
  const Eigen::MatrixXd& jackknife_covariance() const { return jackknife_covariance_; }
  int64_t games() const { return games_; }
  int64_t blocks() const { return blocks_; }
  int newton_steps() const { return newton_steps_; }
  const Connections& connections() const { return connections_; }

  // Rating relative to the anchor or the pool mean, with the error of that difference. With two
  // strengths, ratings and differences use their mean.
  Estimate Rating(int bot) const;
  // R_i − R_j with its error.
  Estimate Difference(int i, int j) const;
  // Probability that i is stronger than j: Φ((θ_i − θ_j) / SE). 1/2 if i = j.
  double Superiority(int i, int j) const;
  // How much stronger the bot is while three are in play than in duels, relative to the mean of the
  // bots that have a style. Empty with one strength, and for a bot with too little evidence in one
  // of the stages (kEvidenceForRobust): there, the prior decides.
  std::optional<Estimate> Style(int bot) const;
  // Effect of a seat relative to the mean of the seats.
  Estimate SeatEffect(size_t seat) const;
  // τ of the kind, natural. Empty if no such tie occurred, in which case the fit leaves it out.
  std::optional<Estimate> TieTerm(TieKind kind) const;

  int64_t GamesOf(int bot) const { return bot_games_[static_cast<size_t>(bot)]; }
  // Whether the bot has games but no chain of games connects it to the largest group.
  bool IsUnconnected(int bot) const;
  // Whether the bot belongs to a group that won or lost everything against most others. Its
  // distance from them is then only a lower bound, set by the prior.
  bool IsOneSided(int bot) const;

  // The upper median of the bots' 95 % margins, excluding the anchor and one-sided and unconnected
  // bots. Empty if no bots remain.
  std::optional<double> TypicalMargin() const;
  // Estimated number of additional games of the same kind until TypicalMargin is `margin_elo`.
  // (Errors shrink with the square root of the games.)
  std::optional<int64_t> GamesUntil(double margin_elo) const;

  // Probability of each of Placements(seats) in a game of these bots.
  std::vector<double> PlacementProbabilities(const PerSeat<int>& bots) const;
  // Mean ratio of the variances V_b and V over the bots' ratings, at least 1. Measures how much
  // more the games of a block vary together than independent games would.
  double Dispersion() const;

 private:
  friend absl::StatusOr<RatingFit> FitRatings(const GameCounts& counts,
                                              const RatingOptions& options);
  explicit RatingFit(ParameterLayout layout) : layout_(layout) {}

  // Adds a bot's strength, times `weight`, to a contrast.
  void AddBot(int bot, double weight, Eigen::VectorXd& contrast) const;
  Eigen::VectorXd RatingContrast(int bot) const;
  // Standard error of contrastᵀ parameters, natural, given the evidence (see above).
  double ErrorOf(const Eigen::VectorXd& contrast, double evidence) const;
  double Evidence(int parameter) const;
  double EvidenceOfBot(int bot) const;
  bool HasStyle(int bot) const;

  ParameterLayout layout_;
  RatingOptions options_;
  Eigen::VectorXd parameters_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd robust_covariance_;
  Eigen::MatrixXd jackknife_covariance_;
  Eigen::VectorXd information_;     // diagonal of the information matrix, without the prior
  std::vector<int64_t> blocks_of_;  // number of blocks that involve each parameter
  std::vector<int64_t> bot_games_;
  std::vector<bool> in_pool_;  // the bots whose mean rating is 0
  Connections connections_;
  int64_t games_ = 0;
  int64_t blocks_ = 0;
  int newton_steps_ = 0;
};

// Fits the model. Fails with InvalidArgument if the options are invalid. Time grows with the number
// of distinct counts and with bots³; each game costs only one addition.
absl::StatusOr<RatingFit> FitRatings(const GameCounts& counts, const RatingOptions& options = {});

// The cumulative distribution function Φ of the standard normal.
double NormalCdf(double z);

// Share of the games with a certain kind of tie: observed, and expected by the fit.
struct TieRate {
  double observed = 0;
  double model = 0;
};
struct TieRates {
  TieRate first_of_two;    // exactly two share first place (with two seats: a draw)
  TieRate first_of_three;  // all three share first place
  TieRate second;          // two share second place
};
// Returns zeros if there are no games.
TieRates RatesOfTies(const RatingFit& fit, const GameCounts& counts);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_RATING_H_
