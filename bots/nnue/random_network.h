// Makes networks with random numbers, for tests.

#ifndef TRIARCH_BOTS_NNUE_RANDOM_NETWORK_H_
#define TRIARCH_BOTS_NNUE_RANDOM_NETWORK_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "bots/nnue/network.h"
#include "core/base/random.h"
#include "core/features.h"

namespace triarch::nnue {

// Its values are such that standings differ and are not all at a bound.
template <HasFeatures P>
NetworkData RandomNetwork(uint64_t seed, size_t accumulator = 64) {
  Random random(seed);
  const auto fill = [&random](auto& values, size_t count, int max) {
    values.resize(count);
    for (auto& value : values) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(
          static_cast<int>(random.Below(static_cast<uint32_t>(2 * max + 1))) - max);
    }
  };
  NetworkData data{.game = std::string(P::kInfo.name),
                   .features = FeatureCount(kGame<P>),
                   .accumulator = accumulator,
                   .leads = P::kInfo.seats - 1};
  fill(data.feature_weights, data.features * accumulator, 60);
  fill(data.feature_bias, accumulator, 100);
  fill(data.hidden_weights, kHidden * accumulator, 20);
  fill(data.hidden_bias, kHidden, 1'000);
  fill(data.output_weights, data.leads * kHidden, 64);
  data.output_bias.assign(data.leads, 77);
  return data;
}

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_RANDOM_NETWORK_H_
