#include "scenarios/judge.h"

#include <string_view>

#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "scenarios/nearby_moves.h"
#include "scenarios/play_move.h"

namespace triarch {
namespace {

// Plays the move by the rules of the game alone, without the draws that only a match declares.
absl::Status TryMove(AnyState& state, std::string_view text) {
  if (text.starts_with("resign:")) return PlayMove(state, text);
  state.JudgeTurn();
  const AnyState::Moves moves = state.LegalMoves();
  ASSIGN_OR_RETURN(const size_t number, state.FindMove(moves, text));
  state.Play(moves, number);
  return absl::OkStatus();
}

// Says why the text cannot be read as a move at all, or returns "". Tries it in the default start,
// because a finished game, or one in which a pawn must promote first, gives the same error for any
// text.
std::string WhyUnreadable(const std::string& game, std::string_view text) {
  AnyState start = AnyState::Start(game, "").value();
  const std::string why(TryMove(start, text).message());
  // Every game explains its notation when it cannot read a move: "…; a move is written E2-E4, …".
  const bool is_unreadable =
      why.find(" is written ") != std::string::npos || why.starts_with("no such seat");
  return is_unreadable ? why : "";
}

// Returns how the move ended the game, or "-". A dead position ends the game too; parsing it as a
// position of a match detects it.
std::string EndsText(const std::string& game, const AnyState& state) {
  std::optional<Outcome> outcome = state.outcome();
  if (!outcome) {
    const auto played = AnyState::Parse(game, state.ToString(), {.draws = Draws::kClaimed});
    if (played.ok()) outcome = played->outcome();
  }
  if (!outcome) return "-";
  return ResultText(outcome->place, state.info().seats) + " " +
         std::string(ToString(outcome->termination));
}

// Says why the scenario fails, or returns "" if it passes. `status` is the result of the move.
absl::StatusOr<std::string> WhyFailed(const std::string& game, const Scenario& scenario,
                                      const absl::Status& status, const Verdict& verdict) {
  const std::string why(status.message());
  if (!scenario.is_valid) {
    if (status.ok()) return "the move is legal";
    const std::string& reason = scenario[kReason];
    const bool is_said = why.find(reason) != std::string::npos ||
                         WhyUnreadable(game, scenario[kMove]).find(reason) != std::string::npos;
    return is_said ? "" : "the move is illegal for another reason: " + why;
  }
  std::string after = scenario[kAfter];
  if (!after.empty() && after != verdict.after) {
    const absl::StatusOr<AnyState> expected = AnyState::Parse(game, after, kRulesOnly);
    if (!expected.ok()) {
      return absl::InvalidArgumentError("after: " + std::string(expected.status().message()));
    }
    after = expected->ToString();
  }
  if (!status.ok()) return why;
  if (!after.empty() && after != verdict.after) {
    return "the position after the move differs";
  }
  const std::string& ends = scenario[kEnds];
  const bool is_end = ends.empty() || *verdict.ends == ends || verdict.ends->ends_with(" " + ends);
  if (is_end) return "";
  return *verdict.ends == "-" ? "the game does not end"
                              : "the game ends differently: " + *verdict.ends;
}

}  // namespace

absl::StatusOr<Verdict> Judge(const std::string& game, const Scenario& scenario) {
  absl::StatusOr<AnyState> state = AnyState::Parse(game, scenario[kPosition], kRulesOnly);
  if (!state.ok()) {
    return absl::InvalidArgumentError("position: " + std::string(state.status().message()));
  }
  Verdict verdict;
  AnyState next = *state;
  const absl::Status status = TryMove(next, scenario[kMove]);
  if (status.ok()) {
    verdict.after = next.ToString();
    verdict.ends = EndsText(game, next);
  }
  ASSIGN_OR_RETURN(verdict.reason, WhyFailed(game, scenario, status, verdict));
  verdict.is_passed = verdict.reason.empty();
  if (verdict.is_passed) {
    const bool is_open = !scenario.is_valid && scenario[kReason].empty();
    if (is_open) verdict.unreadable = WhyUnreadable(game, scenario[kMove]);
    return verdict;
  }
  state->JudgeTurn();
  const AnyState::Moves moves = state->LegalMoves();
  verdict.nearby = NearbyMoves(*state, moves, scenario[kMove]);
  verdict.legal_moves = moves.size();
  return verdict;
}

}  // namespace triarch
