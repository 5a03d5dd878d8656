// Converts positions and moves of Three-Way Chess to self-play data.

#ifndef TRIARCH_CORE_THREE_WAY_SAMPLE_H_
#define TRIARCH_CORE_THREE_WAY_SAMPLE_H_

#include <cstdint>

#include "core/game/sample.h"
#include "core/three_way/position.h"

// See core/game/sample.h and docs/selfplay-data.md.
namespace triarch::three_way {

inline constexpr int kSampleCells = kCells;
// Index: kind · 96² + from · 96 + to, with the kind from PromotionKind and castling as the king's
// move.
inline constexpr int kPolicySize = kPromotionKinds * kCells * kCells;

constexpr int PolicyIndex(Move move) {
  return (PromotionKind(move.promotion()) * kCells + move.from().index()) * kCells +
         move.to().index();
}

// Writes kSampleCells and kSampleState bytes. Positions of running games have equal bytes if and
// only if they have the same key() and the same halfmove clock.
void PackPosition(const Position& position, uint8_t* cells, uint8_t* state);

}  // namespace triarch::three_way

template <>
struct triarch::SampleShape<triarch::three_way::Position> {
  static constexpr int kCells = three_way::kSampleCells;
  static constexpr int kPolicySize = three_way::kPolicySize;
};

#endif  // TRIARCH_CORE_THREE_WAY_SAMPLE_H_
