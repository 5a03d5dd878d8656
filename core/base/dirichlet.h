#ifndef TRIARCH_CORE_BASE_DIRICHLET_H_
#define TRIARCH_CORE_BASE_DIRICHLET_H_

#include <cstdint>
#include <span>

namespace triarch {

// Noise for a distribution over moves: some share of it is taken from a symmetric Dirichlet
// distribution. A small alpha favours a few of the moves, a large one treats them alike.
struct DirichletNoise {
  double alpha = 0;  // above 0
  double share = 0;  // of the noise in what comes out, 0 to 1
  uint64_t seed = 0;
};

// Mixes it into weights that add up to 1 and still do afterwards.
void MixIn(const DirichletNoise& noise, std::span<float> weights);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_DIRICHLET_H_
