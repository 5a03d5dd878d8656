// Lists the features of a position of Three-Way Chess for a small network.

#ifndef TRIARCH_CORE_THREE_WAY_FEATURES_H_
#define TRIARCH_CORE_THREE_WAY_FEATURES_H_

#include <cstddef>
#include <cstdint>

#include "core/game/features.h"
#include "core/game/planes.h"
#include "core/three_way/position.h"

// See core/game/features.h. A feature is kind · 96 + cell, where the kinds are
//   0 to 17   a piece: 6 · owner + type
//   18 to 20  the cell that the last double push of seat 0, 1, 2 passed over (§3)
// and then come the flags.
namespace triarch::three_way {

inline constexpr int kPieceKinds = 18;
inline constexpr int kFeatureKinds = 21;

constexpr Feature FlagFeature(GameTag<Position>) { return kFeatureKinds * kCells; }
constexpr size_t FeatureCount(GameTag<Position> game) { return FlagFeature(game) + kFlags; }
Feature FeatureInView(GameTag<Position>, Feature feature, Seat viewer);
void ListPieces(const Position& position, CellSet cells, FeatureList& list);
CellSet ChangedCells(const Position& a, const Position& b);
uint32_t Flags(const Position& position);
void ListMarks(const Position& position, FeatureList& list);

static_assert(HasFeatures<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_FEATURES_H_
