// Defines the interface of a store, which records tournaments and games.

#ifndef TRIARCH_COORDINATOR_STORE_STORE_H_
#define TRIARCH_COORDINATOR_STORE_STORE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/stored.h"
#include "core/base/range_set.h"
#include "core/record/game_costs.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/lease.h"
#include "core/record/planned_match.h"
#include "core/record/precedence.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

// Selects recorded games.
struct GameFilter {
  std::optional<std::string> bot;  // games in which this bot plays
  int64_t first = 0;               // games with this index or a higher one
  int64_t last = INT64_MAX;        // games with this index or a lower one
  // Visits games from the highest index to the lowest. Reports about forfeits keep their order.
  bool is_backwards = false;
};

// The bot of a player at an arena, whose program is not known.
inline constexpr char kArenaPlayer[] = "player";

// A finished game of an arena.
struct ArenaGame {
  std::string table;       // identifies it
  std::string tournament;  // the name of the arena's tournament to which it belongs
  PerSeat<BotSpec> bots;   // who played; their names are those of the record
  GameRecord record;       // the store sets its index and match
};

// Identifies a recorded game.
struct GamePlace {
  int64_t tournament = 0;
  int64_t index = 0;

  friend bool operator==(const GamePlace&, const GamePlace&) = default;
};

// What a store keeps only for people.
enum class History : uint8_t {
  kLeases,   // that ended
  kWorkers,  // by their last registration, unless quarantined
  kRatings,  // all but the last point of each bot and day
};
// The number of rows that one transaction deletes.
inline constexpr int64_t kPruneRows = 5'000;

// A game is identified by (tournament, index) and recorded once: recording it again succeeds and
// changes nothing. Not thread-safe; several processes may read while one writes.
//
// Besides the errors below, any call may fail because of the disk, with DataLoss (the data is
// damaged), ResourceExhausted (the disk is full), PermissionDenied (the store was opened for
// reading, or cannot be written), or Unavailable (another process locks it, or the disk fails).
// Every message is a complete sentence for the user. A failed call has changed nothing, with one
// exception: if a server disappears during a commit and does not return, the error is Unavailable
// and says that the outcome is unknown. In that case, repeat the call.
class Store {
 public:
  virtual ~Store() = default;

  // Finds the first tournament with that spec, or adds it. `games` may grow: the stored spec then
  // follows, except for the name of its run, and a tournament that was done is active again. Fails
  // with FailedPrecondition if the store holds more of its games than `spec` requests, or if the
  // store can hold only one tournament (as the one in memory does) and has a different one.
  virtual absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) = 0;

  // Adds a tournament. Fails with FailedPrecondition if the store can hold only one and already
  // does.
  virtual absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                         const std::string& spec_text) = 0;
  // Sets the state. The transaction that records the last game sets kDone, which is final. Fails
  // with NotFound if the tournament does not exist.
  virtual absl::Status SetState(int64_t tournament, TournamentState state) = 0;
  // Fails with NotFound if the tournament does not exist.
  virtual absl::Status SetPrecedence(int64_t tournament, const Precedence& precedence) = 0;
  // Sets the digests, by bot number, of bots that have none yet; "" leaves one unset.
  virtual absl::Status SetBotDigests(int64_t tournament,
                                     const std::vector<std::string>& digests) = 0;

  virtual absl::StatusOr<std::vector<StoredTournament>> Tournaments() = 0;
  // Fails with NotFound if the tournament does not exist.
  virtual absl::StatusOr<StoredTournament> Tournament(int64_t id) = 0;

  // Records all of `records` in one transaction or, on an error, none of them. Recorded games
  // survive the process, however it ends. Fails with NotFound if the tournament does not exist, and
  // with InvalidArgument if a record belongs to another tournament or to an unfinished game.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;
  // Like Record, with the shard that holds the samples of these games: the store gets both or
  // neither. Recording a shard again succeeds and changes nothing. Also fails with AlreadyExists if
  // some game was recorded without the shard, and with InvalidArgument if another shard has that
  // name.
  virtual absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                                   const ShardEntry& shard) = 0;
  // Records a game of an arena. Such games form tournaments that are always done: each adds a game,
  // and the bots that have not played before. Recording a table's game again changes nothing. Works
  // whether or not this process leads. Only databases can do this.
  virtual absl::StatusOr<GamePlace> RecordArenaGame(const ArenaGame& /*game*/) {
    return absl::UnimplementedError("this store has no games of arenas");
  }
  // Returns the shards in the order of their first games. Fails with NotFound if the tournament
  // does not exist.
  virtual absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) = 0;

  // Adds a batch of planned matches in one transaction; it may be empty. A batch that begins with a
  // match that is there changes nothing. Fails with NotFound if the tournament does not exist.
  virtual absl::Status AddMatches(int64_t tournament, std::span<const PlannedMatch> matches) = 0;
  // Returns the planned matches in the order of their numbers. Fails with NotFound if the
  // tournament does not exist.
  virtual absl::StatusOr<std::vector<PlannedMatch>> Matches(int64_t tournament) = 0;

  // Returns the indices of the recorded games as ascending ranges that neither overlap nor touch.
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Visits recorded games in the filter's order of indices. If `visit` returns an error, stops and
  // returns it. Fails with NotFound if the tournament does not exist or has no bot with the
  // filter's name.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // Like VisitGames, with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;

  // Visits the results of all recorded games in the order of their indices, and returns the sums of
  // their costs. The summaries lack plies, costs and fallbacks. Much faster than VisitGames: it
  // reads tallies, which Record keeps. Fails like VisitGames.
  virtual absl::StatusOr<GameCosts> VisitResults(
      int64_t tournament, absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;

  // Visits the reports about forfeits in the order of their games. Of each bot's reports about one
  // kind of fault, the store keeps those that it recorded first. The filter's bot is the one that
  // forfeited. Fails like VisitGames.
  virtual absl::Status VisitFaults(int64_t tournament, const GameFilter& filter,
                                   absl::FunctionRef<absl::Status(const StoredFault&)> visit) = 0;

  // ---- A coordinator's data besides games.

  // Makes the caller the leading coordinator of this store and returns its epoch, which is larger
  // than any earlier one, or nullopt while another coordinator leads. Once another coordinator has
  // taken over, writes fail with FailedPrecondition and change nothing. In PostgreSQL, a leader
  // that does not write for ten seconds loses the lead to the next caller. Each call returns a new
  // epoch. Fails with FailedPrecondition if the schema was migrated after the store was opened.
  virtual absl::StatusOr<std::optional<uint64_t>> TryLead() = 0;

  // Adds leases or updates how they ended, by token. All or nothing.
  virtual absl::Status SaveLeases(std::span<const StoredLease> leases) = 0;
  // Returns the live leases by token.
  virtual absl::StatusOr<std::vector<StoredLease>> LiveLeases() = 0;

  // Adds or updates workers, by name. All or nothing.
  virtual absl::Status SaveWorkers(std::span<const StoredWorker> workers) = 0;
  virtual absl::StatusOr<std::vector<StoredWorker>> Workers() = 0;  // by name

  // Holds reports until DropReports; one that is already held stays as it is. All or nothing.
  virtual absl::Status HoldReports(std::span<const StoredReport> reports) = 0;
  // Returns all held reports by id, without `report`.
  virtual absl::StatusOr<std::vector<StoredReport>> HeldReports() = 0;
  // Returns StoredReport::report. Fails with NotFound if no such report is held.
  virtual absl::StatusOr<std::string> HeldReport(int64_t id) = 0;
  // Ignores reports that are not held. All or nothing.
  virtual absl::Status DropReports(std::span<const int64_t> ids) = 0;
  // All or nothing.
  virtual absl::Status AddAudits(std::span<const StoredAudit> audits) = 0;
  // Counts the audits by tournament, worker, owner and outcome, in this order.
  virtual absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts() = 0;

  virtual absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) = 0;
  // Returns the ratings in chronological order.
  virtual absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) = 0;

  // ---- Old data.

  // Begins to delete a tournament that is done or cancelled: from now on, no call finds it. Its id
  // is not used again. Fails with NotFound if it does not exist, and with FailedPrecondition if it
  // is not over.
  virtual absl::Status BeginDelete(int64_t tournament) = 0;
  // Returns the tournaments that are being deleted.
  virtual absl::StatusOr<std::vector<int64_t>> Deleting() = 0;
  // Deletes a part of the data of such a tournament in a short transaction. Returns whether more
  // may be left.
  virtual absl::StatusOr<bool> DeleteSome(int64_t tournament) = 0;
  // Deletes records of that kind from before that time (UTC, as in stored.h), at most kPruneRows,
  // or only counts all of them. Returns their number.
  virtual absl::StatusOr<int64_t> Prune(History what, const std::string& before,
                                        bool is_dry_run) = 0;

  // Adds a bundle with its files. If one with that digest exists, makes it the newest.
  virtual absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) = 0;
  virtual absl::StatusOr<std::vector<StoredBundle>> Bundles() = 0;  // from oldest to newest
  // Returns the files as they were added. Fails with NotFound if no bundle has that digest.
  virtual absl::StatusOr<std::string> BundleTar(const std::string& digest) = 0;
  virtual absl::Status RemoveBundle(const std::string& digest) = 0;  // fails like BundleTar
};

// Writing modes exclude each other; SQLite stores use a file FILE.lock, which is removed at the
// end. Reading is always possible and creates no files.
enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// Opens the SQLite store in that file (schema/sqlite/*.sql; in WAL mode while it is written). Fails
// with NotFound if the folder does not exist, or if the file does not exist and the mode does not
// create it; with FailedPrecondition if the file is not a Triarch database or has a newer schema
// or a very old one (for readers, a different schema); and with Unavailable if another run is
// writing it.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// Opens the PostgreSQL store (14 or newer) at that URL ("postgresql://user@host:port/database"),
// with any number of tournaments. kCreate applies the missing migrations (schema/postgres/*.sql)
// under a lock, and returns Unavailable while a coordinator leads; with the other modes, an older
// or newer schema is FailedPrecondition. Fails with Unavailable if the server cannot be reached,
// NotFound if the database does not exist, PermissionDenied for a wrong role or password, and
// InvalidArgument if the URL is invalid. Later calls fail with InvalidArgument if a text contains a
// NUL or invalid UTF-8.
//
// It uses one connection. An operation that loses it is immediately repeated on a new one. If the
// outcome of a commit is unknown, the store asks the server for it, for up to three seconds. After
// that, while the server cannot be reached, operations fail immediately with Unavailable and may be
// repeated. A coordinator keeps leading over a new connection if no other has led since then. Until
// the server has noticed the loss of the old connection, which takes seconds, writes fail with
// Unavailable.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, OpenMode mode);
bool IsPostgresUrl(std::string_view text);
// Fails with InvalidArgument if it is a URL that OpenPostgresStore would not understand.
absl::Status CheckStoreUrl(const std::string& url_or_path);

// Opens the store at a PostgreSQL URL or in an SQLite file.
inline absl::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& url_or_path,
                                                        OpenMode mode) {
  return IsPostgresUrl(url_or_path) ? OpenPostgresStore(url_or_path, mode)
                                    : OpenSqliteStore(url_or_path, mode);
}
// Returns the store's name for users: the path, or the URL without its password.
std::string StoreName(const std::string& url_or_path);

// Creates an in-memory store, for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
