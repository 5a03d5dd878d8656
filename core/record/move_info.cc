#include "core/record/move_info.h"

#include <algorithm>

#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/record/claim_bounds.h"

namespace triarch {
namespace {

// Returns the text with single spaces and line feeds, and none at its ends.
std::string WithSingleSpaces(std::string_view text) {
  std::string single;
  char gap = 0;
  for (const char c : text) {
    if (c == '\n') {
      gap = c;
    } else if (c == ' ' || c == '\t') {
      if (gap == 0) gap = ' ';
    } else {
      if (gap != 0 && !single.empty()) single += gap;
      gap = 0;
      single += c;
    }
  }
  return single;
}

// Cuts to `bytes_max` or a little less, at the end of a character.
std::string_view CutAtCharacter(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && IsUtf8Tail(text[bytes_max])) --bytes_max;
  return text.substr(0, bytes_max);
}

// Cuts to `bytes_max` or less, at the end of a word.
std::string_view CutAtWord(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const size_t end = text.rfind(' ', bytes_max);
  return text.substr(0, end == std::string_view::npos ? 0 : end);
}

// Moves have only such characters, none of which means anything in TPGN or on a page.
bool IsInMoves(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '=' ||
         c == '+' || c == '#' || c == '.';
}

// Returns the line up to the first word that cannot be a move.
std::string_view OnlyMoves(std::string_view line) {
  const auto bad =
      std::find_if_not(line.begin(), line.end(), [](char c) { return c == ' ' || IsInMoves(c); });
  if (bad == line.end()) return line;
  const size_t end = line.rfind(' ', static_cast<size_t>(bad - line.begin()));
  return line.substr(0, end == std::string_view::npos ? 0 : end);
}

}  // namespace

void Sanitize(MoveInfo* info) {
  info->depth = std::clamp(info->depth, int64_t{0}, kFigureMax);
  info->nodes = std::clamp(info->nodes, int64_t{0}, kFigureMax);
  const std::string line = WithSingleSpaces(PrintableLine(info->line));
  info->line = CutAtWord(OnlyMoves(line), MoveInfo::kLineBytesMax);
  const std::string explanation = WithSingleSpaces(Printable(info->explanation));
  info->explanation = Trim(CutAtCharacter(explanation, MoveInfo::kExplanationBytesMax));
}

std::string LegalLine(const AnyState& state, std::string_view move, std::string_view line) {
  std::string legal;
  AnyState next = state;
  for (const std::string_view word : Split(line, ' ')) {
    if (next.outcome()) break;
    const AnyState::Moves moves = next.LegalMoves();
    const absl::StatusOr<size_t> number = next.FindMove(moves, word);
    if (!number.ok()) break;
    const std::string text = next.MoveToString(moves, *number);
    if (legal.empty() && text != move) break;
    if (!legal.empty()) legal += ' ';
    legal += text;
    next.Play(moves, *number);
  }
  return legal;
}

const MoveInfo* FindInfo(const std::vector<MoveInfo>& infos, int64_t ply) {
  const auto found =
      std::lower_bound(infos.begin(), infos.end(), ply,
                       [](const MoveInfo& info, int64_t wanted) { return info.ply < wanted; });
  return found != infos.end() && found->ply == ply ? &*found : nullptr;
}

std::string ToText(const MoveInfo& info) {
  std::string text;
  const auto add = [&text](const std::string& part, const char* separator) {
    if (!text.empty()) text += separator;
    text += part;
  };
  if (info.depth > 0) add("depth " + std::to_string(info.depth), ", ");
  if (info.nodes > 0) add(Counted(info.nodes, "node"), ", ");
  if (!info.line.empty()) add("expects " + info.line, ", ");
  if (!info.explanation.empty()) add(info.explanation, "\n");
  return text;
}

}  // namespace triarch
