// Defines a position of Three-Way Chess and how moves change it.

#ifndef TRIARCH_CORE_THREE_WAY_POSITION_H_
#define TRIARCH_CORE_THREE_WAY_POSITION_H_

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
#include "core/three_way/board.h"
#include "core/three_way/move.h"

// Three-Way Chess (Varga): three players, 96 hexagons, kings that can be captured. Paragraph
// numbers (§) refer to docs/rules/three-way.md.
namespace triarch::three_way {

class Position {
 public:
  using Move = three_way::Move;
  using MoveSets = triarch::MoveSets<Move, CellSet>;

  static constexpr GameInfo kInfo{.name = "three-way",
                                  .variant = "Three-Way",
                                  .notation = "HexFEN",
                                  .seats = 3,
                                  .seat_names = {"White", "Gray", "Black"},
                                  .seat_letters = {'w', 'g', 'b'},
                                  .has_material_option = true};

  Position() = default;  // an empty board, only for assignment

  Seat to_move() const { return to_move_; }
  bool is_in(Seat seat) const { return out_order_[seat] == 0; }
  bool in_check(Seat seat) const;  // false for a seat that is out
  MoveList<Move> LegalMoves() const;
  // Replaces `moves` by the legal moves, or by those of the piece on a cell.
  void ListMoves(MoveSets& moves) const;
  void ListMovesFrom(Cell from, MoveSets& moves) const;
  size_t CountLegalMoves() const;
  MoveList<Move> Captures() const;
  // Plays a legal move and passes the turn (§5).
  void Play(Move move);
  // Play, followed by CountLegalMoves or LegalMoves.
  size_t PlayAndCount(Move move);
  void PlayAndList(Move move, MoveList<Move>& moves);
  void PlayAndList(Move move, MoveSets& moves);
  // If the player to move in a position that was set up has no move, judges that player as if the
  // turn had just come (§5.4). Otherwise does nothing.
  void JudgeTurn();
  // Resigns for the seat (§5.9). Requires: the seat is in.
  void Resign(Seat seat);
  bool is_over() const {
    return is_stalemate_ || halfmove_clock_ >= kClockLimit || survivor_count() == 1;
  }
  std::optional<Outcome> outcome() const;
  // Return the placement of an eliminated seat (the last out is best), and how it left the game.
  uint8_t place_if_out(Seat seat) const;
  Termination ending_if_out(Seat seat) const { return endings_[seat]; }
  uint64_t key() const { return hash_; }
  // Returns the third-move clock (§5.5).
  int halfmove_clock() const { return static_cast<int>(halfmove_clock_); }
  int move_number() const { return static_cast<int>(move_number_); }
  std::optional<Termination> clock_draw() const { return std::nullopt; }  // §5.5: needs no claim
  bool is_material_insufficient() const;                                  // §5.7

  static constexpr int kCells = three_way::kCells;
  std::optional<Piece> PieceOn(int cell) const { return piece_at(Cell::At(cell)); }

  // The board.
  std::optional<Piece> piece_at(Cell cell) const;
  // These require a piece on the cell.
  PieceType TypeAt(Cell cell) const;
  Seat OwnerAt(Cell cell) const;
  CellSet occupied() const {
    return owned_[Seat::kFirst] | owned_[Seat::kSecond] | owned_[Seat::kThird];
  }
  CellSet owned_by(Seat owner) const { return owned_[owner]; }
  CellSet of_type(PieceType type) const { return typed_[static_cast<size_t>(type)]; }
  // Returns the cell that the seat's last double push passed over, until the seat moves again (§3).
  std::optional<Cell> en_passant(Seat seat) const;
  bool can_castle_king_side(Seat seat) const { return (rights_ & RightBit(seat, 7)) != 0; }
  bool can_castle_queen_side(Seat seat) const { return (rights_ & RightBit(seat, 0)) != 0; }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  friend class HexFenReader;
  friend class MoveGenerator;

  static constexpr uint32_t kClockLimit = 100;  // §5.5

  // Returns the bit of the castling right of the rook that starts on `column`, 0 or 7.
  static constexpr unsigned RightBit(Seat seat, int column) {
    return 1u << (2 * Index(seat) + (column == 0 ? 0 : 1));
  }
  static unsigned RightsOfCorner(Cell cell);

  // Bookkeeping of the board: each function updates all sets and the hash.
  void Put(Cell cell, Piece piece);
  Piece Take(Cell cell);
  void Shift(Cell from, Cell to, Piece piece);
  void SetToMove(Seat seat);
  void SetRights(unsigned rights);
  void SetEnPassant(Seat seat, int cell);
  Cell KingOf(Seat seat) const;

  // Plays the move. `sink` gets the legal moves of the player whose turn it becomes.
  template <class Sink>
  void PlayInto(Move move, Sink& sink);
  // Passes the turn until a player has a move. `sink` gets this player's moves.
  template <class Sink>
  void Judge(Sink& sink);

  // Parts of Play and Resign.
  void MovePiece(Move move);
  void MovePawn(Move move, Piece pawn);
  void Castle(Move move);
  void Eliminate(Seat victim, Termination ending);
  Seat NextIn(Seat seat) const;
  void AdvanceTurn();
  size_t survivor_count() const {
    return (is_in(Seat::kFirst) ? 1u : 0u) + (is_in(Seat::kSecond) ? 1u : 0u) +
           (is_in(Seat::kThird) ? 1u : 0u);
  }
  uint64_t HashOfBoard() const;

  std::array<CellSet, kPieceTypes> typed_{};
  PerSeat<CellSet> owned_;
  uint64_t hash_ = 0;
  uint32_t halfmove_clock_ = 0;
  uint32_t move_number_ = 1;
  PerSeat<uint8_t> out_order_;                // 0 in; 1 first out, 2 second out
  PerSeat<Termination> endings_;              // for seats that are out
  PerSeat<int8_t> en_passant_{{-1, -1, -1}};  // cell index
  Seat to_move_ = Seat::kFirst;
  uint8_t rights_ = 0;         // RightBit
  bool is_stalemate_ = false;  // passing the turn (§5.4) ended in a draw
};

static_assert(triarch::Position<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_POSITION_H_
