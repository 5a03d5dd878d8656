// Surveys which pieces attack and defend which cells in a position.

#ifndef TRIARCH_BOTS_SMART_SURVEY_H_
#define TRIARCH_BOTS_SMART_SURVEY_H_

#include <array>
#include <cstddef>

#include "core/base/check.h"
#include "core/game/attackers.h"
#include "core/game/position.h"
#include "core/game/seat.h"

namespace triarch {

// A king's nominal value, never included in a sum: a king is never traded.
inline constexpr int kKingWorth = 10'000;

// Ownership, attacks and values by cell, looked up once per position. The position must outlive it.
template <HasAttackers P>
struct Survey {
  explicit Survey(const P& of) : position(of) {
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      owned[seat] = CellsOwnedBy(position, seat);
      all |= owned[seat];
      AnyOf(owned[seat], [&](CellNumber cell) {
        const int piece = PieceValue(position, cell);
        worth[static_cast<size_t>(cell.index())] = piece;
        if (piece < kKingWorth) material[seat] += piece;
        return false;
      });
    }
  }

  int WorthAt(CellNumber cell) const { return worth[static_cast<size_t>(cell.index())]; }
  // Returns the next seat in turn order, whether it is still in or not.
  static Seat After(Seat seat) { return SeatAt((Index(seat) + 1) % P::kInfo.seats); }
  // Requires: the cell is occupied.
  Seat OwnerOf(CellNumber cell) const {
    DCHECK(all.contains(cell));
    Seat owner = Seat::kFirst;
    while (!owned[owner].contains(cell)) owner = After(owner);
    return owner;
  }
  CellNumbers AttackersOn(CellNumber cell) const { return AttackersOf(position, cell, all); }

  const P& position;
  PerSeat<CellNumbers> owned;
  CellNumbers all;
  std::array<int, P::kCells> worth;  // by cell, for the cells in `all`
  PerSeat<int> material{};           // excluding kings
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_SURVEY_H_
