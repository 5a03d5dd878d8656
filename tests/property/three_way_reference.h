// A slow, simple second implementation of Three-Way Chess for the property tests.

#ifndef TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/property/reference_common.h"

// Written from the rules alone, using nothing from core/three_way; every move is tried on a copy of
// the position. The text forms (HexFEN, moves, cells) are those of docs/rules/three-way.md, as are
// the cited paragraphs. Input must be valid; CHECKs enforce it.
namespace triarch::three_way_reference {

// Colours and seats: 0 White, 1 Gray, 2 Black.
inline constexpr int kSeats = 3;
inline constexpr int kNobody = -1;
// The rows and columns of each third.
inline constexpr int kRows = 4;
inline constexpr int kColumns = 8;

// A cell, whose coordinates sum to -1, or a step between cells, whose coordinates sum to 0.
struct Hex {
  int q = 0;
  int r = 0;
  int s = 0;

  friend bool operator==(const Hex&, const Hex&) = default;
};

bool IsOnBoard(Hex cell);
// Returns the cell of a third by its owner's row 0..3 and column 0..7.
Hex CellAt(int third, int row, int column);
// Returns all 96 cells, by third, row and column.
const std::vector<Hex>& Cells();
std::string CellName(Hex cell);

struct Piece {
  char type = ' ';  // k q r b n p, or a space if empty
  signed char owner = kNobody;

  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class SeatStatus : char { kIn, kMated, kCaptured, kOut };

struct State {
  // [q + 7][r + 7]; cells off the board stay empty.
  std::array<std::array<Piece, 15>, 15> grid{};
  int active = 0;
  // [seat][queen side, king side]
  std::array<std::array<bool, 2>, kSeats> rights{};
  // The cell that the seat's pawn passed over.
  std::array<std::optional<Hex>, kSeats> ep{};
  // kOut in a parsed position with one player out, where the reason is unknown.
  std::array<SeatStatus, kSeats> statuses{};
  // 0 if in, 1 for the first eliminated, 2 for the second.
  std::array<int, kSeats> out_order{};
  // Whether no player could take the turn (§5.4).
  bool is_stalemate = false;
  int64_t clock = 0;
  int64_t number = 1;

  const Piece& at(Hex cell) const;
  Piece& at(Hex cell);

  friend bool operator==(const State&, const State&) = default;
};

State ParseHexFen(std::string_view text);
std::string ToHexFen(const State& state);

// Returns the legal moves, sorted bytewise; empty if the game is over.
std::vector<std::string> LegalMoves(const State& state);
// Returns whether the seat would have a legal move if it were its turn, even if the game is over.
bool HasLegalMove(const State& state, int seat);
bool InCheck(const State& state, int seat);

// Requires: `move` is legal.
void Play(State& state, std::string_view move);
// Requires: the game is not over and `seat` is in it. Forfeits work the same way.
void Resign(State& state, int seat);
// Passes the turn as in §5.4, starting with the player to move. Has no effect after a move or
// resignation, but in a parsed position the player to move may have no moves.
void JudgeTurn(State& state);

// Returns the ending that the position itself causes, if any: last player, stalemate, clock.
// History handles repetition and insufficient material.
std::optional<Ending> EndingOf(const State& state);
bool IsOver(const State& state);
// Returns whether the material is insufficient (ruling 9).
bool IsMaterialInsufficient(const State& state);

uint64_t Perft(const State& state, int depth);

// Returns what two positions must have in common to count as a repetition.
std::string RepetitionText(const State& state);

// A game played with `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  explicit History(State start, bool insufficient_material = false)
      : HistoryOf(std::move(start)), insufficient_material_(insufficient_material) {}

  // If several endings apply, returns the first of: EndingOf, insufficient material, repetition.
  std::optional<Ending> ending() const;

 private:
  bool insufficient_material_;
};

}  // namespace triarch::three_way_reference

#endif  // TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
