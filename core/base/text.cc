#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <type_traits>

#include "absl/strings/charconv.h"

namespace triarch {
namespace {

template <class T>
std::optional<T> ParseWhole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = [&] {
    // Emscripten's standard library reads no fractions.
    if constexpr (std::is_floating_point_v<T>) {
      return absl::from_chars(text.data(), end, value);
    } else {
      return std::from_chars(text.data(), end, value);
    }
  }();
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

constexpr char kHex[] = "0123456789abcdef";

// Appends "\x" and two digits for each byte.
void Escape(std::string_view bytes, std::string* to) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *to += "\\x";
    *to += kHex[byte >> 4];
    *to += kHex[byte & 15];
  }
}

// Appends "\u" and four digits for a character of one to three bytes.
void EscapeCharacter(std::string_view utf8, std::string* to) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(utf8[i]); };
  unsigned code = byte(0);
  if (utf8.size() == 2) code = (code & 0x1fu) << 6 | (byte(1) & 0x3fu);
  if (utf8.size() == 3) code = (code & 0xfu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
  *to += "\\u";
  for (const int shift : {12, 8, 4, 0}) *to += kHex[code >> shift & 15];
}

bool IsPlainByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7f) || c == '\n' || c == '\t';
}

// Returns whether a character of two or more bytes is a control character (U+0080 to U+009F), a
// line separator, or changes the direction of writing.
bool IsDeceptive(std::string_view utf8) {
  if (utf8.size() == 2) return (utf8[0] == '\xc2' && utf8[1] < '\xa0') || utf8 == "\u061c";
  return utf8 == "\u200e" || utf8 == "\u200f" || (utf8 >= "\u2028" && utf8 <= "\u202e") ||
         (utf8 >= "\u2066" && utf8 <= "\u2069");
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsUtf8Tail(text[i])) return 0;
  }
  const bool is_none = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
                       (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f);
  return is_none ? 0 : length;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::optional<int64_t> ParseInt64(std::string_view text) { return ParseWhole<int64_t>(text); }
std::optional<uint64_t> ParseUint64(std::string_view text) { return ParseWhole<uint64_t>(text); }

std::optional<double> ParseDouble(std::string_view text) {
  const std::optional<double> value = ParseWhole<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return IsDigit(c) || (c >= 'a' && c <= 'f');
         });
}

bool IsPlainText(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first < 0x20 || first == 0x7f) return false;
    if (IsDeceptive(text.substr(0, length))) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const size_t length = std::max<size_t>(Utf8Length(text), 1);
    const std::string_view character = text.substr(0, length);
    const bool is_plain = length > 1 ? !IsDeceptive(character) : IsPlainByte(character[0]);
    if (is_plain) {
      printable += character;
    } else if (length > 1 || character == "\x7f") {
      EscapeCharacter(character, &printable);
    } else {
      Escape(character, &printable);
    }
    text.remove_prefix(length);
  }
  return printable;
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kPlain = "-_./,:=@%+";
  const bool is_plain = std::all_of(text.begin(), text.end(), [&](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
  return word + "'";
}

std::string PrintableLine(std::string_view text) {
  std::string line = Printable(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string Quote(std::string_view text, size_t length_max) {
  std::string quoted = "\"";
  for (const char c : text.substr(0, length_max)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      Escape({&c, 1}, &quoted);
    } else {
      quoted += c;
    }
  }
  quoted += text.size() > length_max ? "…\"" : "\"";
  return quoted;
}

}  // namespace triarch
