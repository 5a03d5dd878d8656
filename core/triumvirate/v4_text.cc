#include "core/triumvirate/v4_text.h"

#include <algorithm>
#include <optional>

#include "core/game/piece.h"

namespace triarch::triumvirate {
namespace {

char UpperCase(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Returns whether the character can occur in a name of v4.0 ("W2/R2.3", "C/W.B") or in another
// word. An x is a sign: it stands between the cells of a capture.
bool IsOfWord(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z' && c != 'x') || (c >= '0' && c <= '9') ||
         c == '/' || c == '.';
}

// Replaces each maximal run of such characters, without dots at its end, with
// `rename(run, character before)`.
template <class Rename>
std::string ReplaceWords(std::string_view text, Rename rename) {
  std::string result;
  while (!text.empty()) {
    const auto run =
        static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsOfWord) - text.begin());
    const size_t size = text.substr(0, run).find_last_not_of('.') + 1;
    if (size > 0) result += rename(text.substr(0, size), result.empty() ? ' ' : result.back());
    // Past the dots at the end, and the sign that ended the run.
    const size_t end = std::min(std::max<size_t>(run, 1), text.size());
    result += text.substr(size, end - size);
    text.remove_prefix(end);
  }
  return result;
}

// Returns "Train" for "rook" and "Trains" for "Rooks", and other words unchanged.
std::string ToV4Piece(std::string_view word) {
  std::string singular(word);
  singular[0] = LowerCase(singular[0]);
  const bool is_plural = singular.size() > 1 && singular.ends_with('s');
  if (is_plural) singular.pop_back();
  const auto name = std::find(triarch::kPieceNames.begin(), triarch::kPieceNames.end(), singular);
  if (name == triarch::kPieceNames.end()) return std::string(word);
  const auto type = static_cast<PieceType>(name - triarch::kPieceNames.begin());
  const bool adds_s = is_plural && type != PieceType::kKnight;  // Noctis is its own plural
  return std::string(V4Name(type)) + (adds_s ? "s" : "");
}

std::string ToV4Word(std::string_view word, char before, V4Table table) {
  if (const std::optional<Cell> cell = Cell::Parse(word)) return ToV4(*cell, table);
  const size_t type = before == '=' && word.size() == 1 ? triarch::kPieceLetters.find(word[0])
                                                        : std::string_view::npos;
  if (type == std::string_view::npos) return ToV4Piece(word);
  return {V4Letter(static_cast<PieceType>(type))};
}

std::string FromV4Word(std::string_view word, char before, V4Table table) {
  if (word.find('/') != std::string_view::npos) {  // every name has one, and few other words do
    std::string name(word);
    std::transform(name.begin(), name.end(), name.begin(), UpperCase);
    const auto cell = FromV4(name, table);
    return cell.ok() ? cell->ToString() : std::string(word);
  }
  if (before != '=' || word.size() > 1) return std::string(word);
  for (size_t type = 0; type < kPieceTypes; ++type) {
    if (V4Letter(static_cast<PieceType>(type)) == UpperCase(word[0])) {
      return {triarch::kPieceLetters[type]};
    }
  }
  return std::string(word);
}

}  // namespace

std::string ToV4Text(std::string_view classic, V4Table table) {
  return ReplaceWords(
      classic, [&](std::string_view word, char before) { return ToV4Word(word, before, table); });
}

std::string FromV4Text(std::string_view text, V4Table table) {
  return ReplaceWords(
      text, [&](std::string_view word, char before) { return FromV4Word(word, before, table); });
}

}  // namespace triarch::triumvirate
