#include "scenarios/nearby_moves.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace triarch {
namespace {

// Returns the piece that a written move names, such as N in "N@b2W-c4N" and K in castling, or '\0'.
char PieceLetter(std::string_view text) {
  if (text.starts_with('0') || text.starts_with('O')) return 'K';
  return text.size() > 1 && text[1] == '@' ? text[0] : '\0';
}

// The parts of an illegal move that could be read, to compare legal moves with.
struct Likeness {
  std::string_view text;
  std::optional<std::string> start;  // the cell or pin that the piece or board leaves
  char piece = '\0';                 // if the text names no start

  Likeness(const AnyState& state, std::string_view move) : text(move) {
    const std::string_view from = text.substr(0, text.find_first_of("-x:"));
    if (from != text) start = state.FindStart(from.substr(from.find('@') + 1));
    const bool is_start = start || state.FindStart(text);
    piece = is_start ? '\0' : PieceLetter(text);
    if (!is_start && piece == '\0' && std::string_view("KQRBN").find(text[0]) != text.npos) {
      piece = text[0];  // the short form "Nc6B"
    }
  }

  // The target comes last, except for a promotion or a mark.
  bool HasTarget(std::string_view canonical) const {
    std::string_view target = canonical.substr(canonical.find('-') + 1);
    target = target.substr(0, target.find('='));
    const size_t at = text.rfind(target);
    return at != std::string_view::npos && at + target.size() + 2 >= text.size();
  }

  bool HasPiece(const AnyState& state, const AnyState::Moves& moves, size_t number) const {
    const size_t forms = AnyState::MoveForms(state.info().name).size();
    for (size_t form = 0; piece != '\0' && form < forms; ++form) {
      if (PieceLetter(state.MoveInForm(moves, number, form)) == piece) return true;
    }
    return false;
  }

  // Returns 0 for the same start, 1 for the same target, 2 for the same piece, 3 if both move
  // boards, 4 if the moves have nothing in common.
  int Distance(const AnyState& state, const AnyState::Moves& moves, size_t number) const {
    const std::string from = state.MoveStart(moves, number);
    if (start == from) return 0;
    if (HasTarget(state.MoveToString(moves, number))) return 1;
    if (HasPiece(state, moves, number)) return 2;
    return start && !state.IsCell(*start) && !state.IsCell(from) ? 3 : 4;
  }
};

}  // namespace

std::vector<std::string> NearbyMoves(const AnyState& state, const AnyState::Moves& moves,
                                     std::string_view text) {
  constexpr size_t kMost = 12;
  const Likeness likeness(state, text);
  std::vector<std::pair<int, std::string>> found;
  for (size_t i = 0; i < moves.size(); ++i) {
    const int distance = likeness.Distance(state, moves, i);
    if (distance < 4) found.emplace_back(distance, state.MoveToString(moves, i));
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> nearby;
  for (const auto& [distance, move] : found) {
    if (nearby.size() == kMost || (distance > 0 && found.front().first == 0)) break;
    nearby.push_back(move);
  }
  return nearby;
}

}  // namespace triarch
