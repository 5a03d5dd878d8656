// Keeps an arena's metrics.

#ifndef TRIARCH_ARENA_SERVICE_ARENA_METRICS_H_
#define TRIARCH_ARENA_SERVICE_ARENA_METRICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/table/event.h"
#include "arena/table/table.h"

namespace triarch::arena {

// The arena's Prometheus metrics. docs/metrics.md lists the names. Text may be called from any
// thread, everything else from one.
class ArenaMetrics {
 public:
  ArenaMetrics();
  ~ArenaMetrics();
  ArenaMetrics(const ArenaMetrics&) = delete;
  ArenaMetrics& operator=(const ArenaMetrics&) = delete;

  // Returns all metrics, including process metrics, in the Prometheus text format.
  std::string Text() const;

  // Counts an answer. The route is the path of its pattern, or "other".
  void Answered(std::string_view route, int status);
  // Counts the time from a request with a move to the answer that it is stored.
  void MoveStored(double seconds);
  void Count(Refused why);
  // The same for refusals before that: "blocked", "rate_limited" or "unknown_secret".
  void CountRefusal(std::string_view reason);
  // Counts the moves, and the waits of the players at a table that has begun.
  void Changed(const Table& table, const std::vector<Event>& events);
  void StoreFailed();

  struct Gauges {
    size_t connections = 0;
    size_t spectators = 0;                                      // event streams and WebSockets
    std::map<std::string, std::array<int64_t, 4>> tables = {};  // by game and Table::Stage
  };
  void Set(const Gauges& gauges);

 private:
  struct Families;

  const std::unique_ptr<Families> families_;
  // When the players came to the tables that wait.
  std::map<std::string, std::vector<std::pair<Seat, int64_t>>> waits_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_ARENA_METRICS_H_
