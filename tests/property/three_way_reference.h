#ifndef TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Three-Way Chess a second time, slow and plain: written from the rules alone, with nothing of
// core/three_way in it, every move tried on a copy of the position. It is the second opinion of the
// property tests. Texts (HexFEN, moves, cells) are those of docs/rules/three-way.md; what is read
// here must be valid, as CHECKs make sure.
namespace triarch::three_way_reference {

inline constexpr int kSeats = 3;  // 0 White, 1 Gray, 2 Black

// A hexagon or a step between two; s is what makes the sum −1, or 0.
struct Hex {
  int q = 0;
  int r = 0;
  int s = 0;

  friend auto operator<=>(const Hex&, const Hex&) = default;
};

struct Piece {
  char type = ' ';  // k q r b n p
  int owner = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

struct State {
  std::map<Hex, Piece> pieces;  // where something stands
  int active = 0;
  std::array<std::array<bool, 2>, kSeats> rights{};  // [seat][queen side, king side]
  std::array<std::optional<Hex>, kSeats> ep;         // passed over by the seat's double push
  // 0 for who is in, 1 for the first eliminated, 2 for the second, and how they went.
  std::array<int, kSeats> out_order{};
  std::array<std::string, kSeats> fates;
  bool is_stalemate = false;
  int64_t clock = 0;
  int64_t number = 1;

  friend bool operator==(const State&, const State&) = default;
};

// How a game ended, in the words of TPGN: "checkmate", "1-3-2", "1-0-0".
struct Ending {
  std::string termination;
  std::string placement;
  std::string result;

  friend bool operator==(const Ending&, const Ending&) = default;
};

State ParseHexFen(std::string_view text);
std::string ToHexFen(const State& state);

// Sorted bytewise; empty when the game is over.
std::vector<std::string> LegalMoves(const State& state);
bool InCheck(const State& state, int seat);

// `move` must be legal.
void Play(State& state, std::string_view move);
// `seat` must be in a game that is not over; forfeits are the same.
void Resign(State& state, int seat);

// Empty while the position itself does not end the game: last player, stalemate, clock.
std::optional<Ending> EndingOf(const State& state);

uint64_t Perft(const State& state, int depth);

// What two positions must share to be counted as the same by the rule of repetition.
std::string RepetitionText(const State& state);

// Ruling 9.
bool IsMaterialInsufficient(const State& state);

// A game under `draws: automatic`.
class History {
 public:
  explicit History(State start);

  const State& state() const { return state_; }
  std::optional<Ending> ending() const;

  void Play(std::string_view move);
  void Resign(int seat);

 private:
  void Count();

  State state_;
  std::map<std::string, int> seen_;
};

}  // namespace triarch::three_way_reference

#endif  // TRIARCH_TESTS_PROPERTY_THREE_WAY_REFERENCE_H_
