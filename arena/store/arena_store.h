// Stores the events of an arena's tables.

#ifndef TRIARCH_ARENA_STORE_ARENA_STORE_H_
#define TRIARCH_ARENA_STORE_ARENA_STORE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/session/event_log.h"
#include "arena/table/event.h"
#include "coordinator/store/store.h"

namespace triarch::arena {

struct EndedTable {
  std::string table;
  int64_t ended_ms = 0;
  // The finished game; empty if the table was closed.
  std::optional<ArenaGame> record = {};
};

// Used by one thread at a time. What a call has stored survives the process and the machine.
class ArenaStore {
 public:
  virtual ~ArenaStore() = default;

  // Appends in one transaction, and returns a status for each: OK, or AlreadyExists if the table
  // has an event with the first number; then none of its events is stored. After an error for all,
  // it is unknown what is stored.
  virtual absl::StatusOr<std::vector<absl::Status>> Append(std::span<const Appended> batch) = 0;
  // Returns the events of a table from number `first` on.
  virtual absl::StatusOr<std::vector<Event>> Events(const std::string& table, int64_t first) = 0;
  // Returns the ids of the tables that are not marked as ended, or that ended after that time.
  virtual absl::StatusOr<std::vector<std::string>> Tables(int64_t ended_after_ms) = 0;
  // Records the table's game, if there is one, and marks the table as ended. Ending it again
  // changes nothing.
  virtual absl::Status End(const EndedTable& ended) = 0;
};

// Opens the SQLite database in that file, or makes it. Fails as OpenSqliteStore does.
absl::StatusOr<std::unique_ptr<ArenaStore>> OpenSqliteArenaStore(const std::string& path);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_STORE_ARENA_STORE_H_
