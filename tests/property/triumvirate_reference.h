// A slow, simple second implementation of Triumvirate for the property tests.

#ifndef TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/reference_common.h"
#include "tests/property/triumvirate_reference_board.h"

// Written from the rules alone, using nothing from core/triumvirate; every move is tried on a copy
// of the position. The text forms (3PF, moves, cells) are those of docs/rules/triumvirate.md. Input
// must be valid; CHECKs enforce it.
namespace triarch::triumvirate_reference {

// Colours, owners and seats: 0 White, 1 Black, 2 Red.
inline constexpr int kSeats = 3;

struct Piece {
  char type = ' ';  // K Q R B N P, or a space if empty
  int colour = kNowhere;
  int owner = kNowhere;
  // For a pawn that is not stuck: the sector whose base row it heads for.
  int target = kNowhere;

  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class SeatStatus { kIn, kMated, kOut };

struct State {
  PerCell<Piece> cells{};
  int active = 0;
  // [seat][O-O, O-O-O]
  std::array<std::array<bool, 2>, kSeats> rights{};
  int ep = kNowhere;
  std::array<SeatStatus, kSeats> statuses{};
  // 0 if in, 1 for the first eliminated, 2 for the second. In a parsed position with two eliminated
  // the order is unknown, and both have 1.
  std::array<int, kSeats> out_order{};
  int64_t halfmove = 0;
  int64_t number = 1;

  friend bool operator==(const State&, const State&) = default;
};

State Parse3pf(std::string_view text);
std::string To3pf(const State& state);

// Returns the legal moves, sorted bytewise; empty if the game is over.
std::vector<std::string> LegalMoves(const State& state);
bool HasLegalMove(const State& state, int seat);
bool InCheck(const State& state, int seat);
// Returns whether the player to move has a legal capture en passant.
bool CanCaptureEnPassant(const State& state);

// Requires: `move` is legal.
void Play(State& state, std::string_view move);
// Requires: the game is not over and `seat` is in it. Forfeits work the same way.
void Resign(State& state, int seat);

// Returns the ending that the position itself causes, if any: last survivor, insufficient material,
// all stalemated. History handles repetition and the 75-move rule.
std::optional<Ending> EndingOf(const State& state);
bool IsOver(const State& state);

uint64_t Perft(const State& state, int depth);

// Returns what two positions must have in common to count as a repetition.
std::string RepetitionText(const State& state);

// A game played with `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  using HistoryOf::HistoryOf;
  std::optional<Ending> ending() const;
};

}  // namespace triarch::triumvirate_reference

#endif  // TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_H_
