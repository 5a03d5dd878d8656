// Judges a scenario by playing its move and comparing the result with the expectations of its row.

#ifndef TRIARCH_SCENARIOS_JUDGE_H_
#define TRIARCH_SCENARIOS_JUDGE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "scenarios/scenario_table.h"

namespace triarch {

struct Verdict {
  bool is_passed = false;
  std::string reason;                // why the scenario failed
  std::optional<std::string> after;  // the position after the move, if it was legal
  std::optional<std::string> ends;   // how the move ended the game: "1-0 checkmate", or "-"
  // Why the text of an INVALID move cannot be read as a move, unless the row gives a reason. Such a
  // scenario passes, but the text may be a typo.
  std::string unreadable;
  // Only for a scenario that failed:
  std::vector<std::string> nearby;  // legal moves that resemble the given move
  size_t legal_moves = 0;
};

// Returns an error if the row itself is wrong: its position or its expected position is invalid.
absl::StatusOr<Verdict> Judge(const std::string& game, const Scenario& scenario);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_JUDGE_H_
