// Generates the legal moves of a seat with check and pin masks.

#ifndef TRIARCH_CORE_THREE_WAY_MOVEGEN_H_
#define TRIARCH_CORE_THREE_WAY_MOVEGEN_H_

#include <cstddef>

#include "core/three_way/attacks.h"
#include "core/three_way/position.h"

// Why the masks are correct in this game (§5):
// - A move is legal if no piece of either opponent attacks the seat's king afterwards, so the two
//   armies form one set of attackers. The attacks of a piece depend only on its type and, for a
//   pawn, on its owner.
// - No two cells share two lines, so a sliding attacker reaches the king along one sequence of
//   cells, Between(king, attacker). The hexagons that a bishop hops between never matter. All these
//   sequences begin at the king, so a friendly piece is on at most one: it is pinned at most once,
//   and no piece can block two checks.
// - A king is captured like any other piece, because its army still counts as standing when
//   legality is decided (Ruling 6). The masks can ignore that the army vanishes: this makes a
//   move neither legal (a check that ends only because the checker vanishes still counts) nor
//   illegal (a shield that vanishes still shields). Position::Play removes the army.
// - Kings that were left in check by other players are not a special case: the opponents' kings are
//   targets like their other pieces, and the check masks do not depend on who opened the line.
// - The king's own moves are tested against the attackers with the king removed from the board. A
//   capture en passant, which empties two cells, is tested as a whole.
namespace triarch::three_way {

class MoveGenerator {
 public:
  // Generates only the moves of pieces on the cells `from`.
  MoveGenerator(const Position& position, Seat seat, CellSet from = ~CellSet());

  bool in_check() const { return is_in_check_; }

  // Passes all legal moves to `sink`, whose functions return true to stop:
  //   bool Targets(Cell from, CellSet to)                       a normal move to each of the cells
  //   bool Promotions(Cell from, CellSet to, MoveKind kind)     four moves to each of the cells
  //   bool One(Move move)
  // A sink with kCapturesOnly gets at least the captures and promotions.
  template <class Sink>
  void Generate(Sink& sink) const;

 private:
  // Pieces by how they attack.
  struct Attackers {
    CellSet knights;
    CellSet kings;
    CellSet next_pawns;      // of the next seat
    CellSet previous_pawns;  // of the previous seat
    CellSet rooks;           // and queens
    CellSet bishops;         // and queens
  };

  void FindChecksAndPins();
  // Returns where the piece on the cell may go with regard to checks and pins.
  CellSet AllowedTargets(Cell from) const {
    return pinned_.contains(from) ? PinnedTargets(from) : targets_;
  }
  CellSet PinnedTargets(Cell from) const;
  CellSet LeapersTo(Cell cell, const Attackers& attackers) const;
  bool IsAttackedAlongLine(Cell cell, CellSet occupied, const Attackers& attackers) const;
  bool IsAttacked(Cell cell, CellSet occupied, const Attackers& attackers) const;
  Attackers AttackersAmong(CellSet pieces) const;
  CellSet SafeSteps(CellSet steps) const;
  size_t CountHomePawnMoves(CellSet pawns) const;

  template <class Sink>
  bool GeneratePieces(Sink& sink) const;
  template <class Sink>
  bool GeneratePawns(Sink& sink) const;
  template <class Sink>
  bool GenerateEnPassant(Sink& sink) const;
  template <class Sink>
  bool GenerateEnPassantOf(Sink& sink, Seat pusher) const;
  template <class Sink>
  bool GenerateKing(Sink& sink) const;
  template <class Sink>
  bool GenerateCastling(Sink& sink) const;

  CellSet typed(PieceType type) const { return p_.typed_[static_cast<size_t>(type)]; }

  const Position& p_;
  const Seat seat_;
  const CellSet own_;
  const CellSet movers_;  // the friendly pieces whose moves are generated
  const CellSet occupied_;
  const CellSet enemies_;
  const Cell king_;
  const Attackers attackers_;  // the enemies
  CellSet targets_;            // of all pieces but the king: in the check mask, no friendly piece
  CellSet pinned_;             // friendly pieces that must not leave a line
  CellSet pinners_;            // the pieces that pin them
  bool is_in_check_ = false;
};

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_MOVEGEN_H_
