// Gives the sets of openings that come with Triarch.

#ifndef TRIARCH_SPEC_OPENING_SETS_H_
#define TRIARCH_SPEC_OPENING_SETS_H_

#include <array>
#include <string_view>

namespace triarch {

// The names of the sets: `openings: {set: balanced}`.
inline constexpr std::array<std::string_view, 1> kOpeningSetWords = {"balanced"};

// Returns the balanced openings of a game, as TPGN from its default start; "" if it has none. CMake
// generates the definition from spec/openings/GAME.tpgn.
std::string_view BalancedOpenings(std::string_view game);

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPENING_SETS_H_
