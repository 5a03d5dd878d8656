#include "core/base/dirichlet.h"

#include <cmath>
#include <vector>

#include "core/base/normal.h"
#include "core/base/portable_math.h"
#include "core/base/random.h"

namespace triarch {
namespace {

// Returns the logarithm of a gamma-distributed number (Marsaglia and Tsang 2000). For a small alpha
// the number itself can underflow a double.
double LogGamma(double alpha, Random& random) {
  if (alpha < 1) return LogGamma(alpha + 1, random) + PortableLog(1 - random.Unit()) / alpha;
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = NormalDeviate(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (PortableLog(1 - random.Unit()) < x * x / 2 + d * (1 - v + PortableLog(v))) {
      return PortableLog(d) + PortableLog(v);
    }
  }
}

}  // namespace

void MixIn(const DirichletNoise& noise, std::span<float> weights) {
  if (weights.empty()) return;
  Random random(noise.seed);
  std::vector<double> drawn;
  for (size_t i = 0; i < weights.size(); ++i) drawn.push_back(LogGamma(noise.alpha, random));
  double most = drawn.front();
  for (const double one : drawn) most = std::fmax(most, one);
  double sum = 0;
  for (double& one : drawn) sum += one = PortableExp(one - most);
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>((1 - noise.share) * weights[i] + noise.share * drawn[i] / sum);
  }
}

}  // namespace triarch
