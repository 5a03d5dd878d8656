// Names the states of a tournament.

#ifndef TRIARCH_CORE_RECORD_TOURNAMENT_STATE_H_
#define TRIARCH_CORE_RECORD_TOURNAMENT_STATE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace triarch {

enum class TournamentState : uint8_t {
  kActive,
  kPaused,     // grants no leases; leased games are finished
  kCancelled,  // plays and records nothing more; keeps recorded games
  kDone,       // every game is recorded
};

inline constexpr std::array<std::string_view, 4> kTournamentStates = {"active", "paused",
                                                                      "cancelled", "done"};
constexpr std::string_view ToString(TournamentState state) {
  return kTournamentStates[static_cast<size_t>(state)];
}
constexpr std::optional<TournamentState> ParseTournamentState(std::string_view word) {
  for (size_t i = 0; i < kTournamentStates.size(); ++i) {
    if (kTournamentStates[i] == word) return static_cast<TournamentState>(i);
  }
  return std::nullopt;
}
// Whether the state is final.
constexpr bool IsOver(TournamentState state) {
  return state == TournamentState::kCancelled || state == TournamentState::kDone;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TOURNAMENT_STATE_H_
