// Holds the live tables of an arena: seats players, orders requests and runs timers.

#ifndef TRIARCH_ARENA_SESSION_SESSION_H_
#define TRIARCH_ARENA_SESSION_SESSION_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "arena/session/event_log.h"
#include "arena/table/event.h"
#include "arena/table/table.h"

namespace triarch::arena {

// Chooses the moves of house bots.
class HouseBots {
 public:
  virtual ~HouseBots() = default;
  // Calls `done` later, in the session's thread, with the number of a legal move, or with nothing
  // if the bot resigns or fails. The table may change meanwhile.
  virtual void Choose(const Table& table, Seat seat,
                      std::function<void(std::optional<size_t>)> done) = 0;
};

// The answer to a request. `table` is null after an error.
struct Reply {
  const Table* table = nullptr;
  std::optional<Refusal> refusal = {};
  absl::Status error = absl::OkStatus();  // of the store
  std::string token = {};                 // Join: the player's token
  Seat seat = Seat::kFirst;               // Join: where the player sits

  bool ok() const { return error.ok() && !refusal; }
};
using ReplyTo = std::function<void(const Reply&)>;

// Who wants to play what.
struct JoinAsk {
  Occupant occupant;            // without a token
  std::string table = {};       // the id of a certain table; otherwise of any with these settings
  TableSettings settings = {};  // the seed does not count
  std::optional<Seat> seat = {};
};

// Returns the seat that has or had the token at the table; empty if none had.
std::optional<Table::Holder> HolderOf(const Table& table, std::string_view token);

// A state machine. Its times come from `now_ms`, its secrets from `random`, and its driver calls
// Tick. Answers come after the events are stored, possibly within the call if none are needed. Used
// by one thread.
class Session {
 public:
  struct Options {
    size_t tables_max = 20'000;       // live ones, and those kept
    int64_t kept_ms = 3'600'000;      // how long a finished table is kept
    std::string house_bot = "smart";  // takes empty seats
  };
  struct Parts {
    EventLog* log = nullptr;
    HouseBots* house_bots = nullptr;
    std::function<int64_t()> now_ms;      // since 1970; never goes back
    std::function<std::string()> random;  // 16 random bytes
    // Called after each change of a table with the events that caused it, the first of which has
    // the number `first`.
    std::function<void(const Table&, int64_t first, const std::vector<Event>&)> changed;
  };

  Session(Options options, Parts parts);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes over a table from the store; refreshes it if it is here. DataLoss: its events contradict
  // each other.
  absl::Status Restore(const std::string& id, const std::vector<Event>& events);

  // Returns a table, or null.
  const Table* Find(std::string_view id) const;
  // Finds the table and the seat of a token. Null: there is no such token here.
  struct Seated {
    const Table* table = nullptr;
    Table::Holder holder;
  };
  Seated FindToken(std::string_view token) const;
  // Visits the tables in the order of their opening.
  void Visit(const std::function<void(const Table&)>& visit) const;
  size_t table_count() const { return tables_.size(); }

  // Seats a player at a table that waits for one, or at a new one.
  void Join(JoinAsk ask, ReplyTo reply);
  // Lets the table decide a request. Requests to a table are decided in the order in which they
  // came, each after the events of the one before are stored.
  using Decide = std::function<Decision(const Table&, int64_t now_ms)>;
  void Request(const std::string& table, Decide decide, ReplyTo reply);
  // Fills the table's empty seats with house bots at once.
  void Fill(const std::string& table, ReplyTo reply);

  // Reads what others have appended to the table.
  void Refresh(const std::string& table);

  // Performs what is due, and forgets tables that ended long ago.
  void Tick();

 private:
  struct Step {
    Decide decide;
    ReplyTo reply;
  };
  struct Live;
  enum class Loss : uint8_t { kConflict, kInDoubt };

  Live* FindLive(std::string_view id) const;
  Live& AddLive(std::string id, Table table);
  Live* FindWaiting(const JoinAsk& ask) const;
  absl::StatusOr<Live*> OpenTable(const JoinAsk& ask);
  void JoinAt(Live& live, JoinAsk ask, ReplyTo reply, int tries_left);
  void Seek(JoinAsk ask, ReplyTo reply, int tries_left);
  void Pump(const std::string& id);
  void Store(Live& live, Decision decision);
  void Stored(const std::string& id, const Decision& decision, const absl::Status& status);
  void Reload(Live& live, Decision ours, absl::Status why);
  absl::Status Perform(Live& live, const std::vector<Event>& events);
  void Finish(Live& live, const Reply& reply);
  void Drop(const std::string& id, const absl::Status& why);
  void AskHouseBot(Live& live);

  const Options options_;
  const Parts parts_;
  std::map<std::string, std::unique_ptr<Live>, std::less<>> tables_;  // by id
  std::vector<Live*> waiting_;  // those that wait for players, in order of opening
  std::shared_ptr<bool> is_alive_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_SESSION_H_
