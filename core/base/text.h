// Splits, parses and quotes std::string_view, which Debian's Abseil does not accept.

#ifndef TRIARCH_CORE_BASE_TEXT_H_
#define TRIARCH_CORE_BASE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// Returns the parts of `text` between separators, including empty ones; "" has one empty part.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Returns `text` without leading and trailing spaces, tabs and line ends.
std::string_view Trim(std::string_view text);

// Parses all of `text` as a decimal number (digits, with an optional minus for the signed form).
// Returns nullopt if it is anything else or does not fit the type.
std::optional<int64_t> ParseInt64(std::string_view text);
std::optional<uint64_t> ParseUint64(std::string_view text);
// Parses all of `text` as a finite floating-point number.
std::optional<double> ParseDouble(std::string_view text);

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the length of the UTF-8 character at the start of a text that is not empty, or 0 if it is
// invalid: overlong, a surrogate or past U+10FFFF.
size_t Utf8Length(std::string_view text);
// Returns whether a byte of UTF-8 continues a character.
inline bool IsUtf8Tail(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns whether `text` is a SHA-256 in hex: 64 lower-case digits.
bool IsSha256(std::string_view text);

// Returns whether `text` is UTF-8 on one line without characters that Printable escapes, and
// without tabs, as names and paths should be.
bool IsPlainText(std::string_view text);

// Returns `text` with everything escaped ("\x1b", "\u202e") that could deceive a reader or control
// a terminal: control characters other than line feeds and tabs, characters that change the
// direction of writing, and bytes that are not UTF-8. For texts from strangers, wherever they are
// shown. Applying it again changes nothing, and JSON in UTF-8 keeps its meaning.
std::string Printable(std::string_view text);
// Returns it on one line: line feeds and tabs become spaces.
std::string PrintableLine(std::string_view text);

// Returns `text` as one word of a POSIX shell, quoted if necessary.
std::string ShellWord(std::string_view text);

// Quotes `text` for a message: escapes control characters and bytes that are not ASCII, and
// truncates after `length_max` bytes.
std::string Quote(std::string_view text, size_t length_max = 60);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_TEXT_H_
