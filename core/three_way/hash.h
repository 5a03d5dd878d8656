// Holds random numbers for position keys (Zobrist hashing).

#ifndef TRIARCH_CORE_THREE_WAY_HASH_H_
#define TRIARCH_CORE_THREE_WAY_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/random.h"
#include "core/three_way/board.h"
#include "core/three_way/move.h"

// A key is the exclusive or of one number per element of the position, so a move changes it by only
// a few numbers.
namespace triarch::three_way {

struct HashTables {
  std::array<std::array<uint64_t, kCells>, kSeatsMax * kPieceTypes> piece{};  // by PieceHash
  std::array<uint64_t, kCells> en_passant{};  // a passed-over cell lies in its owner's third
  std::array<uint64_t, 64> rights{};
  std::array<uint64_t, kSeatsMax> to_move{};
};

constexpr HashTables BuildHashTables() {
  HashTables tables;
  Random random(0x7468726565776179u);
  for (auto& row : tables.piece) {
    for (uint64_t& number : row) number = random.Next();
  }
  for (uint64_t& number : tables.en_passant) number = random.Next();
  for (uint64_t& number : tables.rights) number = random.Next();
  for (uint64_t& number : tables.to_move) number = random.Next();
  return tables;
}

inline constexpr HashTables kHash = BuildHashTables();

constexpr uint64_t PieceHash(Piece piece, Cell cell) {
  const size_t row = Index(piece.owner) * kPieceTypes + static_cast<size_t>(piece.type);
  return kHash.piece[row][static_cast<size_t>(cell.index())];
}

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_HASH_H_
