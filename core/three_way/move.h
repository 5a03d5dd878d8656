// Defines pieces and moves.

#ifndef TRIARCH_CORE_THREE_WAY_MOVE_H_
#define TRIARCH_CORE_THREE_WAY_MOVE_H_

#include <cstdint>

#include "core/game/piece.h"
#include "core/three_way/board.h"

namespace triarch::three_way {

// A piece; its colour is its owner's for life.
struct Piece {
  PieceType type = PieceType::kPawn;
  Seat owner = Seat::kFirst;

  friend constexpr bool operator==(const Piece&, const Piece&) = default;
};

// What a move does beside going from one cell to another (and promoting).
enum class MoveKind : uint8_t { kNormal, kDoublePush, kEnPassant, kCastling };

// 0..6 from, 7..13 to, 14..15 kind, 16..18 the promotion's piece. Castling is the king's move. A
// capture en passant may be a promotion too.
class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Cell from, Cell to, MoveKind kind = MoveKind::kNormal,
                 PieceType promotion = PieceType::kPawn)
      : bits_(static_cast<uint32_t>(from.index()) | static_cast<uint32_t>(to.index()) << 7 |
              static_cast<uint32_t>(kind) << 14 | static_cast<uint32_t>(promotion) << 16) {}

  constexpr Cell from() const { return Cell::At(static_cast<int>(bits_ & 127)); }
  constexpr Cell to() const { return Cell::At(static_cast<int>((bits_ >> 7) & 127)); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>((bits_ >> 14) & 3); }
  // The piece that a pawn becomes; kPawn for any other move.
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits_ >> 16) & 7); }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  uint32_t bits_ = 0;
};

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_MOVE_H_
