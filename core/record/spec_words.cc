#include "core/record/spec_words.h"

#include <algorithm>

namespace triarch {
namespace {

template <class T, size_t n>
std::optional<T> ValueOf(const std::array<std::string_view, n>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<T>(found - words.begin());
}

}  // namespace

std::string_view ToString(Draws draws) { return kDrawsWords[static_cast<size_t>(draws)]; }
std::optional<Draws> ParseDraws(std::string_view word) { return ValueOf<Draws>(kDrawsWords, word); }
std::string_view OnOff(bool is_on) { return kOnOffWords[is_on ? 1 : 0]; }
std::optional<bool> ParseOnOff(std::string_view word) { return ValueOf<bool>(kOnOffWords, word); }

}  // namespace triarch
