// Defines a position of Triumvirate and how moves change it.

#ifndef TRIARCH_CORE_TRIUMVIRATE_POSITION_H_
#define TRIARCH_CORE_TRIUMVIRATE_POSITION_H_

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
#include "core/triumvirate/board.h"
#include "core/triumvirate/move.h"

// Triumvirate: three players, 96 cells, pieces inherited after a mate. Paragraph numbers (§) refer
// to docs/rules/triumvirate.md.
namespace triarch::triumvirate {

class Position {
 public:
  using Move = triumvirate::Move;
  using MoveSets = triarch::MoveSets<Move, CellSet>;

  static constexpr GameInfo kInfo{.name = "triumvirate",
                                  .variant = "Triumvirate",
                                  .notation = "3PF",
                                  .seats = 3,
                                  .seat_names = {"White", "Black", "Red"},
                                  .seat_letters = {'w', 'b', 'r'}};

  Position() = default;  // an empty board, only for assignment

  Seat to_move() const { return to_move_; }
  bool is_in(Seat seat) const { return out_order_[seat] == 0; }
  bool in_check(Seat seat) const;  // false for a seat that is out
  // Returns whether the seat would have a legal move if it were its turn now.
  bool has_legal_move(Seat seat) const;
  MoveList<Move> LegalMoves() const;
  // Replaces `moves` by the legal moves, or by those of the piece on a cell.
  void ListMoves(MoveSets& moves) const;
  void ListMovesFrom(Cell from, MoveSets& moves) const;
  size_t CountLegalMoves() const;
  MoveList<Move> Captures() const;
  // Plays a legal move and passes the turn, including skips, mates and inheritance (§6).
  void Play(Move move);
  // Play, followed by CountLegalMoves or LegalMoves.
  size_t PlayAndCount(Move move);
  void PlayAndList(Move move, MoveList<Move>& moves);
  void PlayAndList(Move move, MoveSets& moves);
  // If the player to move in a position that was set up has no move, judges that player as if the
  // turn had just come (§6.2). Otherwise does nothing.
  void JudgeTurn();
  // Resigns for the seat (§6.5). Requires: the seat is in.
  void Resign(Seat seat);
  bool is_over() const {
    return survivor_count() == 1 || all_stalemated_ || is_material_insufficient();
  }
  std::optional<Outcome> outcome() const {
    if (!is_over()) return std::nullopt;
    return FinalOutcome();
  }
  // Return the placement of an eliminated seat (the last out is best), and how it left the game.
  uint8_t place_if_out(Seat seat) const;
  Termination ending_if_out(Seat seat) const {
    return out_by_mate_[seat] ? Termination::kCheckmate : Termination::kResignation;
  }
  uint64_t key() const { return en_passant_ < 0 ? hash_ : KeyWithEnPassant(); }
  int halfmove_clock() const { return static_cast<int>(halfmove_clock_); }
  int move_number() const { return static_cast<int>(move_number_); }
  // 75 × survivors plies (§6.6).
  std::optional<Termination> clock_draw() const {
    if (halfmove_clock_ < 75 * survivor_count()) return std::nullopt;
    return Termination::kSeventyFiveMoves;
  }
  // §6.6: this ends the game.
  bool is_material_insufficient() const {
    return (of_type(PieceType::kPawn) | of_type(PieceType::kRook) | of_type(PieceType::kQueen))
               .empty() &&
           HasFewMinors();
  }

  static constexpr int kCells = triumvirate::kCells;
  std::optional<Piece> PieceOn(int cell) const { return piece_at(Cell::At(cell)); }

  // The board.
  std::optional<Piece> piece_at(Cell cell) const;
  // These require a piece on the cell.
  PieceType TypeAt(Cell cell) const;
  Seat ColorAt(Cell cell) const;
  Seat OwnerAt(Cell cell) const;
  CellSet occupied() const {
    return owned_[Seat::kFirst] | owned_[Seat::kSecond] | owned_[Seat::kThird];
  }
  CellSet owned_by(Seat owner) const { return owned_[owner]; }
  CellSet colored(Seat color) const { return colored_[color]; }
  CellSet of_type(PieceType type) const { return typed_[static_cast<size_t>(type)]; }
  // Returns the sector towards whose base row the pawn moves (§4). Requires: a pawn on the cell.
  Seat pawn_target(Cell cell) const;
  // Returns the pawns whose target is the sector in which they stand.
  CellSet homeward() const { return homeward_; }
  // Returns whether the pawn's kept target differs from the one that the formula now gives (Ruling
  // 2).
  bool has_kept_target(Cell cell) const;
  bool is_stuck(Cell cell) const;
  // Returns the cell that the last move passed over if it was a double step.
  std::optional<Cell> en_passant() const;
  // Returns whether there is such a cell and the next move can capture there.
  bool HasUsableEnPassant() const;
  // Return the castling rights; short (K) is the side with two cells between king and rook (§5).
  bool can_castle_short(Seat seat) const;
  bool can_castle_long(Seat seat) const;
  // Returns the status letter: a, c, s, m or x (§7).
  char status(Seat seat) const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  friend class PositionBuilder;  // 3PF
  friend class MoveGenerator;

  // Computes the target of a pawn by the formula of §4.
  static Seat FormulaTarget(Seat color, Seat owner, Cell cell);

  // Bookkeeping of the board: each function updates all sets and the hash.
  void Put(Cell cell, Piece piece, bool is_homeward);
  Piece Take(Cell cell);
  void Shift(Cell from, Cell to, Piece piece);
  void FlipHomeward(Cell cell);
  void SetToMove(Seat seat);
  void SetRights(uint8_t rights);
  Cell KingOf(Seat seat) const;

  // Parts of Play and Resign.
  // Plays the move. `sink` gets the legal moves of the player whose turn it becomes.
  template <class Sink>
  void PlayInto(Move move, Sink& sink);
  void MovePiece(Move move);
  void MovePawn(Move move, Piece piece, bool is_capture);
  void Castle(Move move);
  void Eliminate(Seat victim, Seat heir, bool by_mate);
  Seat MateAuthor(Seat victim, Seat mover) const;
  Seat NextIn(Seat seat) const;
  void AdvanceTurn();
  // Judges each survivor that the turn reaches, until one has a move. `sink` gets this one's moves.
  template <class Sink>
  void Judge(Seat mover, Sink& sink);
  size_t survivor_count() const {
    return (is_in(Seat::kFirst) ? 1u : 0u) + (is_in(Seat::kSecond) ? 1u : 0u) +
           (is_in(Seat::kThird) ? 1u : 0u);
  }
  Outcome FinalOutcome() const;
  bool HasFewMinors() const;
  uint64_t KeyWithEnPassant() const;
  uint64_t HashOfBoard() const;

  std::array<CellSet, kPieceTypes> typed_{};
  PerSeat<CellSet> owned_;
  PerSeat<CellSet> colored_;
  CellSet homeward_;   // pawns whose target is the sector in which they stand
  uint64_t hash_ = 0;  // of everything in key() except the en passant target
  uint32_t halfmove_clock_ = 0;
  uint32_t move_number_ = 1;
  PerSeat<uint8_t> out_order_;  // 0 in; 1 first out, 2 second out
  PerSeat<bool> out_by_mate_;   // for seats that are out: status m, otherwise x
  Seat to_move_ = Seat::kFirst;
  uint8_t rights_ = 0;           // bit 2 · seat + (1 for the rook of local column 7)
  int8_t en_passant_ = -1;       // cell index
  bool all_stalemated_ = false;  // no survivor has a move, and none is in check
  bool last_out_by_mate_ = false;
};

static_assert(triarch::Position<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_POSITION_H_
