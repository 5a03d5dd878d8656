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
#include "core/game/move_sets.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/tri_d/board.h"
#include "core/tri_d/move.h"

// Tri-D chess by Meder's tournament rules: two players, seven boards, four of which move. Paragraph
// numbers (§) refer to docs/rules/tri-d.md.
namespace triarch::tri_d {

class Position {
 public:
  using Move = tri_d::Move;
  using MoveSets = triarch::MoveSets<Move, CellSet>;

  static constexpr GameInfo kInfo{.name = "tri-d",
                                  .variant = "Tri-D",
                                  .notation = "TFEN",
                                  .seats = 2,
                                  .seat_names = {"White", "Black", ""},
                                  .seat_letters = {'w', 'b', ' '}};

  Position() = default;  // empty boards, only for assignment

  Seat to_move() const { return to_move_; }
  bool is_in(Seat seat) const { return seat != Seat::kThird && !is_out_[seat]; }
  bool in_check(Seat seat) const;
  MoveList<Move> LegalMoves() const;
  // Replaces `moves` by the legal moves, or by those of the piece on a cell.
  void ListMoves(MoveSets& moves) const;
  void ListMovesFrom(Cell from, MoveSets& moves) const;
  size_t CountLegalMoves() const;
  MoveList<Move> Captures() const;
  // Plays a legal move and passes the turn, except after the promotion of a freed pawn (§4).
  void Play(Move move);
  // Play, followed by CountLegalMoves or LegalMoves.
  size_t PlayAndCount(Move move);
  void PlayAndList(Move move, MoveList<Move>& moves);
  void PlayAndList(Move move, MoveSets& moves);
  // If the player to move in a position that was set up has no move, judges mate or stalemate.
  // Otherwise does nothing.
  void JudgeTurn();
  void Resign(Seat seat);
  bool is_over() const { return is_stalemate_ || is_out_[Seat::kFirst] || is_out_[Seat::kSecond]; }
  std::optional<Outcome> outcome() const;
  uint8_t place_if_out(Seat) const { return 2; }
  Termination ending_if_out(Seat) const {
    return is_mate_ ? Termination::kCheckmate : Termination::kResignation;
  }
  // Returns the hash of everything that counts for repetition (§7).
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
  // Returns the pawns that still have their double step.
  CellSet double_steppers() const { return double_steppers_; }
  // Returns the pawn that has just made a double step, if any.
  std::optional<Cell> en_passant() const;
  // Returns the pawn that the player to move must promote first (§4), if any.
  std::optional<Cell> pending() const;
  // Return the castling rights (§6), K and Q in TFEN.
  bool can_castle_short(Seat seat) const { return (rights_ & RightBit(seat, true)) != 0; }
  bool can_castle_long(Seat seat) const { return (rights_ & RightBit(seat, false)) != 0; }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  friend class TfenReader;
  friend class MoveGenerator;

  static constexpr unsigned RightBit(Seat seat, bool is_short) {
    return 1u << (2 * Index(seat) + (is_short ? 0 : 1));
  }

  // Bookkeeping of the boards: each function updates all sets.
  void Put(Cell cell, Piece piece);
  Piece Take(Cell cell);

  // Plays the move. `sink` gets the legal moves of the player whose turn it becomes.
  template <class Sink>
  void PlayInto(Move move, Sink& sink);
  // Judges the player to move. `sink` gets this player's moves.
  template <class Sink>
  void Judge(Sink& sink);

  // Parts of Play.
  void MovePiece(Move move);
  void CastleWith(Move move);
  void MoveBoard(Move move);
  void SetRights(unsigned rights);
  void SetToMove(Seat seat);
  void SetDoubleSteppers(CellSet pawns);
  void DropRightsAt(CellSet cells);
  // Makes only the move's changes on the boards, to try a move.
  void Apply(Move move);
  // Returns the pawn of `owner` that a board move has freed, if any: it stands unpromoted where it
  // must promote.
  std::optional<Cell> FreedPawn(Seat owner) const;
  // Returns whether the freed pawn on `cell` could promote to a piece that attacks the other
  // player's king. In that case, no board move of that player may free it (§4).
  bool MayAttackKingAt(Cell cell) const;
  uint64_t HashOfBoards() const;

  std::array<CellSet, kPieceTypes> typed_{};
  PerSeat<CellSet> owned_;
  CellSet double_steppers_ = 0;
  uint64_t hash_ = 0;  // of everything in key() except en passant
  Layout layout_;
  uint32_t halfmove_clock_ = 0;
  uint32_t move_number_ = 1;
  Seat to_move_ = Seat::kFirst;
  uint8_t rights_ = 0;      // RightBit
  int8_t en_passant_ = -1;  // cell index
  int8_t pending_ = -1;     // cell index
  PerSeat<bool> is_out_;
  bool is_mate_ = false;  // how the seat that is out lost: by mate, otherwise by resignation
  bool is_stalemate_ = false;
};

static_assert(triarch::Position<Position>);

// The status of a player. kOut means out for any reason except checkmate.
enum class SeatStatus : uint8_t { kActive, kCheck, kStalemate, kCheckmate, kOut };
SeatStatus StatusOf(const Position& position, Seat seat);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_POSITION_H_
