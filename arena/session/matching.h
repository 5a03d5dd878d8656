// Decides who plays whom: which table suits a player, and which house bots suit a table.

#ifndef TRIARCH_ARENA_SESSION_MATCHING_H_
#define TRIARCH_ARENA_SESSION_MATCHING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "arena/session/session.h"
#include "arena/table/table.h"

namespace triarch::arena {

// Returns whether the player's rating is near enough to those at the table.
bool IsInWindow(const Table& table, const JoinAsk& ask, const SessionOptions& options,
                const SessionParts& parts);
// Returns whether a player can meet different house bots in all other seats, as in a rated game.
bool HasBotsFor(const GameInfo& game, const SessionOptions& options);
// Returns the house bots for the table's empty seats, as Table::Fill takes them.
std::vector<std::string> HouseBotsFor(const Table& table, const SessionOptions& options,
                                      const SessionParts& parts);
// Returns the number of seats that players can still take.
size_t FreeSeats(const Table& table);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_MATCHING_H_
