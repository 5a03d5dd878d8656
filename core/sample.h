// Checks that every game can convert its positions and moves to self-play data.

#ifndef TRIARCH_CORE_SAMPLE_H_
#define TRIARCH_CORE_SAMPLE_H_

#include <concepts>
#include <cstdint>

#include "core/games.h"
#include "core/three_way/sample.h"
#include "core/tri_d/sample.h"
#include "core/triumvirate/sample.h"

namespace triarch {

// A position that converts to self-play data (core/game/sample.h).
template <class P>
concept SampledPosition = Position<P> &&
    requires(const P position, const typename P::Move move, uint8_t* bytes) {
  { SampleShape<P>::kCells } -> std::convertible_to<int>;
  { SampleShape<P>::kPolicySize } -> std::convertible_to<int>;
  { PolicyIndex(move) } -> std::same_as<int>;
  { PackPosition(position, bytes, bytes) } -> std::same_as<void>;
};

// Returns whether the sample shape of every game in the list is within the limits.
template <SampledPosition... Ps>
consteval bool AllFit(const GameList<Ps...>&) {
  return ((SampleShape<Ps>::kCells <= kSampleCellsMax &&
           SampleShape<Ps>::kPolicySize <= kPolicySizeMax) &&
          ...);
}
static_assert(AllFit(Games()));

}  // namespace triarch

#endif  // TRIARCH_CORE_SAMPLE_H_
