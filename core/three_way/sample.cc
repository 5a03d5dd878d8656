#include "core/three_way/sample.h"

namespace triarch::three_way {

void PackPosition(const Position& position, uint8_t* cells, uint8_t* state) {
  const auto write = [&](uint64_t CellSet::*word, size_t count, uint8_t* bytes) {
    CellPlanes planes;
    SetTypePlanes([&](PieceType type) { return position.of_type(type).*word; }, planes);
    planes[kOwnerPlane] = planes[kColorPlane] = position.owned_by(Seat::kSecond).*word;
    planes[kOwnerPlane + 1] = planes[kColorPlane + 1] = position.owned_by(Seat::kThird).*word;
    planes[kFlagPlane] = 0;
    WritePlanes(planes, count, bytes);
  };
  write(&CellSet::low, 64, cells);
  write(&CellSet::high, kSampleCells - 64, cells + 64);

  PackCommonState(position, state);
  unsigned rights = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    rights |= (position.can_castle_king_side(seat) ? 1u : 0u) << (2 * i);
    rights |= (position.can_castle_queen_side(seat) ? 2u : 0u) << (2 * i);
    const std::optional<Cell> en_passant = position.en_passant(seat);
    state[kStateEnPassant + i] = en_passant ? static_cast<uint8_t>(en_passant->index()) : kNoCell;
  }
  state[kStateRights] = static_cast<uint8_t>(rights);
}

}  // namespace triarch::three_way
