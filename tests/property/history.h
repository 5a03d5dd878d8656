// The part of a game's history that all reference implementations share.

#ifndef TRIARCH_TESTS_PROPERTY_HISTORY_H_
#define TRIARCH_TESTS_PROPERTY_HISTORY_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace triarch {

// In the words of TPGN: "checkmate", "1-3-2", "1-0-0". If one player is left, the termination is
// how the last opponent was eliminated.
struct Ending {
  std::string termination;
  std::string placement;
  std::string result;

  friend bool operator==(const Ending&, const Ending&) = default;
};

// Calls the State's own function, found by argument-dependent lookup, which members of HistoryOf
// would hide.
template <class State>
void PlayIn(State& state, std::string_view move) {
  Play(state, move);
}
template <class State>
void ResignIn(State& state, int seat) {
  Resign(state, seat);
}

// A game so far. The State comes with functions Play, Resign and RepetitionText.
template <class State>
class HistoryOf {
 public:
  explicit HistoryOf(State start) : state_(std::move(start)) { Count(); }

  const State& state() const { return state_; }
  // How often the position has occurred, including now; at least 1.
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

#endif  // TRIARCH_TESTS_PROPERTY_HISTORY_H_
