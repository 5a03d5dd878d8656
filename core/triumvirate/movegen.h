// Generates the legal moves of a seat with check and pin masks.

#ifndef TRIARCH_CORE_TRIUMVIRATE_MOVEGEN_H_
#define TRIARCH_CORE_TRIUMVIRATE_MOVEGEN_H_

#include <cstddef>

#include "core/triumvirate/attacks.h"
#include "core/triumvirate/pawn_sets.h"
#include "core/triumvirate/position.h"

// Why the masks are correct in this game:
// - The attacks of a piece depend only on its type and, for a pawn, on its heading, which the
//   position stores per pawn. They do not depend on the owner, so both opponents' armies form one
//   set of attackers.
// - No two cells share two lines, so a sliding attacker reaches the king along one sequence of
//   cells, Between(king, attacker). A bishop's ray that splits is two such sequences with a common
//   beginning. A friendly piece on this beginning can be pinned along both branches
//   simultaneously, and one piece on it can block checks along both. The masks of several
//   checks, and of several pins of one piece, are therefore intersected; "double check: king moves
//   only" would be wrong.
// - The king's own moves are tested against the attackers' reach with the king removed from the
//   board. A captured piece there is no attacker of its own cell. A capture en passant, which
//   empties two cells, is tested as a whole.
namespace triarch::triumvirate {

class MoveGenerator {
 public:
  // Generates only the moves of pieces on the cells `from`.
  MoveGenerator(const Position& position, Seat seat, CellSet from = ~CellSet());

  bool in_check() const { return !checkers_.empty(); }
  // The pieces that give check.
  CellSet checkers() const { return checkers_; }

  // Passes all legal moves to `sink`, whose functions return true to stop:
  //   bool Targets(Cell from, CellSet to)      a normal move to each of the cells
  //   bool Promotions(Cell from, CellSet to)   four moves to each of the cells
  //   bool One(Move move)
  //   bool Add(size_t count)                   optional: that many moves, which need no order
  // A sink with kCapturesOnly gets at least the captures and promotions.
  template <class Sink>
  void Generate(Sink& sink) const;

  // Returns whether a capture en passant is legal.
  bool HasEnPassant() const;

 private:
  // Pieces by how they attack.
  struct Attackers {
    CellSet knights;
    CellSet kings;
    CellSet inward_pawns;
    CellSet homeward_pawns;
    CellSet rooks;    // and queens
    CellSet bishops;  // and queens
  };

  // The pawns, stuck ones aside, that have an empty cell ahead, and those that may step two cells.
  struct PawnPushes {
    CellSet single;
    CellSet twice;
  };

  void FindChecksAndPins();
  // Returns where the piece on the cell may go with regard to checks and pins.
  [[gnu::always_inline]] CellSet AllowedTargets(Cell from) const {
    return pinned_.contains(from) ? PinnedTargets(from) : targets_;
  }
  CellSet PinnedTargets(Cell from) const;
  static CellSet LeapersTo(Cell cell, const Attackers& attackers);
  CellSet AttackedNear(CellSet zone) const;
  static bool IsAttacked(Cell cell, CellSet occupied, const Attackers& attackers);
  Attackers AttackersAmong(CellSet pieces) const;
  bool IsEnPassantLegal(Cell from) const;
  CellSet EnPassantCapturers() const;
  CellSet StuckPawns() const;

  template <class Sink>
  bool GeneratePieces(Sink& sink) const;
  template <class Sink>
  bool GeneratePawns(Sink& sink) const;
  template <class Sink>
  bool GeneratePush(Sink& sink, Cell from, CellSet allowed, const PawnPushes& pushes) const;
  PawnPushes FindPawnPushes() const;
  CellSet PawnCapturers() const;
  size_t CountPawnMoves(CellSet pawns, const PawnPushes& pushes) const;
  template <class Sink>
  bool GeneratePawnTargets(Sink& sink, Cell from, CellSet to) const;
  template <class Sink>
  bool GenerateEnPassant(Sink& sink) const;
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
  CellSet targets_;  // of all pieces but the king: in the check mask, no friendly piece, no king
  CellSet checkers_;
  CellSet pinned_;   // friendly pieces that must not leave a line
  CellSet pinners_;  // the pieces that pin them
};

// The cells of each seat's sector, and its base row.
inline constexpr PerSeat<CellSet> kSector{
    {CellSet{0xffffffffu, 0}, CellSet{uint64_t{0xffffffffu} << 32, 0}, CellSet{0, 0xffffffffu}}};
constexpr CellSet BaseRow(Seat seat) { return kBaseRows & kSector[seat]; }

// The cells of the bridge that joins the two sectors.
constexpr CellSet BridgeCells(Seat a, Seat b) {
  CellSet cells;
  for (int i = 0; i < kCells; ++i) {
    const Cell cell = Cell::At(i);
    if (cell.is_on_bridge_of(a) && cell.is_on_bridge_of(b)) cells |= CellSet::Of(cell);
  }
  return cells;
}
// The bridge cells, indexed by the sector that the bridge does not touch.
inline constexpr PerSeat<CellSet> kBridgeWithout{{BridgeCells(Seat::kSecond, Seat::kThird),
                                                  BridgeCells(Seat::kFirst, Seat::kThird),
                                                  BridgeCells(Seat::kFirst, Seat::kSecond)}};
constexpr Seat ThirdSeat(Seat a, Seat b) { return SeatAt(3 - Index(a) - Index(b)); }

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_MOVEGEN_H_
