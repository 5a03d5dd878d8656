// Decides which requests an arena looks at, and counts all of them.

#ifndef TRIARCH_ARENA_SERVICE_GATE_H_
#define TRIARCH_ARENA_SERVICE_GATE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/api/bans.h"
#include "arena/api/rate_limits.h"
#include "arena/api/reply.h"
#include "arena/api/route.h"
#include "arena/service/arena_metrics.h"

namespace triarch::arena {

// Refuses clients that ask for too much, before any work is done for them, and blocked addresses
// that want to play. Clients on this machine have no limits. It must outlive all exchanges.
class Gate {
 public:
  struct Parts {
    const Bans* bans = nullptr;
    ArenaMetrics* metrics = nullptr;
    std::function<int64_t()> now_ms;
    // Called with a request to join that was granted, and the answer.
    std::function<void(const WebRequest&, const std::string& answer)> joined;
  };
  // `per_second` is what one address may ask for, in plain requests; 0 for no limit. `open_max` is
  // the number of requests and streams that it may have open at a time: behind a proxy, the web
  // server cannot count its connections.
  Gate(double per_second, size_t open_max, Parts parts);

  void SetRoutes(std::vector<const std::vector<Route>*> routes) { routes_ = std::move(routes); }

  // Returns the request for the APIs; null after replying a refusal.
  Exchange Enter(const Exchange& exchange);

 private:
  class Counted;
  void Answered(const WebRequest& request, std::string_view route,
                std::chrono::duration<double> time, const WebResponse& response);
  // Returns after how many seconds the client may ask again; 0 if now.
  int64_t TakeAllowance(const WebRequest& request, std::string_view route);
  bool HasLimits(const WebRequest& request) const;
  // Returns a place among the open requests and streams of the client; null if it has too many.
  class Place;
  std::shared_ptr<Place> TakePlace(const WebRequest& request);

  const double per_second_;
  const size_t open_max_;
  const Parts parts_;
  RateLimits addresses_;
  RateLimits tokens_;
  std::map<std::string, size_t> open_;  // requests and streams, by address
  std::vector<const std::vector<Route>*> routes_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_GATE_H_
