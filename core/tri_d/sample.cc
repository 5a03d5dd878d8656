#include "core/tri_d/sample.h"

#include "core/tri_d/movegen.h"

namespace triarch::tri_d {
namespace {

uint8_t ByteOf(std::optional<Cell> cell) {
  return cell ? static_cast<uint8_t>(cell->index()) : kNoCell;
}

}  // namespace

void PackPosition(const Position& position, uint8_t* cells, uint8_t* state) {
  CellPlanes planes{};
  SetTypePlanes([&](PieceType type) { return position.of_type(type); }, planes);
  planes[kOwnerPlane] = planes[kColorPlane] = position.owned_by(Seat::kSecond);
  planes[kFlagPlane] = position.double_steppers();
  WritePlanes(planes, kSampleCells, cells);

  PackCommonState(position, state);
  unsigned rights = 0;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    rights |= (position.can_castle_short(seat) ? 1u : 0u) << (2 * Index(seat));
    rights |= (position.can_castle_long(seat) ? 2u : 0u) << (2 * Index(seat));
  }
  state[kStateRights] = static_cast<uint8_t>(rights);
  // En passant counts for repetition only if the capture is legal.
  const std::optional<Cell> en_passant = position.en_passant();
  const bool is_usable = en_passant && !position.is_over() &&
                         MoveGenerator(position, position.to_move()).HasEnPassant();
  state[kStateEnPassant] = ByteOf(is_usable ? en_passant : std::nullopt);
  for (size_t board = 0; board < kAttackBoards; ++board) {
    state[kStatePins + board] = static_cast<uint8_t>(position.layout().pins[board].index());
  }
  state[kStatePending] = ByteOf(position.pending());
}

}  // namespace triarch::tri_d
