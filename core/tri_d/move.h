// Defines the pieces and moves of Tri-D chess.

#ifndef TRIARCH_CORE_TRI_D_MOVE_H_
#define TRIARCH_CORE_TRI_D_MOVE_H_

#include <cstdint>
#include <string_view>

#include "core/game/piece.h"
#include "core/tri_d/board.h"

namespace triarch::tri_d {

constexpr Seat Other(Seat seat) { return seat == Seat::kFirst ? Seat::kSecond : Seat::kFirst; }

struct Piece {
  PieceType type = PieceType::kPawn;
  Seat owner = Seat::kFirst;

  friend constexpr bool operator==(const Piece&, const Piece&) = default;
};

enum class MoveKind : uint8_t {
  kNormal,
  kDoubleStep,
  kEnPassant,
  kCastleShort,  // 0-0
  kCastleLong,   // 0-0-0
  kBoard,        // an attack board moves to another pin
  kFreed,        // promotes a pawn that the opponent's board move has freed (§4)
};

// A move in 18 bits: 0..5 from or attack board, 6..11 to or pin, 12..14 kind, 15..17 promotion
// piece. Castling is stored as the king's move. The promotion of a freed pawn has the pawn's cell
// as `from` and `to`.
class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Cell from, Cell to, MoveKind kind = MoveKind::kNormal,
                 PieceType promotion = PieceType::kPawn)
      : Move(from.index(), to.index(), kind, promotion) {}
  static constexpr Move OfBoard(int board, Pin pin, PieceType promotion = PieceType::kPawn) {
    return Move(board, pin.index(), MoveKind::kBoard, promotion);
  }

  constexpr MoveKind kind() const { return static_cast<MoveKind>((bits_ >> 12) & 7); }
  // Returns the piece to which a moving, carried or freed pawn promotes; kPawn for none.
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits_ >> 15) & 7); }
  // Require: the kind is not kBoard.
  constexpr Cell from() const { return Cell::At(static_cast<int>(bits_ & 63)); }
  constexpr Cell to() const { return Cell::At(static_cast<int>((bits_ >> 6) & 63)); }
  // Require: the kind is kBoard.
  constexpr int board() const { return static_cast<int>(bits_ & 63); }
  constexpr Pin pin() const { return Pin::At(static_cast<int>((bits_ >> 6) & 63)); }

  // Returns whether a picture of the last move marks the cell: of a board move, all its cells.
  constexpr bool marks(Cell cell) const {
    if (kind() == MoveKind::kBoard) return !cell.is_main() && cell.attack_board() == board();
    return cell == from() || cell == to();
  }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  constexpr Move(int from, int to, MoveKind kind, PieceType promotion)
      : bits_(static_cast<uint32_t>(from) | static_cast<uint32_t>(to) << 6 |
              static_cast<uint32_t>(kind) << 12 | static_cast<uint32_t>(promotion) << 15) {}

  uint32_t bits_ = 0;
};

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_MOVE_H_
