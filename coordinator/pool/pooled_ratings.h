// Rates the bots of several databases together.

#ifndef TRIARCH_COORDINATOR_POOL_POOLED_RATINGS_H_
#define TRIARCH_COORDINATOR_POOL_POOLED_RATINGS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/pool/pool.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"

namespace triarch {

struct PoolSource {
  std::string name;  // for messages and tables
  std::unique_ptr<Store> store;
};

struct PooledOptions {
  PoolOptions pool = {};
  std::optional<int64_t> tournament = {};  // pools only the tournaments with this ID
  std::string anchor = {};                 // the bot whose rating is 0; if empty, the mean is 0
};

// The versions of one bot.
struct BotHistory {
  struct Version {
    size_t bot = 0;  // index in Pool::bots
    // How much stronger it is than the version before. Empty for the first version, and if no chain
    // of games connects the two.
    std::optional<ratings::Estimate> change = {};
  };
  std::string name;
  std::vector<Version> versions;  // in the order of their first tournaments
};

struct PooledRatings {
  Pool pool;
  Standings standings;                // its bots are those of the pool
  std::vector<BotHistory> histories;  // of the bots that have several versions, by name
};

// Fits one set of ratings to all games. A match is a block within its tournament. Fails like
// MakePool, and with InvalidArgument if the anchor is not one of the pool's names.
absl::StatusOr<PooledRatings> RatePool(std::span<const PoolSource> sources,
                                       const PooledOptions& options);

// Renders what was pooled, the standings and the histories as text, 100 columns wide.
std::string RenderPooled(const PooledRatings& ratings);
// Renders them as one JSON object (docs/json.md).
std::string PooledJson(const PooledRatings& ratings);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_POOL_POOLED_RATINGS_H_
