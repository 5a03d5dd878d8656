// Lists the features of a position of Triumvirate for a small network.

#ifndef TRIARCH_CORE_TRIUMVIRATE_FEATURES_H_
#define TRIARCH_CORE_TRIUMVIRATE_FEATURES_H_

#include <cstddef>
#include <cstdint>

#include "core/game/features.h"
#include "core/game/planes.h"
#include "core/triumvirate/position.h"

// See core/game/features.h. A feature is kind · 96 + cell, where the kinds are
//   0 to 8    a pawn: 3 · owner + the sector to which it heads (§4)
//   9 to 23   another piece: 9 + 5 · owner + type, from the knight on
//   24        the cell that the last double step passed over (§4)
// and then come the flags. The colour of an inherited piece (§3) does not matter but for the
// heading of pawns.
namespace triarch::triumvirate {

inline constexpr int kPieceKinds = 24;
inline constexpr int kFeatureKinds = 25;

constexpr Feature FlagFeature(GameTag<Position>) { return kFeatureKinds * kCells; }
constexpr size_t FeatureCount(GameTag<Position> game) { return FlagFeature(game) + kFlags; }
Feature FeatureInView(GameTag<Position>, Feature feature, Seat viewer);
void ListPieces(const Position& position, CellSet cells, FeatureList& list);
CellSet ChangedCells(const Position& a, const Position& b);
uint32_t Flags(const Position& position);
void ListMarks(const Position& position, FeatureList& list);

static_assert(HasFeatures<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_FEATURES_H_
