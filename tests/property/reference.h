#ifndef TRIARCH_TESTS_PROPERTY_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_REFERENCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/history.h"
#include "tests/property/reference_board.h"

// Triumvirate a second time, slow and plain: written from the rules alone, with nothing of
// core/triumvirate in it, every move tried on a copy of the position. It is the second opinion of
// the property tests. Texts (3PF, moves, cells) are those of docs/rules/triumvirate.md; what is
// read here must be valid, as CHECKs make sure.
namespace triarch::reference {

// Colours, owners and seats: 0 White, 1 Black, 2 Red.
inline constexpr int kSeats = 3;

struct Piece {
  char type = ' ';  // K Q R B N P, or a space where there is none
  int colour = kNowhere;
  int owner = kNowhere;
  // Of a pawn that is not stuck: the sector whose base row it walks to.
  int target = kNowhere;

  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class Fate { kIn, kMated, kOut };

struct State {
  PerCell<Piece> cells{};
  int active = 0;
  // [seat][O-O, O-O-O]
  std::array<std::array<bool, 2>, kSeats> rights{};
  int ep = kNowhere;
  std::array<Fate, kSeats> fates{};
  // 0 for who is in, 1 for the first eliminated, 2 for the second. Of a position read with two
  // eliminated the order is unknown: both have 1.
  std::array<int, kSeats> out_order{};
  int64_t halfmove = 0;
  int64_t number = 1;

  friend bool operator==(const State&, const State&) = default;
};

State Parse3pf(std::string_view text);
std::string To3pf(const State& state);

// Sorted bytewise; empty when the game is over.
std::vector<std::string> LegalMoves(const State& state);
bool HasLegalMove(const State& state, int seat);
bool InCheck(const State& state, int seat);
// Of the legal moves of the player on turn.
bool CanCaptureEnPassant(const State& state);

// `move` must be legal.
void Play(State& state, std::string_view move);
// `seat` must be in a game that is not over; forfeits are the same.
void Resign(State& state, int seat);

// Empty while the position itself does not end the game: last survivor, insufficient material, all
// stalemated. Repetition and the 75-move rule are History's.
std::optional<Ending> EndingOf(const State& state);
bool IsOver(const State& state);

uint64_t Perft(const State& state, int depth);

// What two positions must share to be counted as the same by the rule of repetition.
std::string RepetitionText(const State& state);

// A game under `draws: automatic`.
class History : public HistoryOf<State> {
 public:
  using HistoryOf::HistoryOf;
  std::optional<Ending> ending() const;
};

}  // namespace triarch::reference

#endif  // TRIARCH_TESTS_PROPERTY_REFERENCE_H_
