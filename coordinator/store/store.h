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
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/lease.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

// Selects recorded games.
struct GameFilter {
  std::optional<std::string> bot;  // games in which this bot plays
  int64_t first = 0;               // games with this index or a higher one
};

// A game is identified by (tournament, index) and recorded once: recording it again succeeds and
// changes nothing. Not thread-safe; several processes may read while one writes.
//
// Besides the errors below, any call may fail because of the disk: DataLoss (the data is damaged),
// ResourceExhausted (the disk is full), PermissionDenied (the store was opened for reading, or
// cannot be written), Unavailable (another process locks it, or the disk fails). Every message is a
// complete sentence for the user. A failed call has changed nothing, with one exception: if a
// server disappears during a commit and does not return, the error is Unavailable and says that the
// outcome is unknown. Then repeat the call.
class Store {
 public:
  virtual ~Store() = default;

  // Finds the first tournament with that spec, or adds it. FailedPrecondition: the store holds more
  // of its games than `spec` requests, or the store holds only one tournament (as embedded stores
  // do) and it differs. `games` may grow: the stored spec then follows, except for the name of its
  // run.
  virtual absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) = 0;

  // Adds a tournament. FailedPrecondition: the store holds only one and already has it.
  virtual absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                         const std::string& spec_text) = 0;
  // Sets kActive, kPaused or kCancelled (InvalidArgument: kDone). The transaction that records the
  // last game sets kDone, which is final. NotFound: no such tournament.
  virtual absl::Status SetState(int64_t tournament, TournamentState state) = 0;
  // Sets the digests, by bot number, of bots that have none yet; "" leaves one unset.
  virtual absl::Status SetBotDigests(int64_t tournament,
                                     const std::vector<std::string>& digests) = 0;

  virtual absl::StatusOr<std::vector<StoredTournament>> Tournaments() = 0;
  // NotFound: no such tournament.
  virtual absl::StatusOr<StoredTournament> Tournament(int64_t id) = 0;

  // Records all of `records` in one transaction or, on an error, none of them. Recorded games
  // survive the process, however it ends. NotFound: no such tournament. InvalidArgument: a record
  // belongs to another tournament or to an unfinished game.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;
  // The same with the shard that holds the samples of these games: the store gets both or neither.
  // Recording a shard again succeeds and changes nothing. AlreadyExists: some game was recorded
  // without it. InvalidArgument, too: another shard has that name.
  virtual absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                                   const ShardEntry& shard) = 0;
  // Returns the shards in the order of their first games. NotFound: no such tournament.
  virtual absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) = 0;

  // Returns the indices of the recorded games as ascending ranges that neither overlap nor touch.
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Visits recorded games in the order of their indices. If `visit` returns an error, stops and
  // returns it. NotFound: no such tournament, or it has no bot with the filter's name.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // The same with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;

  // ---- A coordinator's data besides games.

  // Makes the caller the leading coordinator of this store and returns its epoch, which is larger
  // than any earlier one; nullopt while another coordinator leads. From then on, once another
  // coordinator has taken over, writes fail with FailedPrecondition and change nothing. Each call
  // returns a new epoch. FailedPrecondition: the schema was migrated since the store was opened.
  virtual absl::StatusOr<std::optional<uint64_t>> TryLead() = 0;

  // Adds leases or updates how they ended, by token. All or nothing.
  virtual absl::Status SaveLeases(std::span<const StoredLease> leases) = 0;
  // Returns the live leases by token.
  virtual absl::StatusOr<std::vector<StoredLease>> LiveLeases() = 0;

  // Adds or updates workers, by name. All or nothing.
  virtual absl::Status SaveWorkers(std::span<const StoredWorker> workers) = 0;
  virtual absl::StatusOr<std::vector<StoredWorker>> Workers() = 0;  // by name

  virtual absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) = 0;
  // Returns the ratings in chronological order.
  virtual absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) = 0;

  // Adds a bundle with its files. If one with that digest exists, makes it the newest.
  virtual absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) = 0;
  virtual absl::StatusOr<std::vector<StoredBundle>> Bundles() = 0;  // from oldest to newest
  // Returns the files as they were added. NotFound: no bundle has that digest.
  virtual absl::StatusOr<std::string> BundleTar(const std::string& digest) = 0;
  virtual absl::Status RemoveBundle(const std::string& digest) = 0;  // NotFound as above
};

// Writing modes exclude each other, for SQLite by a file FILE.lock that is removed at the end.
// Reading is always possible and creates no files.
enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// Opens the SQLite store in that file (schema/sqlite/*.sql; in WAL mode while it is written).
// NotFound: the folder does not exist, or the file does not exist and the mode does not create it.
// FailedPrecondition: it is not a Triarch database, or has a newer schema (for readers: a different
// one). Unavailable: another run is writing it.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// Opens the PostgreSQL store (14 or newer) at that URL ("postgresql://user@host:port/database"),
// with any number of tournaments. kCreate applies the missing migrations (schema/postgres/*.sql)
// under a lock, and returns Unavailable while a coordinator leads; with the other modes, an older
// or newer schema is FailedPrecondition. Unavailable: the server cannot be reached. NotFound: no
// such database. PermissionDenied: wrong role or password. InvalidArgument: the URL is invalid, or,
// in later calls, a text contains a NUL or invalid UTF-8.
//
// It uses one connection. An operation that loses it is repeated at once on a new one; if the
// outcome of a commit is unknown, the store asks the server for it, for up to three seconds. After
// that, while the server cannot be reached, operations fail at once with Unavailable and may be
// repeated. A coordinator keeps leading over a new connection if no other has led meanwhile; until
// the server has noticed the loss of the old one (seconds), writing is Unavailable.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, OpenMode mode);
bool IsPostgresUrl(std::string_view text);

// Creates an in-memory store, for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
