// Mixes Dirichlet noise into a probability distribution over moves.

#ifndef TRIARCH_CORE_BASE_DIRICHLET_H_
#define TRIARCH_CORE_BASE_DIRICHLET_H_

#include <cstdint>
#include <span>

namespace triarch {

// Symmetric Dirichlet noise. A small alpha favours a few moves; a large alpha spreads the noise
// evenly.
struct DirichletNoise {
  double alpha = 0;  // above 0
  double share = 0;  // weight of the noise in the result, 0 to 1
  uint64_t seed = 0;
};

// Replaces the share `noise.share` of each weight with noise, the same on every machine. Requires:
// the weights sum to 1, which remains true afterwards.
void MixIn(const DirichletNoise& noise, std::span<float> weights);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_DIRICHLET_H_
