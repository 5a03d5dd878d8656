// Defines the pieces and moves of Three-Way Chess.

#ifndef TRIARCH_CORE_THREE_WAY_MOVE_H_
#define TRIARCH_CORE_THREE_WAY_MOVE_H_

#include <cstdint>
#include <string_view>

#include "core/game/piece.h"
#include "core/three_way/board.h"

namespace triarch::three_way {

// The letters of HexFEN.
inline constexpr std::string_view kTypeLetters = "pnbrqk";  // by PieceType
inline constexpr std::string_view kTurnLetters = "WGB";     // by Seat

// A piece. Its owner never changes.
struct Piece {
  PieceType type = PieceType::kPawn;
  Seat owner = Seat::kFirst;

  friend constexpr bool operator==(const Piece&, const Piece&) = default;
};

// The special effect of a move, if any, apart from promotion.
enum class MoveKind : uint8_t { kNormal, kDoublePush, kEnPassant, kCastling };

// A move in 19 bits: 0..6 from, 7..13 to, 14..15 kind, 16..18 promotion piece. Castling is stored
// as the king's move. A capture en passant may also be a promotion.
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
  // Returns the piece to which the pawn promotes; kPawn for any other move.
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits_ >> 16) & 7); }

  // Returns whether a picture of the last move marks the cell.
  constexpr bool marks(Cell cell) const { return cell == from() || cell == to(); }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  uint32_t bits_ = 0;
};

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_MOVE_H_
