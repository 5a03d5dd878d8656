#include "core/three_way/features.h"

namespace triarch::three_way {
namespace {

constexpr int kTypes = static_cast<int>(kPieceTypes);
constexpr int kSeats = static_cast<int>(Position::kInfo.seats);

constexpr int KindInView(int kind, Seat viewer) {
  if (kind >= kPieceKinds) return kPieceKinds + SeatInView(kind - kPieceKinds, viewer, kSeats);
  return kTypes * SeatInView(kind / kTypes, viewer, kSeats) + kind % kTypes;
}

Feature PieceFeature(const Position& position, Cell cell) {
  const int owner = static_cast<int>(Index(position.OwnerAt(cell)));
  const int kind = kTypes * owner + static_cast<int>(position.TypeAt(cell));
  return static_cast<Feature>(kind * kCells + cell.index());
}

}  // namespace

Feature FeatureInView(GameTag<Position> game, Feature feature, Seat viewer) {
  if (feature >= FlagFeature(game)) {
    return static_cast<Feature>(FlagFeature(game) +
                                FlagInView(feature - FlagFeature(game), viewer, kSeats));
  }
  return static_cast<Feature>(KindInView(feature / kCells, viewer) * kCells +
                              CellInThirdsView(feature % kCells, viewer));
}

void ListPieces(const Position& position, CellSet cells, FeatureList& list) {
  AnyOf(cells, [&](Cell cell) {
    list.Add(PieceFeature(position, cell));
    return false;
  });
}

CellSet ChangedCells(const Position& a, const Position& b) {
  CellSet changed;
  for (size_t i = 0; i < kPieceTypes; ++i) {
    const PieceType type = static_cast<PieceType>(i);
    changed |= a.of_type(type) ^ b.of_type(type);
  }
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    changed |= a.owned_by(SeatAt(i)) ^ b.owned_by(SeatAt(i));
  }
  return changed;
}

uint32_t Flags(const Position& position) {
  uint32_t flags = CommonFlags(position);
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    flags |= FlagBit(Flag::kShortCastling, seat, position.can_castle_king_side(seat)) |
             FlagBit(Flag::kLongCastling, seat, position.can_castle_queen_side(seat));
  }
  return flags;
}

void ListMarks(const Position& position, FeatureList& list) {
  for (int seat = 0; seat < kSeats; ++seat) {
    if (const std::optional<Cell> cell = position.en_passant(SeatAt(static_cast<size_t>(seat)))) {
      list.Add(static_cast<Feature>((kPieceKinds + seat) * kCells + cell->index()));
    }
  }
}

}  // namespace triarch::three_way
