// Defines the spelling of a spec's enums and switches in files, records and JSON.

#ifndef TRIARCH_CORE_RECORD_SPEC_WORDS_H_
#define TRIARCH_CORE_RECORD_SPEC_WORDS_H_

#include <array>
#include <optional>
#include <string_view>

#include "core/game/game_state.h"

namespace triarch {

// In the order of the enum's values, or false and true.
inline constexpr std::array<std::string_view, 6> kFormatWords = {
    "round_robin", "gauntlet", "adaptive", "swiss", "knockout", "league"};
inline constexpr std::array<std::string_view, 2> kAdaptiveGoalWords = {"ratings", "best"};
inline constexpr std::array<std::string_view, 2> kTestFieldWords = {"mirror", "pool"};
inline constexpr std::array<std::string_view, 2> kTestScoreWords = {"points", "firsts"};
inline constexpr std::array<std::string_view, 2> kDrawsWords = {"automatic", "claimed"};
inline constexpr std::array<std::string_view, 2> kOnOffWords = {"off", "on"};

std::string_view ToString(Draws draws);
std::optional<Draws> ParseDraws(std::string_view word);
std::string_view OnOff(bool is_on);
std::optional<bool> ParseOnOff(std::string_view word);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SPEC_WORDS_H_
