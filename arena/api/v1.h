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
#include "arena/api/results.h"
#include "arena/api/route.h"
#include "arena/session/session.h"
#include "http/web_server.h"

namespace triarch::arena {

class ApiV1 {
 public:
  struct Parts {
    Session* session = nullptr;
    TableSettings settings;  // of the tables that it opens
    std::function<std::shared_ptr<const Results>()> results;
    // Checks that a name belongs to no account.
    std::function<void(const std::string& name, std::function<void(const absl::Status&)>)>
        check_free;
  };
  explicit ApiV1(Parts parts) : parts_(std::move(parts)) {}

  static const std::vector<Route>& Routes();

  // Answers the request if its path is one of this API's; otherwise returns false.
  bool Handle(const Exchange& exchange);
  // Sends the table's new state to its spectators.
  void Changed(const Table& table, const std::vector<Event>& events);
  // Returns the number of WebSockets of spectators.
  size_t stream_count() const;
  // Drops the cached states that were not requested since the last call, and closes the
  // WebSockets of tables that are gone.
  void Sweep();

 private:
  struct Entry {
    Route route;
    void (ApiV1::*handler)(const Exchange&);
  };
  struct CachedState {
    int64_t event_count = 0;
    WebText text;
    bool is_used = true;
  };

  static const std::vector<Entry>& Entries();
  WebText StateOf(const Table& table);
  void Join(const Exchange& exchange);
  void Sit(const Exchange& exchange, const JoinAsk& ask);
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
