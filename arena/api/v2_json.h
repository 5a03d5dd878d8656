// Writes tables, turns and events as the JSON of /api/v2 (docs/arena-api.md).

#ifndef TRIARCH_ARENA_API_V2_JSON_H_
#define TRIARCH_ARENA_API_V2_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/body.h"
#include "arena/table/table.h"
#include "core/game/position.h"
#include "core/game/seat.h"

namespace triarch::arena {

// "white": the name of a seat in JSON.
std::string SeatWord(const GameInfo& game, Seat seat);
std::optional<Seat> ParseSeat(const GameInfo& game, std::string_view word);
// "waiting", "playing", "finished", "closed"
std::string_view StageName(Table::Stage stage);
// "2026-11-27T10:00:00.123Z"
std::string TimeText(int64_t time_ms);

// Splits "tpgn,board". InvalidArgument: the game has no such notation.
absl::StatusOr<std::vector<std::string>> ParseNotations(const std::string& game,
                                                        std::string_view text);

// Returns what everyone may see of a table.
ApiJson TableJson(const Table& table, const std::vector<std::string>& notations, int64_t now_ms);
// Returns what the player of a seat sees.
ApiJson TurnJson(const Table& table, Seat seat, const std::vector<std::string>& notations,
                 int64_t now_ms);
// Returns an element of GET /tables.
ApiJson ListedTableJson(const Table& table);
// Returns the result; null unless the game is finished.
ApiJson ResultJson(const Table& table);
// Returns the moves in the canonical form.
ApiJson LegalMovesJson(const Table& table);

// Returns an event without its secrets. `after` is the table after it, and `n` its number.
std::string PublicEventJson(const Table& after, int64_t n, const Event& event);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_JSON_H_
