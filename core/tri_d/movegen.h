// Generates the legal moves of a seat.

#ifndef TRIARCH_CORE_TRI_D_MOVEGEN_H_
#define TRIARCH_CORE_TRI_D_MOVEGEN_H_

#include "core/tri_d/attacks.h"
#include "core/tri_d/position.h"

// Legal moves of one seat, by check and pin masks over columns.
//
// Why columns are enough (§3): whether a piece attacks a cell depends on the two columns alone, as
// it may end on any level of a column, and so does what stops it: any piece on any level. So
// - checks and pins are found among columns; a check is answered by taking the checker or by going
//   to any level of a column in between;
// - a piece is pinned only if it is alone in its column and that is the only occupied column
//   between the king and the slider: who leaves a column that holds another piece opens nothing;
// - two sliders in one column are two checks and two pins, so the masks of all checks, and of all
//   pins of one piece, are intersected; "double check: king moves only" would be wrong here, as one
//   piece in between can stop both;
// - an own piece over or under the king's cell shields nothing and blocks nothing.
// Promotions in place and moves of empty boards leave every column as occupied as it was, so they
// neither give nor answer a check on the mover's king. What changes two columns at once or the
// place of a column's pieces (en passant, castling, a board with a passenger) is tried on a copy.
namespace triarch::tri_d {

class MoveGenerator {
 public:
  MoveGenerator(const Position& position, Seat seat);

  bool in_check() const { return is_in_check_; }

  // Gives all legal moves to `sink`, which has
  //   bool Targets(Cell from, CellSet to)      a normal move to each of the cells
  //   bool Promotions(Cell from, CellSet to, MoveKind kind)   four moves to each of the cells
  //   bool One(Move move)
  // and returns true to stop. One that is kCapturesOnly hears at least of captures and promotions.
  template <class Sink>
  void Generate(Sink& sink) const;

  // Whether a capture en passant is legal.
  bool HasEnPassant() const;

 private:
  // The columns of the enemies, by how they attack.
  struct Attackers {
    ColumnSet pawns;
    ColumnSet knights;
    ColumnSet kings;
    ColumnSet rooks;    // and queens
    ColumnSet bishops;  // and queens
  };

  void FindChecksAndPins();
  void AddSlider(Cell slider, Column king_column);
  CellSet AllowedTargets(Cell from) const;
  bool IsAttacked(Column column, ColumnSet occupied) const;
  bool IsLegal(Move move) const;
  bool IsLegalAfter(const Position& next) const;  // the move has been applied
  ColumnSet ColumnsOf(CellSet cells) const { return p_.layout_.ColumnsOf(cells).any; }
  CellSet CellsOf(ColumnSet columns) const { return p_.layout_.CellsOf(columns); }
  Column ColumnOf(Cell cell) const { return p_.layout_.ColumnOf(cell); }
  CellSet typed(PieceType type) const { return p_.typed_[static_cast<size_t>(type)]; }

  template <class Sink>
  bool GenerateFreed(Sink& sink) const;
  template <class Sink>
  bool GeneratePieces(Sink& sink) const;
  template <class Sink>
  bool GeneratePawns(Sink& sink) const;
  template <class Sink>
  bool GenerateEnPassant(Sink& sink) const;
  template <class Sink>
  bool GenerateKing(Sink& sink) const;
  template <class Sink>
  bool GenerateCastling(Sink& sink) const;
  template <class Sink>
  bool GenerateBoards(Sink& sink) const;
  template <class Sink>
  bool GenerateBoard(Sink& sink, int board, Pin pin) const;

  const Position& p_;
  const Seat seat_;
  const CellSet own_;
  const CellSet occupied_;
  const CellSet enemies_;
  const Cell king_;
  const Layout::Columns columns_;  // occupied
  const Attackers attackers_;
  CellSet targets_ = 0;  // where anything but the king may go: check mask, no own piece
  CellSet pinned_ = 0;   // own pieces that may not leave a line
  CellSet pinners_ = 0;  // what pins them
  bool is_in_check_ = false;
};

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_MOVEGEN_H_
