// Defines where a session stores the events of its tables.

#ifndef TRIARCH_ARENA_SESSION_EVENT_LOG_H_
#define TRIARCH_ARENA_SESSION_EVENT_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "arena/table/event.h"

namespace triarch::arena {

// Events of one table, to be stored together or not at all.
struct Appended {
  std::string table;  // id
  int64_t first = 0;  // number of the first of the events
  std::vector<Event> events;
};

// Calls `done` later, never from within the call, in the thread that uses the session.
class EventLog {
 public:
  virtual ~EventLog() = default;

  // Stores events. AlreadyExists: the table has an event with the first number, so someone else has
  // appended. After another error it is unknown whether the events are stored.
  virtual void Append(Appended appended, std::function<void(absl::Status)> done) = 0;
  // Reads the events of a table from number `first` on.
  virtual void Load(const std::string& table, int64_t first,
                    std::function<void(absl::StatusOr<std::vector<Event>>)> done) = 0;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_EVENT_LOG_H_
