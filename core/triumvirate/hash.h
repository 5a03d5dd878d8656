// Holds random numbers for position keys (Zobrist hashing).

#ifndef TRIARCH_CORE_TRIUMVIRATE_HASH_H_
#define TRIARCH_CORE_TRIUMVIRATE_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/random.h"
#include "core/triumvirate/board.h"
#include "core/triumvirate/move.h"

// A key is the exclusive or of one number per element of the position, so a move changes it by only
// a few numbers.
namespace triarch::triumvirate {

struct HashTables {
  std::array<std::array<uint64_t, kCells>, 9 * kPieceTypes> piece{};  // by PieceHash
  std::array<uint64_t, kCells> homeward{};
  std::array<uint64_t, kCells> en_passant{};
  std::array<uint64_t, 64> rights{};
  std::array<uint64_t, 3> to_move{};
  std::array<uint64_t, 3> out{};
};

constexpr HashTables BuildHashTables() {
  HashTables tables;
  Random random(0x7472696172636821u);
  for (auto& row : tables.piece) {
    for (uint64_t& number : row) number = random.Next();
  }
  for (uint64_t& number : tables.homeward) number = random.Next();
  for (uint64_t& number : tables.en_passant) number = random.Next();
  for (uint64_t& number : tables.rights) number = random.Next();
  for (uint64_t& number : tables.to_move) number = random.Next();
  for (uint64_t& number : tables.out) number = random.Next();
  return tables;
}

inline constexpr HashTables kHash = BuildHashTables();

constexpr uint64_t PieceHash(Piece piece, Cell cell) {
  const size_t row =
      (Index(piece.owner) * 3 + Index(piece.color)) * kPieceTypes + static_cast<size_t>(piece.type);
  return kHash.piece[row][static_cast<size_t>(cell.index())];
}

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_HASH_H_
