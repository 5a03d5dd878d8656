// Describes one option of a tournament: its key, what values it takes, and where a spec holds it.

#ifndef TRIARCH_SPEC_OPTION_H_
#define TRIARCH_SPEC_OPTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/game/position.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// ---- What values an option takes.

// A whole number; both bounds are included.
struct IntBounds {
  int64_t min;
  int64_t max;
};
// A number above one bound, up to the other.
struct NumberBounds {
  double above;
  double max;
};
// Any whole number of 64 bits.
struct SeedBounds {};
// One of several words. An enum or a bool of a spec is the index of its word.
using Words = std::span<const std::string_view>;
// Text without control characters. `placeholder` stands for it in help.
struct Text {
  std::string_view placeholder = "TEXT";
  std::string_view expected = "text without control characters";
};
// A list or other structure, which its readers know. `expected` describes it.
struct Structure {
  std::string_view expected;
};
using OptionType = std::variant<IntBounds, NumberBounds, SeedBounds, Words, Text, Structure>;

// Nothing; a whole number or the index of a word; a seed; a number; or text.
using OptionValue = std::variant<std::monostate, int64_t, uint64_t, double, std::string>;

// ---- Where a spec holds it.

struct OptionField {
  OptionValue (*get)(const TournamentSpec&) = nullptr;
  void (*set)(TournamentSpec&, const OptionValue&) = nullptr;
};

// ---- The option.

enum class OptionMode : uint8_t { kAny, kTournament, kSelfplay };

struct Option {
  // How it is spelled in files and JSON, sections first: "time_control.clock_ms". FlagName gives
  // the flag of `triarch run`.
  std::string_view key;
  OptionType type;
  // Empty if a reader turns the value into something else: `cycles` becomes `games`.
  OptionField field = {};
  // Follows the value in help: "ms per move".
  std::string_view unit = "";
  // One sentence without a full stop.
  std::string_view help;
  // The default of a file or command line, where it is not that of TournamentSpec.
  OptionValue default_value = {};
  // Says what the default is where no value says it: "one round".
  std::string_view default_text = "";
  // Another key that must be given too.
  std::string_view needs = "";
  OptionMode mode = OptionMode::kAny;
  // Whether a game has this option; null if all have it.
  bool (*game_has_it)(const GameInfo&) = nullptr;
  // Whether two specs that differ in it are two tournaments.
  bool is_identity = true;
  bool has_flag = true;
};

// The value as files spell it; empty for nothing.
std::string ToText(const Option& option, const OptionValue& value);
// The value that a file or a flag spells; nothing if the text is out of bounds or of another type.
std::optional<OptionValue> ParseOption(const Option& option, std::string_view text);
// Whether a value has the option's type and is within its bounds.
bool IsValid(const Option& option, const OptionValue& value);
// What is wrong with a value that was given: `"x" is wrong` ends in "; expected a whole number from
// 1 to 9" or in a suggestion.
std::string Expectation(const Option& option, std::string_view given);
// The bounds in words: "a whole number from 1 to 9".
std::string BoundsText(const Option& option);

// "--clock-ms": the key without its first section.
std::string FlagName(const Option& option);
// What stands before the first dot, or "".
std::string_view SectionOf(std::string_view key);

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPTION_H_
