// Defines a position of Tri-D chess and how moves change it.

#ifndef TRIARCH_CORE_TRI_D_POSITION_H_
#define TRIARCH_CORE_TRI_D_POSITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/tri_d/board.h"
#include "core/tri_d/move.h"

// Tri-D chess by Meder's tournament rules: two players, seven boards, four of which move. The
// paragraphs are those of docs/rules/tri-d.md.
namespace triarch::tri_d {

class Position {
 public:
  using Move = tri_d::Move;

  static constexpr GameInfo kInfo{.name = "tri-d",
                                  .variant = "Tri-D",
                                  .notation = "TFEN",
                                  .seats = 2,
                                  .seat_names = {"White", "Black", ""},
                                  .seat_letters = {'w', 'b', ' '}};

  Position() = default;  // empty boards: only to be assigned to

  Seat to_move() const { return to_move_; }
  bool is_in(Seat seat) const { return seat != Seat::kThird && !is_out_[seat]; }
  bool in_check(Seat seat) const;
  MoveList<Move> LegalMoves() const;
  size_t CountLegalMoves() const;
  MoveList<Move> Captures() const;
  // Plays a legal move and passes the turn, unless it is the promotion of a freed pawn (§4).
  void Play(Move move);
  // For a position that was given with the player on turn without a move: mate or stalemate.
  void JudgeTurn();
  void Resign(Seat seat);
  bool is_over() const { return is_stalemate_ || is_out_[Seat::kFirst] || is_out_[Seat::kSecond]; }
  std::optional<Outcome> outcome() const;
  uint8_t place_if_out(Seat) const { return 2; }
  Termination ending_if_out(Seat) const {
    return is_mate_ ? Termination::kCheckmate : Termination::kResignation;
  }
  // Of everything that counts for repetition (§7).
  uint64_t key() const;
  int halfmove_clock() const { return static_cast<int>(halfmove_clock_); }
  int move_number() const { return static_cast<int>(move_number_); }
  std::optional<Termination> clock_draw() const;  // fifty moves by each side (§7)
  bool is_material_insufficient() const;          // only kings: a dead position (§7)

  static constexpr int kCells = tri_d::kCells;
  std::optional<Piece> PieceOn(int cell) const { return piece_at(Cell::At(cell)); }

  // The boards.
  const Layout& layout() const { return layout_; }
  std::optional<Piece> piece_at(Cell cell) const;
  PieceType TypeAt(Cell cell) const;  // requires a piece on the cell
  Cell KingOf(Seat seat) const;
  CellSet occupied() const { return owned_[Seat::kFirst] | owned_[Seat::kSecond]; }
  CellSet owned_by(Seat owner) const { return owned_[owner]; }
  CellSet of_type(PieceType type) const { return typed_[static_cast<size_t>(type)]; }
  // Pawns that still have their double step.
  CellSet double_steppers() const { return double_steppers_; }
  // The pawn that has just made a double step.
  std::optional<Cell> en_passant() const;
  // The pawn that the player on turn must promote first (§4).
  std::optional<Cell> pending() const;
  // §6; K and Q of TFEN.
  bool can_castle_short(Seat seat) const { return (rights_ & RightBit(seat, true)) != 0; }
  bool can_castle_long(Seat seat) const { return (rights_ & RightBit(seat, false)) != 0; }
  // The columns on which the seat's pawns promote now, whether they have cells or not (§4).
  ColumnSet PromotionColumns(Seat seat) const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  friend class TfenReader;
  friend class MoveGenerator;

  static constexpr unsigned RightBit(Seat seat, bool is_short) {
    return 1u << (2 * Index(seat) + (is_short ? 0 : 1));
  }

  // The board's bookkeeping: each keeps all sets in step.
  void Put(Cell cell, Piece piece);
  Piece Take(Cell cell);

  // The parts of Play.
  void MovePiece(Move move);
  void CastleWith(Move move);
  void MoveBoard(Move move);
  void SetRights(unsigned rights);
  void SetToMove(Seat seat);
  void SetDoubleSteppers(CellSet pawns);
  void DropRightsAt(CellSet cells);
  // Does the move's changes on the boards and nothing else: for trying a move.
  void Apply(Move move);
  void Judge();
  // The pawn of `owner` that stands unpromoted where it would have to promote, if any: freed by a
  // board move.
  std::optional<Cell> FreedPawn(Seat owner) const;
  // Whether some promotion of the freed pawn on `cell` would attack the king of the other player,
  // so that no board move of that player's can have freed it (§4).
  bool MayAttackKingAt(Cell cell) const;
  uint64_t HashOfBoards() const;

  std::array<CellSet, kPieceTypes> typed_{};
  PerSeat<CellSet> owned_;
  CellSet double_steppers_ = 0;
  uint64_t hash_ = 0;  // of everything that key() counts but en passant
  Layout layout_;
  uint32_t halfmove_clock_ = 0;
  uint32_t move_number_ = 1;
  Seat to_move_ = Seat::kFirst;
  uint8_t rights_ = 0;      // RightBit
  int8_t en_passant_ = -1;  // cell index
  int8_t pending_ = -1;     // cell index
  PerSeat<bool> is_out_;
  bool is_mate_ = false;  // of the one who is out; else a resignation
  bool is_stalemate_ = false;
};

static_assert(triarch::Position<Position>);

// How a player stands: out by checkmate or otherwise, the one stalemated, or in check, or none of
// it.
enum class SeatStatus : uint8_t { kActive, kCheck, kStalemate, kCheckmate, kOut };
SeatStatus StatusOf(const Position& position, Seat seat);

inline std::string SeatName(Seat seat) {
  return std::string(Position::kInfo.seat_names[Index(seat)]);
}

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_POSITION_H_
