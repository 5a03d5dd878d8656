// Defines the bytes and indices of self-play data that all games share.

#ifndef TRIARCH_CORE_GAME_SAMPLE_H_
#define TRIARCH_CORE_GAME_SAMPLE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/game/piece.h"
#include "core/game/seat.h"

// Positions as bytes and moves as indices of self-play data (docs/selfplay-data.md): the common
// part of the games' own sample.h. Each of those specialises SampleShape and declares, in the
// namespace of its game, two functions that templates call unqualified:
//   constexpr int PolicyIndex(Move move)   returns 0..kPolicySize-1; no two legal moves of a
//                                          position share an index
//   void PackPosition(const Position& position, uint8_t* cells, uint8_t* state)
//                                          writes kSampleCells bytes and kSampleState bytes
namespace triarch {

// The number of cell bytes and of policy indices of a Position P.
//   static constexpr int kCells, kPolicySize;
template <class P>
struct SampleShape;

// Limits for every game. A game's list of moves records a leaving seat as 0xff00 + seat, so policy
// indices stay below that.
inline constexpr int kSampleCellsMax = 96;
inline constexpr int kPolicySizeMax = 65000;

// The layout of `state`, the same for all games. Bytes that do not apply to a game are 0.
inline constexpr size_t kSampleState = 16;
inline constexpr size_t kStateToMove = 0;     // seat
inline constexpr size_t kStateOut = 1;        // 1..3, by seat: 0 in, 1 first out, 2 second out
inline constexpr size_t kStateRights = 4;     // bit 2 · seat: short castling; next bit: long
inline constexpr size_t kStateEnPassant = 5;  // 5..7: a cell or kNoCell
inline constexpr size_t kStateClock = 8;      // halfmove clock; 255 means 255 or more
inline constexpr size_t kStatePins = 9;       // 9..12: Tri-D: the pin of each attack board
inline constexpr size_t kStatePending = 13;   // Tri-D: the cell of the pawn to promote, or kNoCell
inline constexpr uint8_t kNoCell = 255;

// Writes the state bytes that every game has, and sets the others to 0.
template <class P>
void PackCommonState(const P& position, uint8_t* state) {
  std::memset(state, 0, kSampleState);
  state[kStateToMove] = static_cast<uint8_t>(Index(position.to_move()));
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (position.is_in(seat)) continue;
    state[kStateOut + i] = static_cast<uint8_t>(P::kInfo.seats + 1 - position.place_if_out(seat));
  }
  state[kStateClock] = static_cast<uint8_t>(std::min(position.halfmove_clock(), 255));
}

// 64 cell bytes as bit planes: bit c of plane b is bit b of the byte of cell c.
using CellPlanes = std::array<uint64_t, 8>;
inline constexpr size_t kOwnerPlane = 3;  // planes 3 and 4
inline constexpr size_t kColorPlane = 5;  // planes 5 and 6
inline constexpr size_t kFlagPlane = 7;

// Sets planes 0 to 2 to the piece type, 1 to 6. `of_type(PieceType)` returns the cells of a type.
template <class F>
void SetTypePlanes(F of_type, CellPlanes& planes) {
  const uint64_t bishops = of_type(PieceType::kBishop);
  const uint64_t queens = of_type(PieceType::kQueen);
  const uint64_t kings = of_type(PieceType::kKing);
  planes[0] = of_type(PieceType::kPawn) | bishops | queens;
  planes[1] = of_type(PieceType::kKnight) | bishops | kings;
  planes[2] = of_type(PieceType::kRook) | queens | kings;
}

// Transposes an 8 × 8 bit matrix: byte b of the result has bit c if byte c of `rows` has bit b.
constexpr uint64_t Transposed(uint64_t rows) {
  uint64_t swapped = (rows ^ (rows >> 7)) & 0x00aa00aa00aa00aau;
  rows ^= swapped ^ (swapped << 7);
  swapped = (rows ^ (rows >> 14)) & 0x0000cccc0000ccccu;
  rows ^= swapped ^ (swapped << 14);
  swapped = (rows ^ (rows >> 28)) & 0x00000000f0f0f0f0u;
  return rows ^ swapped ^ (swapped << 28);
}

// Writes the bytes of the first `count` cells. Requires: `count` is a multiple of 8, at most 64.
inline void WritePlanes(const CellPlanes& planes, size_t count, uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  for (size_t first = 0; first < count; first += 8) {
    uint64_t rows = 0;
    for (size_t b = 0; b < 8; ++b) rows |= ((planes[b] >> first) & 0xff) << (8 * b);
    rows = Transposed(rows);
    std::memcpy(bytes + first, &rows, 8);
  }
}

// Returns the first part of a policy index: 0 for no promotion (kPawn) or a promotion to queen, 1
// to rook, 2 to bishop, 3 to knight.
constexpr int PromotionKind(PieceType promotion) { return (4 - static_cast<int>(promotion)) & 3; }
inline constexpr int kPromotionKinds = 4;
static_assert(PromotionKind(PieceType::kPawn) == 0 && PromotionKind(PieceType::kQueen) == 0 &&
              PromotionKind(PieceType::kRook) == 1 && PromotionKind(PieceType::kBishop) == 2 &&
              PromotionKind(PieceType::kKnight) == 3);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_SAMPLE_H_
