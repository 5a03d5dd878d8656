// Sends the events of tables to spectators, from any event on and without gaps.

#ifndef TRIARCH_ARENA_API_EVENT_FEED_H_
#define TRIARCH_ARENA_API_EVENT_FEED_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "arena/session/event_log.h"
#include "arena/table/table.h"
#include "http/web_server.h"

namespace triarch::arena {

// Events of a table as public JSON, beginning with the first of the game.
struct TableHistory {
  std::vector<std::string> kinds;
  std::vector<std::string> events;
  std::optional<Table> table;  // after the last one
};
// Replays stored events. DataLoss: they contradict each other. NotFound: there are none.
absl::StatusOr<TableHistory> HistoryOf(const std::string& table, const std::vector<Event>& events);

// Used in the server's thread, like everything of an API.
class EventFeed {
 public:
  enum class Form : uint8_t { kServerSentEvents, kTexts };

  explicit EventFeed(EventLog& log);
  ~EventFeed();
  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;

  // Reads the history of a table.
  void Read(const std::string& table, std::function<void(absl::StatusOr<TableHistory>)> done) const;
  // Sends the table's events from number `next` on, and those to come.
  void Follow(const std::string& table, std::shared_ptr<WebStream> stream, Form form, int64_t next);
  // Sends new events, as the session reports them.
  void Changed(const Table& table, int64_t first, const std::vector<Event>& events);
  // Keeps quiet streams alive: proxies cut those that send nothing.
  void SendComments();
  // Closes the streams of tables at which nothing can happen any more.
  void CloseGone(const std::function<bool(const std::string& table)>& is_there);
  size_t stream_count() const;

 private:
  struct Follower {
    std::shared_ptr<WebStream> stream;
    Form form = Form::kTexts;
    int64_t next = 0;
    bool is_reading = true;  // until it has the events that are stored
  };
  using Followers = std::list<std::shared_ptr<Follower>>;

  // Reads the table once and sends these followers what they lack.
  void Catch(const std::string& table, std::vector<std::shared_ptr<Follower>> followers);
  void SendHistory(const std::string& table, const TableHistory& history,
                   const std::shared_ptr<Follower>& follower);

  EventLog& log_;
  std::map<std::string, Followers> followers_;  // by table
  std::shared_ptr<bool> is_alive_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_EVENT_FEED_H_
