// Decides which bots of several tournaments are one bot, and names the bots of the pool.

#ifndef TRIARCH_COORDINATOR_POOL_POOL_H_
#define TRIARCH_COORDINATOR_POOL_POOL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/pool/bot_identity.h"
#include "coordinator/store/stored.h"

namespace triarch {

// A tournament of a pool.
struct PoolTournament {
  size_t source = 0;  // number of its database
  std::string db;     // the database's name, for messages and tables
  StoredTournament stored = {};
  // Set by MakePool:
  std::vector<size_t> bots = {};  // index in Pool::bots, by number in the spec
  // The tournament of the pool that has the same games. Its games then count instead of these.
  std::optional<size_t> repeats = {};
};

// A bot of a pool. Bots that share their last name are the versions of one bot.
struct PoolBot {
  std::string name;  // unique in the pool: "mine", or "mine@1.2" if there are several versions
  std::string last_name = {};                 // "mine": what its last tournament called it
  std::vector<std::string> other_names = {};  // what other tournaments called it, sorted
  std::string version = {};                   // "1.2"; empty if it is the only version
  std::string first_played = {};              // when its first tournament was created (UTC)
  BotIdentity identity = {};
};

struct PoolOptions {
  std::string game = {};      // pools only its tournaments; if empty, all must have one game
  bool mixes_limits = false;  // allows different limits
  IdentityRules identity = {};
};

struct Pool {
  std::vector<PoolTournament> tournaments;  // those with rated games, in the given order
  std::vector<PoolBot> bots;                // by the creation of their first tournaments
  bool has_mixed_limits = false;
};

// Pools all tournaments that have games and are not self-play.
//
// Bots with the same identity are one bot, except copies: if a tournament seats two of them under
// different names, their names tell them apart. Two tournaments have the same games if they and
// their bots' digests are the same, and limits do not depend on time or one is in a copy of
// the other's database, as its time of creation shows.
//
// Fails with NotFound if there are no games, and with FailedPrecondition if the tournaments have
// different games, or limits that may not be mixed (time control, start, adjudication, draw rules).
absl::StatusOr<Pool> MakePool(std::vector<PoolTournament> tournaments, const PoolOptions& options);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_POOL_POOL_H_
