// Serves /api/v2, which covers all games (docs/arena-api.md).

#ifndef TRIARCH_ARENA_API_V2_H_
#define TRIARCH_ARENA_API_V2_H_

#include <cstdint>
#include <vector>

#include "arena/api/event_feed.h"
#include "arena/api/long_polls.h"
#include "arena/api/v2_look.h"
#include "arena/api/v2_parts.h"
#include "arena/api/v2_play.h"
#include "arena/api/v2_watch.h"

namespace triarch::arena {

class ApiV2 {
 public:
  // Of `more`, those count whose paths this API does not have itself.
  explicit ApiV2(V2Parts parts, const std::vector<V2Entry>& more = {});
  ApiV2(const ApiV2&) = delete;
  ApiV2& operator=(const ApiV2&) = delete;

  const std::vector<Route>& routes() const { return routes_; }

  // Answers the request, now or later, if its path is one of this API's; otherwise returns false.
  bool Handle(const Exchange& exchange);
  // Tells those who wait what has happened at a table.
  void Changed(const Table& table, int64_t first, const std::vector<Event>& events);
  // Answers requests that have waited long enough. To be called several times a second.
  void Tick();
  // Answers all requests that wait, because the server ends.
  void End() { polls_.End(); }
  size_t stream_count() const { return feed_.stream_count(); }

 private:
  const V2Parts parts_;
  EventFeed feed_;
  LongPolls polls_;
  V2Play play_;
  V2Watch watch_;
  V2Look look_;
  std::vector<V2Entry> entries_;
  std::vector<Route> routes_;  // of the entries
  int64_t commented_ms_ = 0;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_H_
