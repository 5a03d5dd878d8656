// Stores the events of an arena's tables.

#ifndef TRIARCH_ARENA_STORE_ARENA_STORE_H_
#define TRIARCH_ARENA_STORE_ARENA_STORE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/session/event_log.h"
#include "arena/table/event.h"
#include "coordinator/store/store.h"
#include "core/game/seat.h"

namespace triarch::arena {

struct TableSize {
  std::string table;
  int64_t events = 0;  // how many it has

  friend bool operator==(const TableSize&, const TableSize&) = default;
};

struct EndedTable {
  std::string table;
  int64_t ended_ms = 0;
  // The finished game; empty if the table was closed.
  std::optional<ArenaGame> record = {};
};

// A player with an account.
struct StoredPlayer {
  std::string name;
  std::string owner;     // who has the account; players with one owner do not meet in rated games
  std::string key_hash;  // SHA-256
  int64_t created_ms = 0;

  friend bool operator==(const StoredPlayer&, const StoredPlayer&) = default;
};

// A finished game in a list.
struct ListedGame {
  std::string table;
  std::string game;  // "triumvirate"
  std::string tournament_name;
  GamePlace place;  // where it is recorded
  int64_t ended_ms = 0;
  PerSeat<std::string> players;  // names; empty for a seat that the game does not have
  std::string result;
  std::string placement;
  std::string termination;
  int64_t plies = 0;
};

struct GamesQuery {
  std::string game = {};   // of this game only; empty for all
  std::string table = {};  // of this table only; empty for all
  // Games that ended before this one, in the order of the list; empty for the latest.
  int64_t before_ms = INT64_MAX;
  std::string before_table = {};
  int64_t limit = 50;
};

// Something that an operator has forbidden.
struct Ban {
  enum class Kind : uint8_t {
    kName,     // players with such a name cannot join or have accounts made
    kAddress,  // nor can clients with such an address
    kMute,     // what players with such a name say is dropped
  };
  Kind kind = Kind::kName;
  std::string what;       // a pattern of names in lower case, or a range of addresses
  std::string note = {};  // for the operators
  int64_t since_ms = 0;

  friend bool operator==(const Ban&, const Ban&) = default;
};
// "name", "address" or "mute"
std::string_view ToString(Ban::Kind kind);
// Fails with DataLoss.
absl::StatusOr<Ban::Kind> ParseBanKind(std::string_view text);
// Sorts as ArenaStore::Bans does.
void SortBans(std::vector<Ban>& bans);

// Used by one thread at a time. What a call has stored survives the process and the machine.
class ArenaStore {
 public:
  virtual ~ArenaStore() = default;

  // Appends, in one transaction if nothing conflicts, and returns a status for each: OK, or
  // AlreadyExists if the table has an event with the first number; then none of its events is
  // stored. After an error for all, it is unknown what is stored.
  virtual absl::StatusOr<std::vector<absl::Status>> Append(std::span<const Appended> batch) = 0;
  // Returns the events of a table from number `first` on.
  virtual absl::StatusOr<std::vector<Event>> Events(const std::string& table, int64_t first) = 0;
  // Returns the tables that are not marked as ended, or that ended after that time.
  virtual absl::StatusOr<std::vector<TableSize>> Tables(int64_t ended_after_ms) = 0;
  // Records the table's game, if there is one, and marks the table as ended. Ending it again
  // changes nothing.
  virtual absl::Status End(const EndedTable& ended) = 0;

  // Adds an account. AlreadyExists: there is one with this name, which differs at most in the case
  // of ASCII letters.
  virtual absl::Status AddPlayer(const StoredPlayer& player) = 0;
  // Finds the account with this name, in any case, or with this key. Empty if there is none.
  virtual absl::StatusOr<std::optional<StoredPlayer>> FindPlayer(const std::string& name) = 0;
  virtual absl::StatusOr<std::optional<StoredPlayer>> FindKey(const std::string& key_hash) = 0;
  // Gives an account another key. NotFound: there is no such account.
  virtual absl::Status SetKey(const std::string& name, const std::string& key_hash) = 0;

  // Lists finished games, the latest first.
  virtual absl::StatusOr<std::vector<ListedGame>> Games(const GamesQuery& query) = 0;

  // Stores a ban. Replaces one of the same kind for the same names or addresses.
  virtual absl::Status AddBan(const Ban& ban) = 0;
  // NotFound: there is no such ban.
  virtual absl::Status RemoveBan(Ban::Kind kind, const std::string& what) = 0;
  // Returns all bans, sorted by kind (as in its enumeration) and `what`.
  virtual absl::StatusOr<std::vector<Ban>> Bans() = 0;
};

// Opens the SQLite database in that file, or makes it. Fails as OpenSqliteStore does.
absl::StatusOr<std::unique_ptr<ArenaStore>> OpenSqliteArenaStore(const std::string& path);
// Opens the PostgreSQL database at that URL, and makes its tables if they are missing. Several
// arenas may have it open, each with an `instance` of its own, a random text without blanks. Fails
// as OpenPostgresStore does.
absl::StatusOr<std::unique_ptr<ArenaStore>> OpenPostgresArenaStore(const std::string& url,
                                                                   const std::string& instance);

// Replaces errors that say where the database is by one for strangers.
absl::Status ForStrangers(const absl::Status& error);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_STORE_ARENA_STORE_H_
