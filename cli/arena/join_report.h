// Formats what `triarch join` has played.

#ifndef TRIARCH_CLI_ARENA_JOIN_REPORT_H_
#define TRIARCH_CLI_ARENA_JOIN_REPORT_H_

#include <string>
#include <vector>

#include "arena/client/table_player.h"

namespace triarch {

// Returns the line of a game: its table and seat, the opponents and what came of it.
std::string JoinedGameLine(const arena::TableGame& game);
// Returns the last line: how many games, the points and the places.
std::string JoinedGamesSummary(const std::vector<arena::TableGame>& games);
// Returns one JSON object with all games (docs/json.md).
std::string JoinedGamesJson(const std::string& url, const std::string& game, const std::string& bot,
                            const std::vector<arena::TableGame>& games);

}  // namespace triarch

#endif  // TRIARCH_CLI_ARENA_JOIN_REPORT_H_
