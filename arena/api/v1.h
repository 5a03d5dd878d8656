// Serves /api/v1, which existing clients of Triumvirate servers use (docs/arena.md).

#ifndef TRIARCH_ARENA_API_V1_H_
#define TRIARCH_ARENA_API_V1_H_

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/api/reply.h"
#include "arena/session/session.h"
#include "http/web_server.h"

namespace triarch::arena {

// A route of the API, below /api/v1.
struct V1Route {
  std::string_view path;    // "/ws/{game_id}"
  std::string_view method;  // "GET" or "POST"
  std::string_view summary;
  bool needs_token = false;
  std::string_view fields = "";  // of the body
};
std::span<const V1Route> V1Routes();

class ApiV1 {
 public:
  struct Parts {
    Session* session = nullptr;
    TableSettings settings;                    // of the tables that it opens
    std::function<std::string()> leaderboard;  // the JSON of GET /leaderboard
    std::function<std::string()> colors;       // the JSON of GET /stats/colors
  };
  explicit ApiV1(Parts parts) : parts_(std::move(parts)) {}

  // Answers the request if its path is one of this API's; otherwise returns false.
  bool Handle(const Exchange& exchange);
  // Sends the table's new state to its spectators.
  void Changed(const Table& table, const std::vector<Event>& events);
  // Drops the cached states that nobody has requested since the last call.
  void Sweep();

 private:
  struct CachedState {
    int64_t event_count = 0;
    WebText text;
    bool is_used = true;
  };

  WebText StateOf(const Table& table);
  void Join(const Exchange& exchange);
  void ShowState(const Exchange& exchange);
  void Move(const Exchange& exchange);
  void Fill(const Exchange& exchange);
  void Resign(const Exchange& exchange);
  void ListGames(const Exchange& exchange);
  void ShowHealth(const Exchange& exchange);
  void Watch(const Exchange& exchange);
  void ShowGeometry(const Exchange& exchange);
  void ShowColors(const Exchange& exchange);
  void ShowLeaderboard(const Exchange& exchange);

  const Parts parts_;
  std::map<std::string, CachedState> states_;  // by table
  std::map<std::string, std::list<std::shared_ptr<WebStream>>> spectators_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V1_H_
