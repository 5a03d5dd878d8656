// Lists the features of a position of Tri-D chess for a small network.

#ifndef TRIARCH_CORE_TRI_D_FEATURES_H_
#define TRIARCH_CORE_TRI_D_FEATURES_H_

#include <cstddef>
#include <cstdint>

#include "core/game/features.h"
#include "core/tri_d/position.h"

// See core/game/features.h. Features know the 96 places in space where a cell can be: those of the
// main boards by their numbers, then 48 + 4 · pin + the place on the attack board. A feature is
// kind · 96 + place, where the kinds are
//   0 to 11   a piece: 6 · owner + type
//   12, 13    a pawn of seat 0, 1 that still has its double step
//   14        the pawn that has just made a double step (en passant)
//   15        the pawn that must promote first (§4)
// then come the pins of the attack boards, 12 · board + pin, and then the flags. Black sees the
// boards turned by half a turn, as the start is.
namespace triarch::tri_d {

inline constexpr int kPlaces = 96;
inline constexpr int kFeatureKinds = 16;
inline constexpr int kPinFeatures = kAttackBoards * kPins;

constexpr Feature FlagFeature(GameTag<Position>) { return kFeatureKinds * kPlaces + kPinFeatures; }
constexpr size_t FeatureCount(GameTag<Position> game) { return FlagFeature(game) + kFlags; }
Feature FeatureInView(GameTag<Position>, Feature feature, Seat viewer);
void ListPieces(const Position& position, CellSet cells, FeatureList& list);
CellSet ChangedCells(const Position& a, const Position& b);
uint32_t Flags(const Position& position);
void ListMarks(const Position& position, FeatureList& list);

static_assert(HasFeatures<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_FEATURES_H_
