// Provides histories, endings and perft for the reference implementations.

#ifndef TRIARCH_TESTS_PROPERTY_REFERENCE_COMMON_H_
#define TRIARCH_TESTS_PROPERTY_REFERENCE_COMMON_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace triarch {

// The end of a game in the words of TPGN: "checkmate", "1-3-2", "1-0-0". If one player is left, the
// termination is how the last opponent was eliminated.
struct Ending {
  std::string termination;
  std::string placement;
  std::string result;

  friend bool operator==(const Ending&, const Ending&) = default;
};

// Returns the ending of a game for three. Survivors share first place; eliminated seats follow,
// last eliminated first. Seats with equal `out_order` share their place. Survivors share the
// points.
inline Ending EndingForThree(std::string_view termination, const std::array<bool, 3>& is_in,
                             const std::array<int, 3>& out_order) {
  Ending ending{.termination = std::string(termination), .placement = "", .result = ""};
  const bool is_won = is_in[0] + is_in[1] + is_in[2] == 1;
  for (size_t seat = 0; seat < is_in.size(); ++seat) {
    int place = 1;
    for (size_t other = 0; other < is_in.size(); ++other) {
      const bool is_better = is_in[other] || out_order[other] > out_order[seat];
      if (!is_in[seat] && is_better) ++place;
    }
    ending.placement += (seat > 0 ? "-" : "") + std::to_string(place);
    // Three players who share a draw also have 1/2 each in the result text.
    ending.result += seat > 0 ? "-" : "";
    ending.result += !is_in[seat] ? "0" : is_won ? "1" : "1/2";
  }
  return ending;
}

// Counts the leaves of the game tree. `moves_of` returns the legal moves, none if the game is over.
template <class State, class MovesOf, class PlayMove>
uint64_t CountLeaves(const State& state, int depth, const MovesOf& moves_of,
                     const PlayMove& play_move) {
  if (depth == 0) return 1;
  const auto moves = moves_of(state);
  if (depth == 1) return moves.size();
  uint64_t leaves = 0;
  for (const auto& move : moves) {
    State after = state;
    play_move(after, move);
    leaves += CountLeaves(after, depth - 1, moves_of, play_move);
  }
  return leaves;
}

// Calls the State's function, found by argument-dependent lookup, which members of HistoryOf would
// hide.
template <class State>
void PlayIn(State& state, std::string_view move) {
  Play(state, move);
}
template <class State>
void ResignIn(State& state, int seat) {
  Resign(state, seat);
}

// The history of a game. Its State provides the functions Play, Resign and RepetitionText.
template <class State>
class HistoryOf {
 public:
  explicit HistoryOf(State start) : state_(std::move(start)) { Count(); }

  const State& state() const { return state_; }
  // Returns how often the position has occurred, including now; at least 1.
  int occurrences() const { return seen_.at(RepetitionText(state_)); }

  void Play(std::string_view move) {
    PlayIn(state_, move);
    Count();
  }
  void Resign(int seat) {
    ResignIn(state_, seat);
    Count();
  }

 private:
  void Count() { ++seen_[RepetitionText(state_)]; }

  State state_;
  std::map<std::string, int> seen_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_PROPERTY_REFERENCE_COMMON_H_
