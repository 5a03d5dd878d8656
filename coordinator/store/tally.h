// Packs the results of consecutive games, and the sums of their costs, into a few bytes each.

#ifndef TRIARCH_COORDINATOR_STORE_TALLY_H_
#define TRIARCH_COORDINATOR_STORE_TALLY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_costs.h"
#include "core/record/game_summary.h"

// A store keeps one tally for each kGamesPerTally indices of a tournament, and changes it in the
// transaction that records the games. So standings read about eight bytes of a game.
namespace triarch {

inline constexpr int64_t kGamesPerTally = 128;
inline int64_t TallyOf(int64_t index) { return index / kGamesPerTally; }

using ResultVisitor = absl::FunctionRef<absl::Status(const GameSummary&)>;

// Returns `tally` with these games added; they may be in any order. Pass "" to begin a new tally.
// Fails with DataLoss if `tally` is not a tally. Requires: it has none of the games.
absl::StatusOr<std::string> AddToTally(std::string_view tally, std::vector<GameSummary> games);

// Visits the results by index, as Store::VisitResults does, and adds their costs to `costs`. Fails
// with DataLoss if it is not a tally.
absl::Status VisitTally(std::string_view tally, ResultVisitor visit, GameCosts* costs);

// Adds newly recorded games to their tallies and returns the changed ones by number. `read` returns
// a tally from the store, or "" if the store does not have it yet.
absl::StatusOr<std::map<int64_t, std::string>> AddToTallies(
    const std::function<absl::StatusOr<std::string>(int64_t number)>& read,
    std::span<const GameSummary> games);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_TALLY_H_
