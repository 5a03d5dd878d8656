#include "spec/option.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/clock_text.h"
#include "spec/suggestion.h"

namespace triarch {
namespace {

// Calls the function whose parameter has the type.
template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

template <class T>
std::optional<OptionValue> ToOptional(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return OptionValue(*value);
}

std::optional<OptionValue> ParseWord(Words words, std::string_view text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) return std::nullopt;
  return OptionValue(static_cast<int64_t>(found - words.begin()));
}

std::optional<OptionValue> ParsePair(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::optional<double> low = ParseDouble(text.substr(0, comma));
  const std::optional<double> high = ParseDouble(text.substr(comma + 1));
  if (!low || !high) return std::nullopt;
  return OptionValue(NumberPair{*low, *high});
}

std::optional<ClockSpec> ReadClock(std::string_view text) {
  const absl::StatusOr<ClockSpec> clock = ParseClock(text);
  return clock.ok() ? std::optional(*clock) : std::nullopt;
}

template <class T, class F>
bool Holds(const OptionValue& value, F is_right) {
  const T* const held = std::get_if<T>(&value);
  return held != nullptr && is_right(*held);
}

}  // namespace

std::string ToText(const Option& option, const OptionValue& value) {
  if (const Words* const words = std::get_if<Words>(&option.type)) {
    const auto* const index = std::get_if<int64_t>(&value);
    return index ? std::string((*words)[static_cast<size_t>(*index)]) : "";
  }
  return std::visit(
      Overload{[](std::monostate) { return std::string(); },
               [](const std::string& text) { return text; },
               [](const ClockSpec& clock) { return ClockText(clock); },
               [](double number) { return absl::StrFormat("%g", number); },
               [](const NumberPair& pair) { return absl::StrFormat("%g,%g", pair[0], pair[1]); },
               [](auto number) { return std::to_string(number); }},
      value);
}

std::optional<OptionValue> ParseOption(const Option& option, std::string_view text) {
  using Parsed = std::optional<OptionValue>;
  const Parsed parsed = std::visit(
      Overload{[text](const IntBounds&) -> Parsed { return ToOptional(ParseInt64(text)); },
               [text](const NumberBounds&) -> Parsed { return ToOptional(ParseDouble(text)); },
               [text](const PairBounds&) -> Parsed { return ParsePair(text); },
               [text](const SeedBounds&) -> Parsed { return ToOptional(ParseUint64(text)); },
               [text](const Words& words) -> Parsed { return ParseWord(words, text); },
               [text](const Text&) -> Parsed { return OptionValue(std::string(text)); },
               [text](const ClockType&) -> Parsed { return ToOptional(ReadClock(text)); },
               [](const Structure&) -> Parsed { return std::nullopt; }},
      option.type);
  return parsed && IsValid(option, *parsed) ? parsed : std::nullopt;
}

bool IsValid(const Option& option, const OptionValue& value) {
  return std::visit(
      Overload{[&](const IntBounds& bounds) {
                 return Holds<int64_t>(
                     value, [&](int64_t n) { return n >= bounds.min && n <= bounds.max; });
               },
               [&](const NumberBounds& bounds) {
                 return Holds<double>(
                     value, [&](double n) { return n > bounds.above && n <= bounds.max; });
               },
               [&](const PairBounds& bounds) {
                 return Holds<NumberPair>(value, [&](const NumberPair& pair) {
                   return pair[0] >= bounds.min && pair[0] < pair[1] && pair[1] <= bounds.max;
                 });
               },
               [&](const SeedBounds&) { return std::holds_alternative<uint64_t>(value); },
               [&](const Words& words) {
                 return Holds<int64_t>(value, [&](int64_t index) {
                   return index >= 0 && index < static_cast<int64_t>(words.size());
                 });
               },
               [&](const Text&) {
                 return Holds<std::string>(value, [](const std::string& text) {
                   return !text.empty() && IsPlainText(text);
                 });
               },
               [&](const ClockType&) { return std::holds_alternative<ClockSpec>(value); },
               [](const Structure&) { return false; }},
      option.type);
}

std::string BoundsText(const Option& option) {
  return std::visit(
      Overload{[](const IntBounds& bounds) {
                 return absl::StrFormat("a whole number from %d to %d", bounds.min, bounds.max);
               },
               [](const NumberBounds& bounds) {
                 return absl::StrFormat("a number above %g, at most %g", bounds.above, bounds.max);
               },
               [](const PairBounds& bounds) {
                 return absl::StrFormat("two ascending numbers from %g to %g, as in 0,5",
                                        bounds.min, bounds.max);
               },
               [](const SeedBounds&) {
                 return std::string("a whole number from 0 to 18446744073709551615");
               },
               [](const Words& words) {
                 std::string list;
                 for (const std::string_view word : words) {
                   list += (list.empty() ? "" : ", ") + std::string(word);
                 }
                 return "one of " + list;
               },
               [](const Text& text) { return std::string(text.expected); },
               [](const ClockType&) { return std::string(kClockForms); },
               [](const Structure& structure) { return std::string(structure.expected); }},
      option.type);
}

std::string Expectation(const Option& option, std::string_view given) {
  if (const Words* const words = std::get_if<Words>(&option.type)) {
    return ExpectedOneOf(given, *words);
  }
  if (std::holds_alternative<ClockType>(option.type)) {
    const absl::StatusOr<ClockSpec> clock = ParseClock(given);
    if (!clock.ok()) return "; " + std::string(Message(clock.status()));
  }
  return "; expected " + BoundsText(option);
}

std::string FlagName(const Option& option) {
  if (!option.flag.empty()) return std::string(option.flag);
  std::string name = "--";
  const std::string_view section = SectionOf(option.key);
  name += section.empty() ? option.key : option.key.substr(section.size() + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

std::string_view SectionOf(std::string_view key) {
  const size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

}  // namespace triarch
