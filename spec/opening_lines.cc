#include "spec/opening_lines.h"

#include <limits>
#include <string>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

absl::Status ErrorAtLine(int line, std::string_view message) {
  return absl::InvalidArgumentError(absl::StrFormat("line %d: %s", line, message));
}

// Returns the position before the first move of a game.
absl::StatusOr<AnyState> StartOf(const TpgnGame& game, const AnyState& start, DrawRules rules) {
  const std::string_view variant = game.tag("Variant").value_or(start.info().variant);
  if (variant != start.info().variant) {
    return ErrorAtLine(game.line, absl::StrFormat("the game's Variant is %s; expected %s",
                                                  Quote(variant), start.info().variant));
  }
  const std::optional<std::string_view> position = game.tag("FEN");
  if (!position) return start;
  absl::StatusOr<AnyState> parsed = AnyState::Parse(start.info().name, *position, rules);
  if (!parsed.ok()) return ErrorAtLine(game.line, "tag FEN: " + parsed.status().ToString());
  return parsed;
}

// Plays a move of a TPGN text and returns its canonical form.
absl::StatusOr<std::string> PlayItem(const TpgnItem& item, AnyState& state) {
  const AnyState::Moves legal = state.LegalMoves();
  const absl::StatusOr<size_t> number = state.FindMove(legal, item.text);
  if (!number.ok()) return ErrorAtLine(item.line, Message(number.status()));
  std::string move = state.MoveToString(legal, *number);
  state.Play(legal, *number);
  return move;
}

absl::StatusOr<Openings::Line> LineFromGame(const TpgnGame& game, const AnyState& start,
                                            int64_t plies, DrawRules rules) {
  ASSIGN_OR_RETURN(AnyState state, StartOf(game, start, rules));
  Openings::Line line;
  if (state.ToString() != start.ToString()) line.position = state.ToString();
  for (const TpgnItem& item : game.items) {
    if (static_cast<int64_t>(line.moves.size()) >= plies || state.outcome()) break;
    if (item.kind == TpgnItem::Kind::kUnrecorded) break;
    if (item.kind != TpgnItem::Kind::kMove) continue;
    ASSIGN_OR_RETURN(std::string move, PlayItem(item, state));
    line.moves.push_back(std::move(move));
  }
  if (state.outcome() || state.LegalMoves().size() == 0) {
    return ErrorAtLine(game.line, "no legal move after " +
                                      Counted(line.moves.size(), "ply", "plies") +
                                      "; expected an opening");
  }
  return line;
}

}  // namespace

absl::StatusOr<Openings::Line> LineFromPosition(std::string_view game, std::string_view position,
                                                DrawRules rules) {
  ASSIGN_OR_RETURN(const AnyState state, AnyState::Parse(game, position, rules));
  if (state.outcome()) {
    return absl::InvalidArgumentError("the game is over in this position (" +
                                      std::string(ToString(state.outcome()->termination)) +
                                      "); expected one to play from");
  }
  if (state.LegalMoves().size() == 0) {
    return absl::InvalidArgumentError("no legal move in this position; expected one to play from");
  }
  return Openings::Line{.position = state.ToString(), .moves = {}};
}

absl::StatusOr<std::vector<Openings::Line>> LinesFromTpgn(const AnyState& start,
                                                          std::string_view tpgn,
                                                          std::optional<int64_t> plies,
                                                          DrawRules rules) {
  const int64_t plies_max = plies.value_or(std::numeric_limits<int64_t>::max());
  std::vector<Openings::Line> lines;
  TpgnReader reader(tpgn);
  while (std::optional<absl::StatusOr<TpgnGame>> game = reader.Next()) {
    RETURN_IF_ERROR(game->status());
    ASSIGN_OR_RETURN(Openings::Line line, LineFromGame(**game, start, plies_max, rules));
    lines.push_back(std::move(line));
  }
  if (lines.empty()) {
    return absl::InvalidArgumentError("the file has no game; expected one for each opening");
  }
  return lines;
}

}  // namespace triarch
