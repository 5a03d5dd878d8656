#include "scenarios/json_move.h"

#include <array>
#include <vector>

#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"

namespace triarch {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"board",  "from",     "to",       "type",
                                                   "player", "captured", "promotion"};

// Returns whether the move has all the members that `wanted` has.
bool Matches(const Json& move, const Json& wanted) {
  for (const auto& [key, value] : wanted.items()) {
    if (!move.contains(key) || move.at(key) != value) return false;
  }
  return true;
}

}  // namespace

bool IsJsonMove(std::string_view text) {
  text = Trim(text);
  // A brace alone begins a comment of TPGN.
  return text.starts_with('{') && Trim(text.substr(1)).starts_with('"');
}

absl::StatusOr<std::string> JsonMoveText(const AnyState& state, std::string_view object) {
  ASSIGN_OR_RETURN(const Json wanted, ParseJson(object));
  RETURN_IF_ERROR(JsonNode(wanted).CheckKeys({}, kKeys));
  const AnyState::Moves moves = state.LegalMoves();
  std::vector<size_t> found;
  for (size_t i = 0; i < moves.size(); ++i) {
    const absl::StatusOr<Json> move = ParseJson(state.MoveToJson(moves, i));
    CHECK(move.ok());
    if (Matches(*move, wanted)) found.push_back(i);
  }
  if (found.size() == 1) return state.MoveToString(moves, found.front());
  if (!found.empty()) {
    return absl::InvalidArgumentError(Counted(found.size(), "legal move") +
                                      " match; give more keys");
  }
  // If the cells are wrong, the rules say why.
  if (wanted.contains("from") && wanted["from"].is_string() && wanted.contains("to") &&
      wanted["to"].is_string()) {
    const std::string text =
        wanted["from"].get<std::string>() + "-" + wanted["to"].get<std::string>();
    RETURN_IF_ERROR(state.FindMove(moves, text).status());
  }
  return absl::InvalidArgumentError("no legal move matches");
}

}  // namespace triarch
