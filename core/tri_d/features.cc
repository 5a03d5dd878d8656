#include "core/tri_d/features.h"

namespace triarch::tri_d {
namespace {

constexpr int kTypes = static_cast<int>(kPieceTypes);
constexpr int kSeats = static_cast<int>(Position::kInfo.seats);
constexpr int kOwnerKinds = kTypes * kSeats;
constexpr int kDoubleStepKind = kOwnerKinds;
constexpr int kEnPassantKind = kDoubleStepKind + kSeats;
constexpr int kPendingKind = kEnPassantKind + 1;
static_assert(kPendingKind + 1 == kFeatureKinds);

constexpr int KindInView(int kind, Seat viewer) {
  if (kind < kOwnerKinds) return kTypes * SeatInView(kind / kTypes, viewer, kSeats) + kind % kTypes;
  if (kind >= kEnPassantKind) return kind;
  return kDoubleStepKind + SeatInView(kind - kDoubleStepKind, viewer, kSeats);
}
// Half a turn exchanges the first main board and the last one, and the ends of each board.
constexpr int TurnedPlace(int place) {
  return place < kMainCells ? kMainCells - 1 - place : kMainCells + kPlaces - 1 - place;
}

Feature FeatureAt(const Position& position, int kind, Cell cell) {
  int place = cell.index();
  if (!cell.is_main()) {
    const Pin pin = position.layout().pins[static_cast<size_t>(cell.attack_board())];
    place = kMainCells + 4 * pin.index() + cell.place();
  }
  return static_cast<Feature>(kind * kPlaces + place);
}

Feature PieceFeature(const Position& position, Cell cell) {
  const int owner = (position.owned_by(Seat::kFirst) & CellBit(cell)) != 0 ? 0 : 1;
  const bool has_double_step = (position.double_steppers() & CellBit(cell)) != 0;
  const int kind = has_double_step ? kDoubleStepKind + owner
                                   : kTypes * owner + static_cast<int>(position.TypeAt(cell));
  return FeatureAt(position, kind, cell);
}

}  // namespace

Feature FeatureInView(GameTag<Position> game, Feature feature, Seat viewer) {
  if (viewer == Seat::kFirst) return feature;
  const int pins = kFeatureKinds * kPlaces;
  if (feature >= FlagFeature(game)) {
    return static_cast<Feature>(FlagFeature(game) +
                                FlagInView(feature - FlagFeature(game), viewer, kSeats));
  }
  if (feature >= pins) return static_cast<Feature>(pins + kPinFeatures - 1 - (feature - pins));
  return static_cast<Feature>(KindInView(feature / kPlaces, viewer) * kPlaces +
                              TurnedPlace(feature % kPlaces));
}

void ListPieces(const Position& position, CellSet cells, FeatureList& list) {
  AnyOf(cells, [&](Cell cell) {
    list.Add(PieceFeature(position, cell));
    return false;
  });
}

CellSet ChangedCells(const Position& a, const Position& b) {
  CellSet changed = a.double_steppers() ^ b.double_steppers();
  for (size_t i = 0; i < kPieceTypes; ++i) {
    const PieceType type = static_cast<PieceType>(i);
    changed |= a.of_type(type) ^ b.of_type(type);
  }
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    changed |= a.owned_by(SeatAt(i)) ^ b.owned_by(SeatAt(i));
  }
  for (int board = 0; board < kAttackBoards; ++board) {
    const size_t i = static_cast<size_t>(board);
    if (a.layout().pins[i] != b.layout().pins[i]) changed |= CellsOfAttackBoard(board);
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
    list.Add(FeatureAt(position, kEnPassantKind, *cell));
  }
  if (const std::optional<Cell> cell = position.pending()) {
    list.Add(FeatureAt(position, kPendingKind, *cell));
  }
  for (int board = 0; board < kAttackBoards; ++board) {
    const Pin pin = position.layout().pins[static_cast<size_t>(board)];
    list.Add(static_cast<Feature>(kFeatureKinds * kPlaces + kPins * board + pin.index()));
  }
}

}  // namespace triarch::tri_d
