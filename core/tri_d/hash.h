// Holds random numbers for position keys (Zobrist hashing).

#ifndef TRIARCH_CORE_TRI_D_HASH_H_
#define TRIARCH_CORE_TRI_D_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/random.h"
#include "core/tri_d/board.h"
#include "core/tri_d/move.h"

// Positions are equal if the same pieces stand on the same cells and boards of the same colour on
// the same pins (§7). Therefore a cell is identified here by the pin of its board, which gives 96
// cells, and a player's two boards are interchangeable.
namespace triarch::tri_d {

inline constexpr size_t kHashCells = kMainCells + 4 * kPins;

constexpr size_t HashCell(const Layout& layout, Cell cell) {
  if (cell.is_main()) return static_cast<size_t>(cell.index());
  const Pin pin = layout.pins[static_cast<size_t>(cell.attack_board())];
  return static_cast<size_t>(kMainCells + 4 * pin.index() + cell.place());
}

struct HashTables {
  std::array<std::array<uint64_t, kHashCells>, 2 * kPieceTypes> piece{};
  std::array<uint64_t, kHashCells> double_stepper{};
  std::array<uint64_t, kHashCells> en_passant{};
  std::array<std::array<uint64_t, kPins>, 2> pin{};  // by the board's colour
  std::array<uint64_t, 16> rights{};
  std::array<uint64_t, 2> to_move{};
};

constexpr HashTables BuildHashTables() {
  HashTables tables;
  Random random(0x747269642d64u);
  for (auto& row : tables.piece) {
    for (uint64_t& number : row) number = random.Next();
  }
  for (uint64_t& number : tables.double_stepper) number = random.Next();
  for (uint64_t& number : tables.en_passant) number = random.Next();
  for (auto& row : tables.pin) {
    for (uint64_t& number : row) number = random.Next();
  }
  for (uint64_t& number : tables.rights) number = random.Next();
  for (uint64_t& number : tables.to_move) number = random.Next();
  return tables;
}

inline constexpr HashTables kHash = BuildHashTables();

constexpr uint64_t PieceHash(Piece piece, size_t hash_cell) {
  return kHash.piece[Index(piece.owner) * kPieceTypes + static_cast<size_t>(piece.type)][hash_cell];
}

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_HASH_H_
