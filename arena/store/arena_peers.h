// Keeps arenas that share a database in touch with each other.

#ifndef TRIARCH_ARENA_STORE_ARENA_PEERS_H_
#define TRIARCH_ARENA_STORE_ARENA_PEERS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/session/session.h"

namespace triarch::arena {

// Shows the others that this arena is alive, as long as the object lives, and listens to them.
class ArenaPeers {
 public:
  // Called in a thread of its own.
  struct News {
    // Another arena has appended to a table, which has so many events now.
    std::function<void(const std::string& table, int64_t events)> appended;
    // Another arena has recorded a game.
    std::function<void()> recorded;
    // This arena begins to run tables of an arena that is gone, or others run tables of this one,
    // which was silent for too long.
    std::function<void(const Lease&)> leased;
    // From now on, everything that others do is heard. What they did before may have been missed.
    std::function<void()> connected;
    // The database cannot be reached; later attempts follow.
    std::function<void(const absl::Status&)> lost;
  };

  virtual ~ArenaPeers() = default;
};

// Joins the arenas of a PostgreSQL database, whose tables exist. Fails if the URL is invalid.
absl::StatusOr<std::unique_ptr<ArenaPeers>> JoinPostgresPeers(const std::string& url,
                                                              const std::string& instance,
                                                              ArenaPeers::News news);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_STORE_ARENA_PEERS_H_
