#ifndef TRIARCH_CORE_BASE_TEXT_H_
#define TRIARCH_CORE_BASE_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Splitting and number parsing for std::string_view (Debian's Abseil has a string_view of its own,
// see CONTRIBUTING.md).
namespace triarch {

// The parts of `text` between separators, empty ones included; "" gives one empty part.
std::vector<std::string_view> Split(std::string_view text, char separator);

// `text` without spaces, tabs and line ends at both ends.
std::string_view Trim(std::string_view text);

// The whole of `text` as a decimal number (digits, and a minus first for the signed form); nothing
// else may stand in it, and it must fit the type.
std::optional<int64_t> ParseInt64(std::string_view text);
std::optional<uint64_t> ParseUint64(std::string_view text);
// The same for a floating-point number; finite values only.
std::optional<double> ParseDouble(std::string_view text);

// Whether `text` is UTF-8 and has no control characters: what a name or a path should be.
bool IsPlainText(std::string_view text);

// `text` for a message: in quotes, control characters and bytes of broken UTF-8 escaped, cut after
// `length_max` bytes.
std::string Quote(std::string_view text, size_t length_max = 60);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_TEXT_H_
