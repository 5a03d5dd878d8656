#include "core/triumvirate/sample.h"

namespace triarch::triumvirate {
namespace {

// Returns the castling rights: bit 0 short, bit 1 long.
unsigned Rights(const Position& position, Seat seat) {
  return (position.can_castle_short(seat) ? 1u : 0u) | (position.can_castle_long(seat) ? 2u : 0u);
}

}  // namespace

void PackPosition(const Position& position, uint8_t* cells, uint8_t* state) {
  const CellSet homeward = position.homeward();
  const auto write = [&](uint64_t CellSet::*word, size_t count, uint8_t* bytes) {
    CellPlanes planes;
    SetTypePlanes([&](PieceType type) { return position.of_type(type).*word; }, planes);
    planes[kOwnerPlane] = position.owned_by(Seat::kSecond).*word;
    planes[kOwnerPlane + 1] = position.owned_by(Seat::kThird).*word;
    planes[kColorPlane] = position.colored(Seat::kSecond).*word;
    planes[kColorPlane + 1] = position.colored(Seat::kThird).*word;
    planes[kFlagPlane] = homeward.*word;
    WritePlanes(planes, count, bytes);
  };
  write(&CellSet::low, 64, cells);
  write(&CellSet::high, kSampleCells - 64, cells + 64);

  PackCommonState(position, state);
  unsigned rights = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (position.is_in(SeatAt(i))) rights |= Rights(position, SeatAt(i)) << (2 * i);
  }
  state[kStateRights] = static_cast<uint8_t>(rights);
  // En passant counts for repetition only if the capture is legal.
  state[kStateEnPassant] = position.HasUsableEnPassant()
                               ? static_cast<uint8_t>(position.en_passant()->index())
                               : kNoCell;
}

}  // namespace triarch::triumvirate
