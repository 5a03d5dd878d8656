#include "coordinator/experiments/spsa.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/base/random.h"

namespace triarch::experiments {
namespace {

// The exponents of Spall (1998), and the offset of the gains as a share of all iterations.
constexpr double kStepDecay = 0.101;
constexpr double kGainDecay = 0.602;
constexpr double kOffset = 0.1;

// The direction of one parameter, and the numbers that round its two values.
struct Lot {
  int direction;
  double plus;
  double minus;
};

std::vector<Lot> DrawLots(uint64_t seed, int64_t iteration, size_t parameters) {
  Random random(DeriveSeed(seed, static_cast<uint64_t>(iteration)));
  std::vector<Lot> lots(parameters);
  for (Lot& lot : lots) {
    lot.direction = random.Below(2) == 0 ? -1 : 1;
    lot.plus = random.Unit();
    lot.minus = random.Unit();
  }
  return lots;
}

double Within(const SpsaParameter& parameter, double value) {
  return std::clamp(value, parameter.min, parameter.max);
}

// Returns the value that a bot is given, within the bounds.
double Given(const SpsaParameter& parameter, double value, double unit) {
  const double inside = Within(parameter, value);
  if (!parameter.is_integer) return inside;
  const double floor = std::floor(inside);
  return Within(parameter, floor + (unit < inside - floor ? 1 : 0));
}

}  // namespace

double DefaultSpsaStep(double min, double max) { return (max - min) / 20; }

int64_t MaxSpsaInPlay(int64_t iterations) { return std::max<int64_t>(1, iterations / 50); }

Spsa::Spsa(std::vector<SpsaParameter> parameters, SpsaOptions options)
    : parameters_(std::move(parameters)), options_(options) {
  CHECK(options.iterations >= 1);
  CHECK(options.in_play >= 1 && options.in_play <= MaxSpsaInPlay(options.iterations));
  std::vector<double>& start = path_.emplace_back();
  for (const SpsaParameter& parameter : parameters_) {
    CHECK(parameter.min <= parameter.start && parameter.start <= parameter.max);
    CHECK(parameter.step > 0);
    start.push_back(parameter.start);
  }
}

int64_t Spsa::playable() const { return std::min(applied() + options_.in_play, iterations()); }

double Spsa::PerturbationOf(size_t parameter, int64_t iteration) const {
  const double share = static_cast<double>(iterations()) / static_cast<double>(iteration + 1);
  return parameters_[parameter].step * std::pow(share, kStepDecay);
}

SpsaPair Spsa::PairOf(int64_t iteration) const {
  CHECK(iteration >= applied() && iteration < playable());
  const int64_t known = std::max<int64_t>(0, iteration + 1 - options_.in_play);
  const std::vector<double>& values = path_[static_cast<size_t>(known)];
  const std::vector<Lot> lots = DrawLots(options_.seed, iteration, parameters_.size());
  SpsaPair pair;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const double change = PerturbationOf(i, iteration) * lots[i].direction;
    pair.plus.push_back(Given(parameters_[i], values[i] + change, lots[i].plus));
    pair.minus.push_back(Given(parameters_[i], values[i] - change, lots[i].minus));
  }
  return pair;
}

void Spsa::Add(int64_t iteration, double result) {
  CHECK(iteration < playable());
  if (iteration < applied()) return;
  waiting_.try_emplace(iteration, result);
  while (!waiting_.empty() && waiting_.begin()->first == applied()) {
    Apply(applied(), waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
  }
}

void Spsa::Apply(int64_t iteration, double result) {
  const auto k = static_cast<double>(iteration + 1);
  const auto last = static_cast<double>(iterations());
  const double offset = kOffset * last;
  const double rate = options_.final_rate * std::pow((offset + last) / (offset + k), kGainDecay) *
                      std::pow(k / last, 2 * kStepDecay);
  const std::vector<Lot> lots = DrawLots(options_.seed, iteration, parameters_.size());
  std::vector<double> values = path_.back();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const double change = rate * PerturbationOf(i, iteration) * result * lots[i].direction;
    values[i] = Within(parameters_[i], values[i] + change);
  }
  path_.push_back(std::move(values));
}

std::vector<double> Spsa::Mean() const {
  const size_t first = path_.size() - (path_.size() + 3) / 4;
  std::vector<double> mean(parameters_.size(), 0);
  for (size_t k = first; k < path_.size(); ++k) {
    for (size_t i = 0; i < mean.size(); ++i) mean[i] += path_[k][i];
  }
  for (double& value : mean) value /= static_cast<double>(path_.size() - first);
  return mean;
}

bool Spsa::IsStillMoving(size_t parameter) const {
  const size_t first = path_.size() - (path_.size() + 3) / 4;
  const double moved = path_.back()[parameter] - path_[first][parameter];
  return std::abs(moved) > parameters_[parameter].step / 4;
}

}  // namespace triarch::experiments
