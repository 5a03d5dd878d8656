// Describes a tournament option's key, valid values and field in a spec.

#ifndef TRIARCH_SPEC_OPTION_H_
#define TRIARCH_SPEC_OPTION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/game/position.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// ---- The values of options.

// A whole number, with inclusive bounds.
struct IntBounds {
  int64_t min;
  int64_t max;
};
// A number above the lower bound, up to the upper one.
struct NumberBounds {
  double above;
  double max;
};
// Two ascending numbers, each within inclusive bounds: [0, 5] in files, 0,5 in flags.
struct PairBounds {
  double min;
  double max;
};
// Any 64-bit whole number.
struct SeedBounds {};
// One of several words. A spec's enum or bool is the index of the word.
using Words = std::span<const std::string_view>;
// Text without control characters. `placeholder` represents it in help.
struct Text {
  std::string_view placeholder = "TEXT";
  std::string_view expected = "text without control characters";
};
// A clock, [MOVES/]TIME[+INCREMENT] (core/record/clock_text.h).
struct ClockType {};
// A list or other structure with a reader of its own. `expected` describes it.
struct Structure {
  std::string_view expected;
};
using OptionType = std::variant<IntBounds, NumberBounds, PairBounds, SeedBounds, Words, Text,
                                ClockType, Structure>;
using NumberPair = std::array<double, 2>;

// Empty; a whole number or the index of a word; a seed; a number; a pair of numbers; text; or a
// clock.
using OptionValue =
    std::variant<std::monostate, int64_t, uint64_t, double, NumberPair, std::string, ClockSpec>;

// ---- Where a spec stores an option.

struct OptionField {
  OptionValue (*get)(const TournamentSpec&) = nullptr;
  void (*set)(TournamentSpec&, const OptionValue&) = nullptr;
};

// ---- The option.

// kAny, then the words of the option `mode`.
enum class OptionMode : uint8_t { kAny, kTournament, kSelfplay, kTest, kBestOf, kTune };

struct Option {
  // Its spelling in files and JSON, sections first: "time_control.margin_ms". FlagName returns the
  // flag of `triarch run`.
  std::string_view key;
  OptionType type;
  // Empty if a reader converts the value: `cycles` becomes `games`.
  OptionField field = {};
  // Follows the value in help: "ms per move".
  std::string_view unit = "";
  // One sentence without a full stop.
  std::string_view help;
  // The default in files and on the command line, where it differs from that of TournamentSpec.
  OptionValue default_value = {};
  // Describes the default where no value expresses it: "one round".
  std::string_view default_text = "";
  // Another key that must also be given.
  std::string_view needs = "";
  OptionMode mode = OptionMode::kAny;
  // The only format that has this option; empty if all have it.
  std::optional<Format> format = {};
  // Returns whether a game has this option; null if all have it.
  bool (*game_has_it)(const GameInfo&) = nullptr;
  // Whether specs that differ in this option are different tournaments.
  bool is_identity = true;
  bool has_flag = true;
  // The flag, where it is not the key without its section.
  std::string_view flag = "";
};

// Returns the value as spelled in files; "" for an empty value.
std::string ToText(const Option& option, const OptionValue& value);
// Parses a value from a file or flag; returns nullopt if it is out of bounds or of another type.
std::optional<OptionValue> ParseOption(const Option& option, std::string_view text);
// Returns whether a value has the option's type and is within its bounds.
bool IsValid(const Option& option, const OptionValue& value);
// Returns the end of the message about a wrong value, `"x" is wrong`: "; expected a whole number
// from 1 to 9", or a suggestion.
std::string Expectation(const Option& option, std::string_view given);
// Describes the bounds: "a whole number from 1 to 9".
std::string BoundsText(const Option& option);

// Returns "--margin-ms": the key without its first section, or Option::flag.
std::string FlagName(const Option& option);
// Returns the part before the first dot, or "".
std::string_view SectionOf(std::string_view key);

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPTION_H_
