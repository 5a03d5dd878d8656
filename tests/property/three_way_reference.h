#ifndef TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/property/history.h"

// Three-Way Chess a second time, slow and plain: written from the rules alone, with nothing of
// core/three_way in it, every move tried on a copy of the position. It is the second opinion of
// the property tests. Texts (HexFEN, moves, cells) are those of docs/rules/three-way.md, as are the
// paragraphs cited; what is read here must be valid, as CHECKs make sure.
namespace triarch::three_way_reference {

// Colours and seats: 0 White, 1 Gray, 2 Black.
inline constexpr int kSeats = 3;
inline constexpr int kNobody = -1;

// A cell, whose coordinates add up to -1, or a step between cells, whose coordinates add up to 0.
struct Hex {
  int q = 0;
  int r = 0;
  int s = 0;

  friend bool operator==(const Hex&, const Hex&) = default;
};

bool IsOnBoard(Hex cell);
// The cell of a third by its owner's row 0..3 and column 0..7.
Hex CellAt(int third, int row, int column);
// All 96, by third, row and column.
const std::vector<Hex>& Cells();
std::string CellName(Hex cell);

struct Piece {
  char type = ' ';  // k q r b n p, or a space where there is none
  signed char owner = kNobody;

  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class Fate : char { kIn, kMated, kCaptured, kOut };

struct State {
  // [q + 7][r + 7]; nothing is ever put off the board.
  std::array<std::array<Piece, 15>, 15> grid{};
  int active = 0;
  // [seat][queen side, king side]
  std::array<std::array<bool, 2>, kSeats> rights{};
  // The cell that the seat's pawn passed over.
  std::array<std::optional<Hex>, kSeats> ep{};
  // Of a position read with one player out it is unknown how that happened: kOut.
  std::array<Fate, kSeats> fates{};
  // 0 for who is in, 1 for the first eliminated, 2 for the second.
  std::array<int, kSeats> out_order{};
  // Whether the turn found nobody to go to (§5.4).
  bool is_stalemate = false;
  int64_t clock = 0;
  int64_t number = 1;

  const Piece& at(Hex cell) const;
  Piece& at(Hex cell);

  friend bool operator==(const State&, const State&) = default;
};

State ParseHexFen(std::string_view text);
std::string ToHexFen(const State& state);

// Sorted bytewise; empty when the game is over.
std::vector<std::string> LegalMoves(const State& state);
// As if it were that player's turn, and whether or not the game is over.
bool HasLegalMove(const State& state, int seat);
bool InCheck(const State& state, int seat);

// `move` must be legal.
void Play(State& state, std::string_view move);
// `seat` must be in a game that is not over; forfeits are the same.
void Resign(State& state, int seat);
// Passes the turn as in §5.4, beginning with the player on turn. After a move or a resignation it
// changes nothing; a position that was read may have a player on turn who cannot move.
void JudgeTurn(State& state);

// Empty while the position itself does not end the game: last player, stalemate, clock. Repetition
// and insufficient material are History's.
std::optional<Ending> EndingOf(const State& state);
bool IsOver(const State& state);
// Ruling 9.
bool IsMaterialInsufficient(const State& state);

uint64_t Perft(const State& state, int depth);

// What two positions must share to be counted as the same by the rule of repetition.
std::string RepetitionText(const State& state);

// A game under `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  explicit History(State start, bool insufficient_material = false)
      : HistoryOf(std::move(start)), insufficient_material_(insufficient_material) {}

  // Where a position ends the game in several ways, the first of: what EndingOf says, insufficient
  // material, repetition.
  std::optional<Ending> ending() const;

 private:
  bool insufficient_material_;
};

}  // namespace triarch::three_way_reference

#endif  // TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
