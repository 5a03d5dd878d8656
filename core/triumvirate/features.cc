#include "core/triumvirate/features.h"

namespace triarch::triumvirate {
namespace {

constexpr int kPawnKinds = 9;
constexpr int kOtherTypes = static_cast<int>(kPieceTypes) - 1;
constexpr int kSeats = static_cast<int>(Position::kInfo.seats);

constexpr int KindInView(int kind, Seat viewer) {
  const auto turned = [viewer](int seat) { return SeatInView(seat, viewer, kSeats); };
  if (kind < kPawnKinds) return 3 * turned(kind / 3) + turned(kind % 3);
  if (kind >= kPieceKinds) return kind;
  const int other = kind - kPawnKinds;
  return kPawnKinds + kOtherTypes * turned(other / kOtherTypes) + other % kOtherTypes;
}

Feature PieceFeature(const Position& position, Cell cell) {
  const PieceType type = position.TypeAt(cell);
  const int owner = static_cast<int>(Index(position.OwnerAt(cell)));
  const int kind = type == PieceType::kPawn
                       ? 3 * owner + static_cast<int>(Index(position.pawn_target(cell)))
                       : kPawnKinds + kOtherTypes * owner + static_cast<int>(type) - 1;
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
  CellSet changed = a.homeward() ^ b.homeward();
  for (size_t i = 0; i < kPieceTypes; ++i) {
    const PieceType type = static_cast<PieceType>(i);
    changed |= a.of_type(type) ^ b.of_type(type);
  }
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    changed |= (a.owned_by(seat) ^ b.owned_by(seat)) | (a.colored(seat) ^ b.colored(seat));
  }
  return changed;
}

uint32_t Flags(const Position& position) {
  uint32_t flags = CommonFlags(position);
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    flags |= FlagBit(Flag::kShortCastling, seat, position.can_castle_short(seat)) |
             FlagBit(Flag::kLongCastling, seat, position.can_castle_long(seat));
  }
  return flags;
}

void ListMarks(const Position& position, FeatureList& list) {
  if (const std::optional<Cell> cell = position.en_passant()) {
    list.Add(static_cast<Feature>(kPieceKinds * kCells + cell->index()));
  }
}

}  // namespace triarch::triumvirate
