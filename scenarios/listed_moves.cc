#include "scenarios/listed_moves.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Returns the text by which moves are compared.
std::string Comparable(const AnyState& state, const AnyState::Moves& moves, std::string_view text) {
  const absl::StatusOr<size_t> number = state.FindMove(moves, text);
  if (number.ok()) return state.MoveToString(moves, *number);
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == 'x' || c == ':'; }, '-');
  return plain;
}

}  // namespace

absl::StatusOr<std::set<std::string>> ReadListedMoves(std::string_view answer) {
  constexpr std::string_view kCount = "Nodes searched: ";
  std::set<std::string> moves;
  std::string_view last;
  for (std::string_view line : Split(answer, '\n')) {
    line = Trim(line);
    if (line.empty()) continue;
    last = line;
    if (line.starts_with(kCount)) {
      const std::optional<uint64_t> count = ParseUint64(line.substr(kCount.size()));
      if (count == moves.size()) return moves;
      return absl::InvalidArgumentError(
          absl::StrFormat("it lists %d different moves, but says %s", moves.size(), Quote(line)));
    }
    const size_t colon = line.rfind(": ");
    const std::string_view move = line.substr(0, colon);
    if (colon == std::string_view::npos || move.find(' ') != std::string_view::npos) continue;
    if (line.substr(colon) == ": 1") moves.emplace(move);
  }
  return absl::InvalidArgumentError(
      "it does not answer `go perft 1` with \"Nodes searched: N\"; its last line was " +
      Quote(last));
}

bool IsListed(const AnyState& state, const std::set<std::string>& listed, std::string_view move) {
  const AnyState::Moves moves = state.LegalMoves();
  const std::string wanted = Comparable(state, moves, move);
  return std::any_of(listed.begin(), listed.end(), [&](const std::string& text) {
    return Comparable(state, moves, text) == wanted;
  });
}

}  // namespace triarch
