// Lists every option of a tournament once, for files, flags, JSON and the reference.

#ifndef TRIARCH_SPEC_TOURNAMENT_OPTIONS_H_
#define TRIARCH_SPEC_TOURNAMENT_OPTIONS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spec/option.h"

// A new option is a member of a spec and a row of the table in tournament_options.cc. Tournament
// files, the flags of `triarch run`, JSON, the tournament's identity, error messages and
// docs/tournament-file.md follow from the row.
namespace triarch {

inline constexpr int64_t kGamesMax = 1'000'000'000'000'000;
// Bounds of selfplay.temperature.
inline constexpr int64_t kTemperaturePlyMax = 1'000'000;
inline constexpr double kTemperatureMax = 100;

// Returns the options in the order of the reference.
std::span<const Option> TournamentOptions();
// Returns the option with that key, or null.
const Option* FindOption(std::string_view key);
// Returns whether options exist below that key: "selfplay.noise".
bool IsSection(std::string_view key);
// Returns the names of the options and sections directly below a section, or of the top level for
// "".
std::vector<std::string_view> KeysIn(std::string_view section);

// Returns the option `weight` of a bot in self-play.
const Option& BotWeightOption();

}  // namespace triarch

#endif  // TRIARCH_SPEC_TOURNAMENT_OPTIONS_H_
