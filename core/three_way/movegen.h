// Generates the legal moves of a seat.

#ifndef TRIARCH_CORE_THREE_WAY_MOVEGEN_H_
#define TRIARCH_CORE_THREE_WAY_MOVEGEN_H_

#include <cstddef>

#include "core/three_way/attacks.h"
#include "core/three_way/position.h"

// Legal moves of one seat, by check and pin masks.
//
// Why the masks are right here (§5):
// - A move is legal if no piece of either opponent attacks the seat's king afterwards, so the two
//   armies are one set of attackers; what a piece attacks depends on its kind alone, a pawn's on
//   its owner too.
// - No two cells share two lines, so a sliding attacker reaches the king along one sequence of
//   cells, Between(king, attacker); what lies between the cells of a bishop's line never matters.
//   An own piece lies on one such sequence at most, as they all begin at the king: it is pinned
//   once, and nothing stops two checks at once.
// - A king is captured like any other piece, because the captured army still counts as standing
//   (Ruling 6). So the vanishing of an army never makes a move legal (the check that only goes
//   away with the checker's army is still there) nor illegal (a shield that vanishes is still a
//   shield), and the masks need not know of it. It is Position::Play that takes the army off.
// - Kings that other players have left in check are no special case either: the opponents' kings
//   are targets like their other pieces, and the own king's check masks do not ask who opened the
//   line.
// - The king's own moves are tried against the attackers with the king taken off the board, and a
//   capture en passant, which empties two cells, is tried as a whole.
namespace triarch::three_way {

class MoveGenerator {
 public:
  MoveGenerator(const Position& position, Seat seat);

  bool in_check() const { return is_in_check_; }

  // Gives all legal moves to `sink`, which has
  //   bool Targets(Cell from, CellSet to)                       a normal move to each of the cells
  //   bool Promotions(Cell from, CellSet to, MoveKind kind)     four moves to each of the cells
  //   bool One(Move move)
  // and returns true to stop. One that is kCapturesOnly hears at least of captures and promotions.
  template <class Sink>
  void Generate(Sink& sink) const;

 private:
  // Pieces by how they attack.
  struct Attackers {
    CellSet knights;
    CellSet kings;
    CellSet next_pawns;      // of the seat after this one
    CellSet previous_pawns;  // of the seat before it
    CellSet rooks;           // and queens
    CellSet bishops;         // and queens
  };

  void FindChecksAndPins();
  CellSet AllowedTargets(Cell from) const;
  CellSet LeapersTo(Cell cell, const Attackers& attackers) const;
  bool IsAttacked(Cell cell, CellSet occupied, const Attackers& attackers) const;
  Attackers AttackersAmong(CellSet pieces) const;

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
  const CellSet occupied_;
  const CellSet enemies_;
  const Cell king_;
  const Attackers attackers_;  // the enemies
  CellSet targets_;            // where anything but the king may go: check mask, no own piece
  CellSet pinned_;             // own pieces that may not leave a line
  CellSet pinners_;            // what pins them
  bool is_in_check_ = false;
};

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_MOVEGEN_H_
