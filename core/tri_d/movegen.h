// Generates the legal moves of a seat with check and pin masks over columns.

#ifndef TRIARCH_CORE_TRI_D_MOVEGEN_H_
#define TRIARCH_CORE_TRI_D_MOVEGEN_H_

#include "core/tri_d/attacks.h"
#include "core/tri_d/cell_map.h"
#include "core/tri_d/position.h"

// Why columns are enough (§3): a piece may end on any level of a column, and a piece on any level
// blocks a line. So whether a piece attacks a cell depends only on columns:
// - Checks and pins are found among columns. A check is answered by capturing the checker or by
//   moving to any level of a column in between.
// - A piece is pinned only if it is alone in its column and this is the only occupied column
//   between the king and the slider. Leaving a column that holds another piece opens no line.
// - Two sliders in one column are two checks and two pins. The masks of all checks, and of all pins
//   of one piece, are therefore intersected; "double check: king moves only" would be wrong,
//   because one piece in between can block both.
// - A friendly piece above or below the king's cell neither shields nor blocks anything.
// Promotions in place and moves of empty boards do not change which columns are occupied, so they
// neither expose the mover's king to check nor answer one. A board with a passenger changes two
// columns and moves no enemy piece; whether it exposes the king is seen from the columns occupied
// afterwards. En passant, which changes three, is tried on a copy.
namespace triarch::tri_d {

class MoveGenerator {
 public:
  static constexpr CellSet kAllCells = ~CellSet{0};

  // Generates only the moves of pieces on the cells `from`; board moves only without that limit.
  MoveGenerator(const Position& position, Seat seat, CellSet from = kAllCells);

  bool in_check() const { return is_in_check_; }

  // Passes all legal moves to `sink`, whose functions return true to stop:
  //   bool Targets(Cell from, CellSet to)      a normal move to each of the cells
  //   bool Promotions(Cell from, CellSet to, MoveKind kind)   four moves to each of the cells
  //   bool One(Move move)
  // A sink with kCapturesOnly gets at least the captures and promotions.
  template <class Sink>
  void Generate(Sink& sink);

  // Returns whether a capture en passant is legal.
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

  struct AfterBoardMove {
    ColumnSet occupied;
    Column king;  // of the mover
  };

  void FindChecksAndPins();
  void AddLeapers();
  void AddSliders(Column column, ColumnSet between);
  CellSet TargetsOfPinned(Cell from) const;
  CellSet AllowedTargets(Cell from) const {
    return is_pinned(from) ? TargetsOfPinned(from) : targets_;
  }
  ColumnSet AttackedColumns() const;
  bool IsAttacked(Column column, ColumnSet occupied) const;
  unsigned MovableBoards() const;
  AfterBoardMove MoveBoard(CellSet passenger, Pin pin) const;
  bool ExposesKing(CellSet passenger, Pin pin) const;
  bool IsLegal(Move move) const;
  ColumnSet ColumnsOf(CellSet cells) const { return map_.ColumnsOf(cells); }
  CellSet CellsOf(ColumnSet columns) const { return map_.CellsOf(columns); }
  Column ColumnOf(Cell cell) const { return map_.ColumnOf(cell); }
  bool is_pinned(Cell cell) const { return (pinned_ & CellBit(cell)) != 0; }
  CellSet typed(PieceType type) const { return p_.typed_[static_cast<size_t>(type)]; }

  // Passes the targets of a piece other than a pawn or the king, which reaches those columns.
  template <class Sink>
  bool PassTargets(Sink& sink, Cell from, ColumnSet columns) const;
  // Counts the moves of pawns that are not pinned while the king is not in check.
  size_t CountPawnMoves(CellSet pawns) const;

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
  bool GeneratePawnBoard(Sink& sink, int board, Pin pin) const;

  const Position& p_;
  const Seat seat_;
  const CellSet own_;
  const CellSet movers_;  // the friendly pieces whose moves are generated
  const bool moves_boards_;
  const CellSet occupied_;
  const CellSet enemies_;
  const Cell king_;
  const CellMap map_;
  const Levels occupied_levels_;
  const Column k_;           // the king's
  const ColumnSet any_;      // occupied
  const ColumnSet several_;  // by several pieces
  const Attackers attackers_;
  const ColumnSet attacked_;  // by the enemy, through the king
  const bool is_in_check_;
  Levels open_levels_;   // all cells but the friendly pieces'; set only to count moves
  CellSet targets_ = 0;  // of all pieces but the king: in the check mask, no friendly piece
  CellSet pinned_ = 0;   // friendly pieces that must not leave a line
  CellSet pinners_ = 0;  // the pieces that pin them
};

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_MOVEGEN_H_
