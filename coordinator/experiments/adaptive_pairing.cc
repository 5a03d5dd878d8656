#include "coordinator/experiments/adaptive_pairing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

#include "Eigen/Core"
#include "Eigen/LU"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/schedule/pairing.h"

namespace triarch::experiments {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A table as a value. With two seats the third entry repeats the first.
using Trio = std::array<int, 3>;

constexpr int kBotsForAllTables = 60;
constexpr int kSampledTables = 2000;
constexpr int kStartTables = 30;  // of which the emptiest is chosen

// The tables from which one is chosen.
class TableSet {
 public:
  TableSet(int bots, size_t seats, uint64_t seed) : bots_(bots), seats_(seats), random_(seed) {}

  // Returns a table of that bot, if any, and others drawn by lot.
  Trio Draw(std::optional<int> member) {
    const auto draw = [&] { return static_cast<int>(random_.Below(static_cast<uint32_t>(bots_))); };
    Trio trio;
    trio[0] = member ? *member : draw();
    do {
      trio[1] = draw();
    } while (trio[1] == trio[0]);
    do {
      trio[2] = seats_ == 3 ? draw() : trio[0];
    } while (seats_ == 3 && (trio[2] == trio[0] || trio[2] == trio[1]));
    return trio;
  }

  // Calls visit(trio) for all tables, or a sample of them; only those with `member`, if any.
  template <class Visit>
  void ForEach(std::optional<int> member, Visit visit) {
    if (bots_ > kBotsForAllTables) {
      for (int i = 0; i < kSampledTables; ++i) visit(Draw(member));
      return;
    }
    for (int a = 0; a < bots_; ++a) {
      for (int b = a + 1; b < bots_; ++b) {
        for (int c = seats_ == 3 ? b + 1 : bots_ - 1; c < bots_; ++c) {
          const Trio trio = {a, b, seats_ == 3 ? c : a};
          if (!member || std::find(trio.begin(), trio.end(), *member) != trio.end()) visit(trio);
        }
      }
    }
  }

 private:
  int bots_;
  size_t seats_;
  Random random_;
};

// What a match between bots of these strengths tells.
class Information {
 public:
  Information(const VectorXd& strengths, size_t seats)
      : weights_((-strengths.array()).exp()), seats_(seats) {}

  // Returns L, the information of all games of a match, natural.
  Matrix3d Of(const Trio& trio) const {
    const double a = weights_[trio[0]];
    const double b = weights_[trio[1]];
    const double c = seats_ == 3 ? weights_[trio[2]] : 0;
    Matrix3d information = Matrix3d::Zero();
    AddPair(0, 1, PairWeight(a, b, c), information);
    if (seats_ == 3) {
      AddPair(0, 2, PairWeight(a, c, b), information);
      AddPair(1, 2, PairWeight(b, c, a), information);
    }
    return static_cast<double>(SeatingsPerSet(seats_)) * information;
  }

 private:
  // Both stages: one of three goes out, and if it is the third, one of two.
  static double PairWeight(double a, double b, double third) {
    const double sum = a + b + third;
    const double duel = a * b / ((a + b) * (a + b));
    return third > 0 ? a * b / (sum * sum) + third / sum * duel : duel;
  }
  static void AddPair(int i, int j, double weight, Matrix3d& information) {
    information(i, i) += weight;
    information(j, j) += weight;
    information(i, j) -= weight;
    information(j, i) -= weight;
  }

  VectorXd weights_;
  size_t seats_;
};

// Returns the weight of each bot's squared distance from the leader, up to a common factor: φ(z)
// alone could underflow. That of the leader is 0.
VectorXd WeightsForBest(const MatrixXd& covariance, const VectorXd& strengths, int leader) {
  VectorXd z = VectorXd::Zero(strengths.size());
  VectorXd error = VectorXd::Zero(strengths.size());
  double least = std::numeric_limits<double>::infinity();
  for (int bot = 0; bot < strengths.size(); ++bot) {
    if (bot == leader) continue;
    const double variance =
        covariance(leader, leader) + covariance(bot, bot) - 2 * covariance(leader, bot);
    error[bot] = std::sqrt(std::max(variance, 1e-12));
    z[bot] = (strengths[leader] - strengths[bot]) / error[bot];
    least = std::min(least, z[bot]);
  }
  VectorXd weights = VectorXd::Zero(strengths.size());
  for (int bot = 0; bot < strengths.size(); ++bot) {
    if (bot == leader) continue;
    weights[bot] = std::exp((least * least - z[bot] * z[bot]) / 2) * (z[bot] + 0.5) / error[bot];
  }
  return weights;
}

// Chooses tables one by one.
class Chooser {
 public:
  Chooser(const ratings::RatingFit& fit, std::span<const int64_t> matches, AdaptiveGoal goal,
          uint64_t seed)
      : goal_(goal),
        seats_(fit.layout().seats()),
        matches_(matches.begin(), matches.end()),
        strengths_(fit.parameters().head(static_cast<Eigen::Index>(matches.size()))),
        covariance_(fit.covariance().topLeftCorner(strengths_.size(), strengths_.size())),
        information_(strengths_, seats_),
        tables_(static_cast<int>(matches.size()), seats_, seed) {}

  Table Next() {
    const auto fewest = std::min_element(matches_.begin(), matches_.end());
    const Trio trio = *fewest < kStartMatches ? Emptiest() : Best();
    Table table(trio.begin(), trio.begin() + static_cast<std::ptrdiff_t>(seats_));
    for (const int bot : table) ++matches_[static_cast<size_t>(bot)];
    Expect(trio);
    return table;
  }

  // Updates the covariance as if the match had been played.
  void Expect(const Table& table) {
    CHECK(table.size() == seats_);
    Expect(Trio{table[0], table[1], table.size() == 3 ? table[2] : table[0]});
  }

 private:
  // Returns the emptiest of some tables drawn by lot. Each has a bot with the fewest matches.
  Trio Emptiest() {
    const int member = FewestMatches();
    Trio best{};
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int i = 0; i < kStartTables; ++i) {
      const Trio trio = tables_.Draw(member);
      int64_t sum = 0;
      for (size_t seat = 0; seat < seats_; ++seat) sum += matches_[static_cast<size_t>(trio[seat])];
      if (sum < least) {
        least = sum;
        best = trio;
      }
    }
    return best;
  }

  Trio Best() {
    SetForm();
    Trio best{};
    double most = -1;
    tables_.ForEach(BelowFloor(), [&](const Trio& trio) {
      const double gain = GainOf(trio);
      // Differences by rounding do not count.
      if (gain <= most * (1 + 1e-9)) return;
      most = gain;
      best = trio;
    });
    return best;
  }

  int FewestMatches() const {
    return static_cast<int>(std::min_element(matches_.begin(), matches_.end()) - matches_.begin());
  }

  std::optional<int> BelowFloor() const {
    const double mean = std::accumulate(matches_.begin(), matches_.end(), 0.0) /
                        static_cast<double>(matches_.size());
    const int bot = FewestMatches();
    const auto matches = static_cast<double>(matches_[static_cast<size_t>(bot)]);
    if (matches < FloorShare(goal_) * mean) return bot;
    return std::nullopt;
  }

  // Sets `form_` so that V M V = form_ᵀ form_. Computes all of V M V for few bots; for more, only
  // the parts that sampled tables need are computed.
  void SetForm() {
    const Eigen::Index bots = strengths_.size();
    if (goal_ == AdaptiveGoal::kRatings) {
      form_ = covariance_;
      for (Eigen::Index bot = 0; bot < bots; ++bot) {
        form_.col(bot).array() -= covariance_.col(bot).mean();
      }
    } else {
      Eigen::Index leader = 0;
      strengths_.maxCoeff(&leader);
      const VectorXd weights =
          WeightsForBest(covariance_, strengths_, static_cast<int>(leader)).cwiseSqrt();
      for (Eigen::Index bot = 0; bot < bots; ++bot) {
        form_.col(bot) =
            weights.array() * (covariance_(leader, bot) - covariance_.col(bot).array());
      }
    }
    if (bots <= kBotsForAllTables) square_ = form_.transpose().lazyProduct(form_);
  }

  double Form(int a, int b) const {
    return square_.size() > 0 ? square_(a, b) : form_.col(a).dot(form_.col(b));
  }

  // Returns L (I + V_b L)⁻¹, the part of L that is new.
  Matrix3d NewInformation(const Trio& trio) const {
    const Matrix3d information = information_.Of(trio);
    Matrix3d known;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        known(i, j) = covariance_(trio[static_cast<size_t>(i)], trio[static_cast<size_t>(j)]);
      }
    }
    return information * (Matrix3d::Identity() + known * information).inverse();
  }

  double GainOf(const Trio& trio) const {
    const Matrix3d gained = NewInformation(trio);
    double gain = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        gain += gained(i, j) * Form(trio[static_cast<size_t>(j)], trio[static_cast<size_t>(i)]);
      }
    }
    return gain;
  }

  void Expect(const Trio& trio) {
    const MatrixXd columns = covariance_(Eigen::all, trio);
    const MatrixXd new_part = columns.lazyProduct(NewInformation(trio));
    covariance_ -= new_part.lazyProduct(columns.transpose());
  }

  AdaptiveGoal goal_;
  size_t seats_;
  std::vector<int64_t> matches_;
  VectorXd strengths_;
  MatrixXd covariance_;
  Information information_;
  TableSet tables_;
  MatrixXd form_ = MatrixXd::Zero(strengths_.size(), strengths_.size());
  MatrixXd square_;  // V M V, or empty
};

}  // namespace

std::vector<Table> NextBatch(const ratings::RatingFit& fit, std::span<const int64_t> matches,
                             AdaptiveGoal goal, uint64_t seed, std::span<const Table> pending) {
  const size_t seats = fit.layout().seats();
  CHECK(matches.size() == fit.layout().bots() && matches.size() >= seats);
  CHECK(!fit.layout().is_by_stage());
  Chooser chooser(fit, matches, goal, seed);
  for (const Table& table : pending) chooser.Expect(table);
  std::vector<Table> batch;
  while (batch.size() < matches.size() / seats) batch.push_back(chooser.Next());
  return batch;
}

Leader LeaderOf(const ratings::RatingFit& fit) {
  const auto bots = static_cast<int>(fit.layout().bots());
  CHECK(bots >= 2);
  Leader leader = {.bot = 0, .deviates = std::numeric_limits<double>::infinity()};
  fit.parameters().head(bots).maxCoeff(&leader.bot);
  for (int bot = 0; bot < bots; ++bot) {
    if (bot == leader.bot) continue;
    const ratings::Estimate lead = fit.Difference(leader.bot, bot);
    leader.deviates = std::min(leader.deviates, lead.value / lead.error);
  }
  return leader;
}

}  // namespace triarch::experiments
