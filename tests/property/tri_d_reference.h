#ifndef TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/history.h"

// Tri-D chess a second time, slow and plain: written from the rules alone, with nothing of
// core/tri_d in it, every move tried on a copy of the position. It is the second opinion of the
// property tests. Texts (TFEN, moves, cells) are those of docs/rules/tri-d.md; what is read here
// must be valid, as CHECKs make sure.
namespace triarch::tri_d_reference {

inline constexpr int kSeats = 2;  // 0 White, 1 Black
inline constexpr int kFiles = 6;  // z a b c d e
inline constexpr int kRanks = 10;
// Three main boards, twelve pins: W N B QL1 .. QL6 KL1 .. KL6. A pin is a level, whether a board
// stands there or not.
inline constexpr int kLevels = 15;
inline constexpr int kCells = kFiles * kRanks * kLevels;
inline constexpr int kAttackBoards = 4;  // WQL WKL BQL BKL
inline constexpr int kNowhere = -1;
inline constexpr char kNoPiece = ' ';

struct State {
  State() { cells.fill(kNoPiece); }

  // Of each attack board, the level that is its pin.
  std::array<int, kAttackBoards> pins{};
  // Letters of TFEN, so a pawn with its double step is D or d. Most of these cells never exist.
  std::array<char, kCells> cells;
  int active = 0;
  // [seat][0-0, 0-0-0]
  std::array<std::array<bool, 2>, kSeats> rights{};
  // The cell of the pawn that has just made a double step.
  int ep = kNowhere;
  int64_t halfmove = 0;
  int64_t fullmove = 1;
  // The cell of the pawn that the player on turn has to promote first.
  int pending = kNowhere;
  int resigned = kNowhere;

  friend bool operator==(const State&, const State&) = default;
};

State ParseTfen(std::string_view text);
std::string ToTfen(const State& state);

// In canonical text, sorted bytewise; empty after a resignation. A pending promotion comes before
// all else, so there are four moves then, in check too. Dead positions have moves like others.
std::vector<std::string> LegalMoves(const State& state);
bool HasLegalMove(const State& state);
bool InCheck(const State& state, int seat);
// Of the legal moves of the player on turn.
bool CanCaptureEnPassant(const State& state);

// `move` must be legal.
void Play(State& state, std::string_view move);
// Nobody may have resigned yet. Forfeits are the same.
void Resign(State& state, int seat);

// Resignation, checkmate, stalemate: the endings that `moves` and `perft` see. The other draws are
// History's.
std::optional<Ending> EndingOf(const State& state);
// King against king.
bool IsDeadPosition(const State& state);

// A pending promotion is a ply of its own.
uint64_t Perft(const State& state, int depth);

// What two positions must share to be counted as the same by the rule of repetition.
std::string RepetitionText(const State& state);

// A game under `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  using HistoryOf::HistoryOf;
  // Where a position ends the game in several ways, the first of: what EndingOf says, dead
  // position, repetition, fifty moves.
  std::optional<Ending> ending() const;
};

}  // namespace triarch::tri_d_reference

#endif  // TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_
