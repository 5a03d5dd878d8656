// Holds the options given by a file, flags or JSON, and checks them together.

#ifndef TRIARCH_SPEC_OPTION_VALUES_H_
#define TRIARCH_SPEC_OPTION_VALUES_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/record/tournament_spec.h"
#include "spec/option.h"

namespace triarch {

// Values by option key. A structure has an empty value.
using OptionValues = std::map<std::string_view, OptionValue>;

// Returns the mode among the values; kTournament if none is given.
OptionMode ModeOf(const OptionValues& values);

struct OptionConflict {
  std::string_view key;
  std::string message;
};
// Returns the first option that conflicts with the mode, the game or another option.
std::optional<OptionConflict> FindConflict(const OptionValues& values);

// Sets these options of a spec and leaves the others unchanged.
void SetOptions(const OptionValues& values, TournamentSpec* spec);
// Returns the options of a spec. Omits those that are not set (a value out of bounds, such as 0 for
// `never`) or do not apply to its mode or game.
OptionValues OptionsOf(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPTION_VALUES_H_
