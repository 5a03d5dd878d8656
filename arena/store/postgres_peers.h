// Defines how arenas on one PostgreSQL database notify each other.

#ifndef TRIARCH_ARENA_STORE_POSTGRES_PEERS_H_
#define TRIARCH_ARENA_STORE_POSTGRES_PEERS_H_

namespace triarch::arena {

// The channel for NOTIFY. A message is "INSTANCE TABLE EVENTS" after an append, with the number of
// the table's events, or "INSTANCE" after a game was recorded.
inline constexpr const char* kArenaChannel = "triarch_arena";

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_STORE_POSTGRES_PEERS_H_
