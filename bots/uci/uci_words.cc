#include "bots/uci/uci_words.h"

#include <algorithm>
#include <cstddef>

namespace triarch {

namespace {

constexpr bool IsSpace(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string_view TakeWord(std::string_view* line) {
  const char* begin = std::find_if_not(line->begin(), line->end(), IsSpace);
  const char* const end = std::find_if(begin, line->end(), IsSpace);
  const std::string_view word(begin, static_cast<size_t>(end - begin));
  line->remove_prefix(static_cast<size_t>(end - line->data()));
  return word;
}

std::vector<std::string_view> WordsOf(std::string_view line) {
  constexpr size_t kWordsExpected = 4;
  std::vector<std::string_view> words;
  words.reserve(kWordsExpected);
  for (std::string_view word = TakeWord(&line); !word.empty(); word = TakeWord(&line)) {
    words.push_back(word);
  }
  return words;
}

}  // namespace triarch
