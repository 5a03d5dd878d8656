// Holds the live tables of an arena: seats players, orders requests and runs timers.

#ifndef TRIARCH_ARENA_SESSION_SESSION_H_
#define TRIARCH_ARENA_SESSION_SESSION_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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
  Occupant occupant;              // without a token
  std::string table = {};         // the id of a certain table; otherwise of any with these settings
  TableSettings settings = {};    // the seed does not count; a rematch has a table of its own
  std::vector<Seat> wishes = {};  // as in JoinRequest
  // The second half of the token, 32 hex digits, if the player chooses it: then joining again with
  // the same secret returns the same seat.
  std::string secret = {};
  std::string client = {};  // whose share of the tables a new one takes; empty for nobody's
};

// Returns the seat that has or had the token at the table; empty if none had.
std::optional<Table::Holder> HolderOf(const Table& table, std::string_view token);

// Returns the id of the table that a token belongs to; empty if the text cannot be a token.
std::string TableOfToken(std::string_view token);

// Returns the id that the table of a rematch has or will have; every arena finds the same one.
std::string RematchId(const Table& table);

// Tables that a session begins to run, and tables that others run.
struct Lease {
  std::vector<std::string> taken;
  std::vector<std::string> lost;
};

struct SessionOptions {
  size_t tables_max = 20'000;            // live ones, and those kept
  size_t tables_per_client_max = 1'000;  // of them, opened by one client
  int64_t kept_ms = 3'600'000;           // how long a finished table is kept
  // Take empty seats: the first one, or at a rated table those whose ratings are nearest to the
  // players'.
  std::vector<std::string> house_bots = {"smart"};
  // Players are matched if their ratings differ by at most this, in Elo, and more the longer the
  // table has waited.
  double window = 100;
  double window_per_second = 10;
  // Whether no other session uses the log. Then this one runs all tables, and a table that is not
  // here does not exist.
  bool is_alone = true;
};

struct SessionParts {
  EventLog* log = nullptr;
  HouseBots* house_bots = nullptr;
  std::function<int64_t()> now_ms;      // since 1970; never goes back
  std::function<std::string()> random;  // 16 random bytes
  // Returns the rating of a player with an account, or of a house bot, in Elo.
  std::function<double(std::string_view game, std::string_view name)> rating;
  // Called after each change of a table with the events that caused it, the first of which has
  // the number `first`.
  std::function<void(const Table&, int64_t first, const std::vector<Event>&)> changed;
  // Called when the session begins to run a table that another has run; may be null.
  std::function<void(const Table&)> taken = nullptr;
  // Checks that someone may sit down. Null: everyone may.
  std::function<absl::Status(const Occupant&)> check_may_sit = nullptr;
  // Returns whether the chat of a player is dropped. Null: nobody's is.
  std::function<bool(const Occupant&)> is_muted = nullptr;
  // Called before each answer to a request at a table, also to one of the session's own.
  std::function<void(const Reply&)> answered = nullptr;
};

// A player's table and seat; null if there is none.
struct SeatedPlayer {
  const Table* table = nullptr;
  Table::Holder holder;
};

// A table with the requests that wait for it.
struct LiveTable;

// A table that is being read from the store.
struct Reading {
  int64_t heard = 0;  // the number of events that it must have
  std::vector<std::function<void(const absl::Status&)>> waiting = {};
};

// The ids of tables that were not found lately.
class Misses {
 public:
  bool Has(const std::string& id, int64_t now_ms) const {
    return now_ms < until_ms_ && ids_.contains(id);
  }
  void Add(const std::string& id, int64_t now_ms) {
    if (now_ms >= until_ms_ || ids_.size() >= kMax) {
      ids_.clear();
      until_ms_ = now_ms + kKeptMs;
    }
    ids_.insert(id);
  }
  void Remove(const std::string& id) { ids_.erase(id); }

 private:
  static constexpr size_t kMax = 10'000;
  static constexpr int64_t kKeptMs = 5'000;
  std::set<std::string> ids_;
  int64_t until_ms_ = 0;
};

// A state machine. Its times come from `now_ms`, its secrets from `random`, and its driver calls
// Tick. Answers come after the events are stored, possibly within the call if none are needed. Used
// by one thread.
//
// Several sessions may share a log, each with all tables. Each table is *run* by one of them, at
// first by the one that opened it: only that one performs deadlines and asks house bots. If two
// run a table, or none does for a while, nothing is lost, because the log decides who appends.
class Session {
 public:
  using Options = SessionOptions;
  using Parts = SessionParts;
  using Seated = SeatedPlayer;

  Session(Options options, Parts parts);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes over a table from the store; refreshes it if it is here. DataLoss: its events contradict
  // each other.
  absl::Status Restore(const std::string& id, const std::vector<Event>& events);

  // Returns a table, or null.
  const Table* Find(std::string_view id) const;
  bool has_bots_for(const GameInfo& game) const;
  // Finds the table and the seat of a token. Null: there is no such token here.
  Seated FindToken(std::string_view token) const;
  // Makes sure that Find and FindToken know a table that another session may have opened a moment
  // ago, and then calls `done`, within the call if the store need not be asked. Call this before
  // refusing an id or a token (see TableOfToken) as unknown. NotFound: there is no such table, or
  // it ended long ago. Unavailable: the store cannot answer now. Cheap if the same id was not found
  // in the last seconds.
  void Lookup(const std::string& table, std::function<void(const absl::Status&)> done);
  // Visits the tables, in any order.
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
  // Learns how many events the store has of a table: reads those that are missing here, or all.
  void Heard(const std::string& table, int64_t event_count);
  // Learns which tables it runs. A table that is not here is read first.
  void Lead(const Lease& lease);
  bool Runs(std::string_view table) const;

  // Performs what is due, and forgets tables that ended long ago.
  void Tick();

 private:
  using Live = LiveTable;

  Live* FindLive(std::string_view id) const;
  Live& AddLive(std::string id, Table table);
  Live* FindWaiting(const JoinAsk& ask) const;
  absl::StatusOr<Live*> OpenTable(const JoinAsk& ask, std::string id);
  void Enter(JoinAsk ask, ReplyTo reply);
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
  Reading& Read(const std::string& id);
  void HasRead(const std::string& id, const absl::StatusOr<std::vector<Event>>& events);
  absl::Status Admit(const std::string& id, const std::vector<Event>& events);
  bool TakeOver(const std::string& id);

  const Options options_;
  const Parts parts_;
  std::map<std::string, std::unique_ptr<Live>, std::less<>> tables_;  // by id
  std::vector<Live*> waiting_;  // those that wait for players, in order of opening
  // By secret: the same requests, which came while the first one is not answered.
  std::map<std::string, std::vector<std::pair<JoinAsk, ReplyTo>>> joining_;
  std::map<std::string, Reading> readings_;  // by id
  Misses misses_;
  std::set<std::string> owed_;  // tables to run that are not here yet
  std::shared_ptr<bool> is_alive_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_SESSION_H_
