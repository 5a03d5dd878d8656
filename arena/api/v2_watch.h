// Serves the part of /api/v2 that spectators use.

#ifndef TRIARCH_ARENA_API_V2_WATCH_H_
#define TRIARCH_ARENA_API_V2_WATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arena/api/event_feed.h"
#include "arena/api/long_polls.h"
#include "arena/api/v2_parts.h"

namespace triarch::arena {

class V2Watch {
 public:
  V2Watch(const V2Parts& parts, EventFeed& feed, LongPolls& polls)
      : parts_(parts), feed_(feed), polls_(polls) {}

  std::vector<V2Entry> Entries();

 private:
  void ListTables(const V2Call& call);
  void ShowTable(const V2Call& call);
  void ShowEvents(const V2Call& call);
  void OpenSocket(const V2Call& call);
  void ListGames(const V2Call& call);
  void ShowGame(const V2Call& call);
  void ShowTpgn(const V2Call& call);
  void ReplyEvents(const Exchange& exchange, const std::string& table, int64_t after);

  const V2Parts& parts_;
  EventFeed& feed_;
  LongPolls& polls_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_WATCH_H_
