// Writes tables as the JSON of /api/v1 (docs/arena.md).

#ifndef TRIARCH_ARENA_API_V1_JSON_H_
#define TRIARCH_ARENA_API_V1_JSON_H_

#include <optional>
#include <string>
#include <vector>

#include "arena/api/results.h"
#include "arena/session/session.h"
#include "arena/table/table.h"
#include "core/game/seat.h"

// All of it is about Triumvirate, the only game of that API.
namespace triarch::arena {

// What the answer to a move says besides the state.
struct MoveFacts {
  PerSeat<bool> was_in{};  // who was in the game before the move
};

// Returns the answer of GET /state. Requires: the table's game is Triumvirate.
std::string StateJson(const Table& table);
// Returns the answer to a move, with the state after it.
std::string MovedJson(const Table& table, const MoveFacts& facts, const std::string& state);
// Returns the body of a refused illegal move.
std::string IllegalMoveJson(const Table& table, const Refusal& refusal);
// Returns the answer to POST /join.
std::string JoinedJson(const Table& table, const std::string& token, Seat seat);
// Returns the answer to POST /resign.
std::string ResignedJson(const Table& table);
// Returns an element of the answer of GET /games.
std::string ListedJson(const Table& table);

// Returns the answers of GET /stats/colors and GET /leaderboard.
std::string ColorsJson(const GameResults& results);
std::string LeaderboardJson(const GameResults& results);

// Reads the promotion of a move: "queen" in any case, or "Q". Empty text means the queen. Returns
// the letter; empty if there is no such piece.
std::optional<char> PromotionLetter(const std::string& text);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V1_JSON_H_
