#include "worker/host/uci_words.h"

#include <cstddef>

namespace triarch {

std::vector<std::string_view> WordsOf(std::string_view line) {
  constexpr size_t kWordsExpected = 4;
  std::vector<std::string_view> words;
  words.reserve(kWordsExpected);
  const auto is_space = [&](size_t at) { return line[at] == ' ' || line[at] == '\t'; };
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    while (at < line.size() && !is_space(at)) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
    ++at;
  }
  return words;
}

}  // namespace triarch
