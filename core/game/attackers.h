// Declares how every game tells who attacks a cell.

#ifndef TRIARCH_CORE_GAME_ATTACKERS_H_
#define TRIARCH_CORE_GAME_ATTACKERS_H_

#include <concepts>
#include <cstdint>

#include "core/game/board.h"
#include "core/game/cell_set.h"
#include "core/game/position.h"

// Who attacks what, in every game alike: for bots that weigh exchanges without playing them.
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

// A game says this in its attackers.h.
template <class P>
concept HasAttackers = HasBoard<P> &&
    requires(const P p, CellNumber cell, CellNumbers cells, Seat seat) {
  // The cells of a seat's pieces.
  { CellsOwnedBy(p, seat) } -> std::same_as<CellNumbers>;
  // The pieces, whoever owns them, that attack the cell if of all cells that hold a piece only
  // `cells` still did. Whether one is pinned is not asked.
  { AttackersOf(p, cell, cells) } -> std::same_as<CellNumbers>;
  // What the piece on the cell is worth, in hundredths of a pawn; 10'000 is a king. Requires: there
  // is one.
  { PieceValue(p, cell) } -> std::same_as<int>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_ATTACKERS_H_
