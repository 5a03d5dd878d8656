// Defines the contract of a store: where tournaments and games are recorded.

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
  int64_t first = 0;               // games from this index on
};

// A game is identified by (tournament, index) and recorded once: recording it again succeeds and
// changes nothing. Not thread-safe; several processes may read while one writes.
//
// Besides the errors below, any call may fail because of the disk: DataLoss (the data is damaged),
// ResourceExhausted (the disk is full), PermissionDenied (the store was opened for reading, or
// cannot be written), Unavailable (another process locks it, or the disk fails). Every message is a
// whole sentence for the user. A call that fails has changed nothing, with one exception: if a
// server is lost during a commit and stays away, the error is Unavailable and says that the outcome
// is unknown. Then repeat the call.
class Store {
 public:
  virtual ~Store() = default;

  // Finds the first tournament of that spec, or adds it. FailedPrecondition if the store holds more
  // of its games than `spec` requests, or if it holds only one tournament (as embedded stores do)
  // and that is another. `games` may grow: the stored spec then follows, except for the name of its
  // run.
  virtual absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) = 0;

  // Adds a tournament. FailedPrecondition if the store holds only one and has it already.
  virtual absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                         const std::string& spec_text) = 0;
  // Sets kActive, kPaused or kCancelled (InvalidArgument: kDone). The transaction that records the
  // last game sets kDone, which stays. NotFound: no such tournament.
  virtual absl::Status SetState(int64_t tournament, TournamentState state) = 0;
  // Settles the digests of the bots that have none yet, by number; "" leaves one unsettled.
  virtual absl::Status SetBotDigests(int64_t tournament,
                                     const std::vector<std::string>& digests) = 0;

  virtual absl::StatusOr<std::vector<StoredTournament>> Tournaments() = 0;
  // NotFound: no such tournament.
  virtual absl::StatusOr<StoredTournament> Tournament(int64_t id) = 0;

  // Records all of `records` or, on an error, none of them: one transaction. What is recorded
  // outlives the process, however it ends. NotFound: no such tournament. InvalidArgument: a record
  // belongs to another tournament or to an unfinished game.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;
  // The same with the shard that has the samples of these games: the store has both or neither. A
  // shard that it has already succeeds and changes nothing. AlreadyExists: some game was recorded
  // without it. InvalidArgument, too: another shard has that name.
  virtual absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                                   const ShardEntry& shard) = 0;
  // In the order of their first games. NotFound: no such tournament.
  virtual absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) = 0;

  // The indices of the recorded games, ascending, disjoint and not touching.
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Visits recorded games in the order of their indices. An error of `visit` stops and is returned.
  // NotFound: no such tournament, or no bot of the filter's name in it.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // The same with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;

  // ---- What a coordinator keeps besides games.

  // Makes the caller the leading coordinator of this store and returns its epoch, larger than any
  // earlier one; empty while another coordinator leads. From then on a write fails with
  // FailedPrecondition, and writes nothing, once another coordinator has taken over. Each call
  // returns a new epoch. FailedPrecondition if the schema was migrated since the store was opened.
  virtual absl::StatusOr<std::optional<uint64_t>> TryLead() = 0;

  // Adds leases or, by token, changes how they ended. All or nothing.
  virtual absl::Status SaveLeases(std::span<const StoredLease> leases) = 0;
  // Returns those that have not ended, by token.
  virtual absl::StatusOr<std::vector<StoredLease>> LiveLeases() = 0;

  // Adds workers or, by name, changes them. All or nothing.
  virtual absl::Status SaveWorkers(std::span<const StoredWorker> workers) = 0;
  virtual absl::StatusOr<std::vector<StoredWorker>> Workers() = 0;  // by name

  virtual absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) = 0;
  // In the order of time.
  virtual absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) = 0;

  // Adds a bundle with its files. If there is one of that digest, it becomes the newest.
  virtual absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) = 0;
  virtual absl::StatusOr<std::vector<StoredBundle>> Bundles() = 0;  // the newest last
  // Returns its files, as they were added. NotFound: there is no bundle of that digest.
  virtual absl::StatusOr<std::string> BundleTar(const std::string& digest) = 0;
  virtual absl::Status RemoveBundle(const std::string& digest) = 0;  // NotFound as above
};

// The modes that write exclude each other, for SQLite by a file FILE.lock that is removed at the
// end. Reading is possible at any time and makes no files.
enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// Opens the SQLite store in that file (schema/sqlite/*.sql; in WAL mode while it is written).
// NotFound if there is no such folder, or no file and the mode does not create; FailedPrecondition
// if it is not a Triarch database, or has a newer schema (for readers: another one); Unavailable if
// another run is writing it.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// Opens the PostgreSQL store (14 or newer) of that URL ("postgresql://user@host:port/database"),
// with any number of tournaments. kCreate applies the missing migrations (schema/postgres/*.sql)
// under a lock, Unavailable while a coordinator leads; the other modes do not: FailedPrecondition
// if the schema is older or newer. Unavailable if the server cannot be reached; NotFound: no such
// database; PermissionDenied: wrong role or password; InvalidArgument if the URL is invalid, and
// later for texts with a NUL or invalid UTF-8.
//
// It uses one connection. An operation that loses it is repeated at once on a new one, and the
// outcome of a commit that is unknown is asked for, for up to three seconds. After that, while the
// server is away, operations fail with Unavailable at once and may be repeated. A coordinator goes
// on leading over a new connection if no other has led meanwhile; until the server has noticed that
// the old one is gone (seconds), writing is Unavailable.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, OpenMode mode);
bool IsPostgresUrl(std::string_view text);

// Makes a store in memory, for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
