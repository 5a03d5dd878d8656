// Defines the pieces and moves of Triumvirate.

#ifndef TRIARCH_CORE_TRIUMVIRATE_MOVE_H_
#define TRIARCH_CORE_TRIUMVIRATE_MOVE_H_

#include <cstdint>
#include <string_view>

#include "core/game/piece.h"
#include "core/triumvirate/board.h"

namespace triarch::triumvirate {

inline constexpr std::string_view kSeatLetters = "wbr";  // by Seat, as in 3PF

// A piece. Its colour never changes. Its owner moves it; inheritance can change the owner (§3).
struct Piece {
  PieceType type = PieceType::kPawn;
  Seat color = Seat::kFirst;
  Seat owner = Seat::kFirst;

  friend constexpr bool operator==(const Piece&, const Piece&) = default;
};

// The special effect of a move, if any.
enum class MoveKind : uint8_t { kNormal, kDoublePush, kEnPassant, kCastling, kPromotion };

// A move in 20 bits: 0..6 from, 7..13 to, 14..16 kind, 17..19 promotion piece. Castling is stored
// as the king's move.
class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Cell from, Cell to, MoveKind kind = MoveKind::kNormal,
                 PieceType promotion = PieceType::kPawn)
      : bits_(static_cast<uint32_t>(from.index()) | static_cast<uint32_t>(to.index()) << 7 |
              static_cast<uint32_t>(kind) << 14 | static_cast<uint32_t>(promotion) << 17) {}

  constexpr Cell from() const { return Cell::At(static_cast<int>(bits_ & 127)); }
  constexpr Cell to() const { return Cell::At(static_cast<int>((bits_ >> 7) & 127)); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>((bits_ >> 14) & 7); }
  // Returns the piece to which the pawn promotes; kPawn for any other move.
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits_ >> 17) & 7); }

  // Returns whether a picture of the last move marks the cell.
  constexpr bool marks(Cell cell) const { return cell == from() || cell == to(); }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  uint32_t bits_ = 0;
};

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_MOVE_H_
