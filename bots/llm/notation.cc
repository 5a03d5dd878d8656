#include "bots/llm/notation.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/triumvirate/v4_notation.h"

namespace triarch::llm {
namespace {

using triumvirate::Cell;
using triumvirate::V4Table;

constexpr std::string_view kClassicLetters = "PNBRQK";

bool IsLetterOrDigit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Returns whether the character can occur in a name of v4.0: "W2/R2.3", "C/W.B".
bool IsNameCharacter(char c) { return IsLetterOrDigit(c) || c == '/' || c == '.'; }

// Replaces each maximal run of such characters with `rename(run, character before)`.
template <class IsOfWord, class Rename>
std::string ReplaceWords(std::string_view text, IsOfWord is_of_word, Rename rename) {
  std::string result;
  while (!text.empty()) {
    const auto size =
        static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_of_word) - text.begin());
    if (size > 0) {
      result += rename(text.substr(0, size), result.empty() ? ' ' : result.back());
      text.remove_prefix(size);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

std::string ToV4Word(std::string_view word, char before) {
  if (const std::optional<Cell> cell = Cell::Parse(word)) {
    return triumvirate::ToV4(*cell, V4Table::kPublished);
  }
  const size_t type =
      before == '=' && word.size() == 1 ? kClassicLetters.find(word[0]) : std::string_view::npos;
  if (type == std::string_view::npos) return std::string(word);
  return {triumvirate::V4Letter(static_cast<PieceType>(type))};
}

std::string FromV4Name(std::string_view word, char before) {
  if (word.find('/') != std::string_view::npos) {  // every name has one, and few other words do
    const auto cell = triumvirate::FromV4(word, V4Table::kPublished);
    return cell.ok() ? cell->ToString() : std::string(word);
  }
  for (size_t type = 0; before == '=' && word.size() == 1 && type < kClassicLetters.size();
       ++type) {
    const char letter = triumvirate::V4Letter(static_cast<PieceType>(type));
    if (letter == word[0]) return {kClassicLetters[type]};
  }
  return std::string(word);
}

std::string FromV4Word(std::string_view word, char before) {
  const size_t dots = word.size() - (word.find_last_not_of('.') + 1);  // the end of a sentence
  return FromV4Name(word.substr(0, word.size() - dots), before) + std::string(dots, '.');
}

}  // namespace

std::string ToNotation(Notation notation, std::string_view classic) {
  if (notation == Notation::kClassic) return std::string(classic);
  return ReplaceWords(classic, IsLetterOrDigit, ToV4Word);
}

std::string FromNotation(Notation notation, std::string_view text) {
  if (notation == Notation::kClassic) return std::string(text);
  return ReplaceWords(text, IsNameCharacter, FromV4Word);
}

}  // namespace triarch::llm
