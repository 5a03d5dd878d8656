// A slow, simple second implementation of Tri-D chess for the property tests.

#ifndef TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/reference_common.h"

// Written from the rules alone, using nothing from core/tri_d; every move is tried on a copy of the
// position. The text forms (TFEN, moves, cells) are those of docs/rules/tri-d.md. Input must be
// valid; CHECKs enforce it.
namespace triarch::tri_d_reference {

inline constexpr int kSeats = 2;  // 0 White, 1 Black
inline constexpr int kFiles = 6;  // z a b c d e
inline constexpr int kRanks = 10;
// Three main boards and twelve pins: W N B QL1 .. QL6 KL1 .. KL6. A pin is a level, with or without
// a board.
inline constexpr int kLevels = 15;
inline constexpr int kCells = kFiles * kRanks * kLevels;
inline constexpr int kAttackBoards = 4;  // WQL WKL BQL BKL
inline constexpr int kNowhere = -1;
inline constexpr char kNoPiece = ' ';

struct State {
  State() { cells.fill(kNoPiece); }

  // [attack board]: the level of its pin.
  std::array<int, kAttackBoards> pins{};
  // Letters of TFEN, so a pawn with its double step is D or d. Most of these cells never exist.
  std::array<char, kCells> cells;
  int active = 0;
  // [seat][0-0, 0-0-0]
  std::array<std::array<bool, 2>, kSeats> rights{};
  // The cell of the pawn that just made a double step.
  int ep = kNowhere;
  int64_t halfmove = 0;
  int64_t fullmove = 1;
  // The cell of the pawn that the player to move must promote first.
  int pending = kNowhere;
  int resigned = kNowhere;

  friend bool operator==(const State&, const State&) = default;
};

State ParseTfen(std::string_view text);
std::string ToTfen(const State& state);

// Returns the legal moves in canonical text, sorted bytewise; empty after a resignation. A pending
// promotion takes precedence, so it gives exactly four moves, even in check. Dead positions have
// moves like others.
std::vector<std::string> LegalMoves(const State& state);
bool HasLegalMove(const State& state);
bool InCheck(const State& state, int seat);
// Returns whether the player to move has a legal capture en passant.
bool CanCaptureEnPassant(const State& state);

// Requires: `move` is legal.
void Play(State& state, std::string_view move);
// Requires: no player has resigned. Forfeits work the same way.
void Resign(State& state, int seat);

// Returns the ending by resignation, checkmate or stalemate, if any: those that `moves` and `perft`
// see. History handles the draws.
std::optional<Ending> EndingOf(const State& state);
// Returns whether only the kings are left.
bool IsDeadPosition(const State& state);

// Counts the leaves of the game tree. A pending promotion counts as a ply.
uint64_t Perft(const State& state, int depth);

// Returns what two positions must have in common to count as a repetition.
std::string RepetitionText(const State& state);

// A game played with `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  using HistoryOf::HistoryOf;
  // If several endings apply, returns the first of: EndingOf, dead position, repetition, fifty
  // moves.
  std::optional<Ending> ending() const;
};

}  // namespace triarch::tri_d_reference

#endif  // TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_H_
