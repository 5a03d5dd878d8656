// Defines how a game finds the attackers of a cell.

#ifndef TRIARCH_CORE_GAME_ATTACKERS_H_
#define TRIARCH_CORE_GAME_ATTACKERS_H_

#include <concepts>
#include <cstdint>

#include "core/game/board.h"
#include "core/game/cell_set.h"
#include "core/game/position.h"

// For bots that evaluate exchanges without playing them.
namespace triarch {

// A cell by its number, 0 to P::kCells - 1.
class CellNumber {
 public:
  constexpr CellNumber() = default;
  static constexpr CellNumber At(int index) { return CellNumber(static_cast<uint8_t>(index)); }
  constexpr int index() const { return index_; }

  friend constexpr auto operator<=>(CellNumber, CellNumber) = default;

 private:
  constexpr explicit CellNumber(uint8_t index) : index_(index) {}
  uint8_t index_ = 0;
};

using CellNumbers = CellSet<CellNumber>;

// Each game declares these functions in its attackers.h.
template <class P>
concept HasAttackers = HasBoard<P> &&
    requires(const P p, CellNumber cell, CellNumbers cells, Seat seat) {
  // Returns the cells of the seat's pieces.
  { CellsOwnedBy(p, seat) } -> std::same_as<CellNumbers>;
  // Returns the pieces of all seats that would attack the cell if only the pieces on `cells` stood
  // on the board. Ignores pins.
  { AttackersOf(p, cell, cells) } -> std::same_as<CellNumbers>;
  // Returns the value of the piece on the cell in hundredths of a pawn; a king's is 10'000.
  // Requires: a piece stands on the cell.
  { PieceValue(p, cell) } -> std::same_as<int>;
};

// Returns the cells of the pieces of all seats that attack the cell, pinned or not.
template <HasAttackers P>
CellNumbers AllAttackersOf(const P& position, CellNumber cell) {
  CellNumbers occupied;
  for (size_t i = 0; i < P::kInfo.seats; ++i) occupied |= CellsOwnedBy(position, SeatAt(i));
  return AttackersOf(position, cell, occupied);
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_ATTACKERS_H_
