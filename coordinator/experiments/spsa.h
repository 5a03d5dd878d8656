// Tunes the parameters of a bot by SPSA: pairs of perturbed copies play, and the winner's side is
// followed.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SPSA_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SPSA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace triarch::experiments {

struct SpsaParameter {
  double start = 0;
  double min = 0;
  double max = 0;
  // The perturbation in the last iteration: the smallest change with a noticeable effect, about ½
  // to 2 Elo.
  double step = 0;
  bool is_integer = false;
};

// Returns the default step, a twentieth of the range.
double DefaultSpsaStep(double min, double max);

struct SpsaOptions {
  int64_t iterations = 0;  // at least 1
  // How far the last iteration moves per unit of its result: 0.002 for 100 000 games and more,
  // 0.008 for 30 000 and fewer.
  double final_rate = 0.002;
  // Iterations in play at once, at most MaxSpsaInPlay(iterations). More keep more workers busy, but
  // late results make the values noisier.
  int64_t in_play = 1;
  uint64_t seed = 0;
};

// Returns 2 % of the iterations, at least one.
int64_t MaxSpsaInPlay(int64_t iterations);

// The values of the two copies of one iteration, by parameter. A parameter with `is_integer` has
// whole numbers, rounded at random so that the mean is kept.
struct SpsaPair {
  std::vector<double> plus;
  std::vector<double> minus;
};

// A state machine: the caller plays the iterations and adds their results in any order. They are
// applied in order, and the k-th iteration perturbs the values after exactly k − in_play results
// (before the first result, the start values). So the outcome depends only on parameters, options
// and results, not on the number of workers. (The powers in the gains may differ in the last bit
// between C libraries.)
//
// With K iterations, k = 1 … K (the argument `iteration` is k − 1), A = K/10 and directions
// Δ_i = ±1 drawn by lot:
//
//   c_k = step (K/k)^0.101,  R_k = final_rate ((A+K)/(A+k))^0.602 (k/K)^0.202
//   plus = u + c_k Δ, minus = u − c_k Δ, both within the bounds
//   u_i ← u_i + R_k c_k,i y Δ_i, within the bounds
class Spsa {
 public:
  // Requires: min <= start <= max and step > 0 for each parameter, and options in their bounds.
  Spsa(std::vector<SpsaParameter> parameters, SpsaOptions options);

  int64_t iterations() const { return options_.iterations; }
  // The results applied so far: those before the first that is missing.
  int64_t applied() const { return static_cast<int64_t>(path_.size()) - 1; }
  // Iterations below this number can be played.
  int64_t playable() const;

  // Requires: applied() <= iteration < playable().
  SpsaPair PairOf(int64_t iteration) const;
  // Adds the result of an iteration, −6 to 6: twelve times x, which is half the difference between
  // the mean points of `plus` at tables with two copies of `minus` and those of `minus` at tables
  // with two of `plus`; with two seats, the mean points of `plus` less ½. The result of an
  // iteration that has one already is ignored. Requires: iteration < playable().
  void Add(int64_t iteration, double result);

  // Values by parameter after the start and each applied result.
  const std::vector<std::vector<double>>& path() const { return path_; }
  // The answer: the mean of the values over the last quarter of the applied results. It is no
  // evidence of an improvement.
  std::vector<double> Mean() const;
  // Whether the parameter moved by more than a quarter of its step over the last quarter.
  bool IsStillMoving(size_t parameter) const;

 private:
  double PerturbationOf(size_t parameter, int64_t iteration) const;
  void Apply(int64_t iteration, double result);

  std::vector<SpsaParameter> parameters_;
  SpsaOptions options_;
  std::vector<std::vector<double>> path_;
  std::map<int64_t, double> waiting_;  // results by iteration that cannot be applied yet
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SPSA_H_
