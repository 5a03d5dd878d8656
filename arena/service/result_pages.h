// Counts the recorded results of an arena's Triumvirate games, for the pages of /api/v1.

#ifndef TRIARCH_ARENA_SERVICE_RESULT_PAGES_H_
#define TRIARCH_ARENA_SERVICE_RESULT_PAGES_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"

namespace triarch::arena {

// The JSON of GET /stats/colors and GET /leaderboard (docs/arena.md).
struct ResultPages {
  std::string colors = R"({"games":0,"colors":[]})";
  std::string leaderboard = "[]";
};

// Reads the results of all the arena's tournaments of Triumvirate.
absl::StatusOr<ResultPages> ReadResultPages(Store& store);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_RESULT_PAGES_H_
