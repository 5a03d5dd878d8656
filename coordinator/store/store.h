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
#include "core/base/range_set.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/lease.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

// A tournament as it is stored.
struct StoredTournament {
  int64_t id = 0;
  TournamentSpec spec;    // without slots and output paths
  std::string spec_text;  // as it was given (YAML); empty if it was not given as a text
  TournamentState state = TournamentState::kActive;  // kDone exactly if all games are recorded
  std::string created;                               // UTC, 2026-11-21T10:00:00Z
  int64_t games_recorded = 0;
  // By number of the bot in the spec: the digest that its type must have; empty if not settled.
  std::vector<std::string> bot_digests;
};

// A lease as it is stored, for a coordinator that takes over, and as history.
struct StoredLease {
  WorkerId worker;
  Lease lease;        // its ttl is not stored
  std::string ended;  // "", or how: finished, expired, released, cancelled, rejected, stolen
};

struct StoredWorker {
  std::string name;
  int64_t slots = 0;
  std::string build;
  std::string quarantine;  // why it is given nothing; empty if it is given
};

// The ratings of one bot at one time.
struct RatingPoint {
  std::string time;   // UTC, as above; set by the store
  int64_t games = 0;  // of the tournament, recorded until then
  std::string bot;
  double rating = 0;  // Elo
  double error = 0;   // standard error, Elo

  friend bool operator==(const RatingPoint&, const RatingPoint&) = default;
};

// A bundle (bundle/bundle.h) as it is stored, without its files.
struct StoredBundle {
  std::string digest;    // SHA-256 of its files
  std::string manifest;  // its bot.yaml, as it was given
  std::string name;      // what that says
  std::string version;
  std::string type;
  int64_t bytes = 0;     // of its tar
  std::string added;     // UTC, as above; set by the store
  std::string added_by;  // "operator" or "user"

  friend bool operator==(const StoredBundle&, const StoredBundle&) = default;
};

// Which recorded games are asked for.
struct GameFilter {
  std::optional<std::string> bot;  // games with this bot at the table
  int64_t first = 0;               // games from this index on
};

// Where tournaments and games are recorded. Every game is known by (tournament, index) and is
// recorded once: recording it again is a success that changes nothing. Not thread-safe: one thread
// at a time; several processes may read while one writes.
//
// Beside the errors that are named below, anything may fail for reasons of the disk: DataLoss (what
// is stored is damaged), ResourceExhausted (the disk is full), PermissionDenied (the store was
// opened for reading, or may not be written), Unavailable (others hold it, or the disk fails).
// Every message is a whole sentence for the user, and whatever failed has changed nothing. (With
// one exception: where a server was lost during a commit and stays away, the error is Unavailable
// and says that the outcome is not known. Recording, and whatever else sets something, is then just
// done again.)
class Store {
 public:
  virtual ~Store() = default;

  // Finds the (first) tournament of that spec, or records it as a new one. FailedPrecondition if
  // the store holds more games of it than `spec` asks for, or has room for one tournament (embedded
  // stores have) and holds one of another identity. `games` may grow: the stored spec then follows,
  // but for the name of its run.
  virtual absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) = 0;

  // Records a new tournament whatever there is already. FailedPrecondition where a store holds one.
  virtual absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                         const std::string& spec_text) = 0;
  // kActive, kPaused or kCancelled (InvalidArgument: kDone); kDone comes by itself with the last
  // game, in the transaction that records it, and stays. NotFound: no such tournament.
  virtual absl::Status SetState(int64_t tournament, TournamentState state) = 0;
  // Settles the digests of bots that have none yet, by number; "" leaves one open.
  virtual absl::Status SetBotDigests(int64_t tournament,
                                     const std::vector<std::string>& digests) = 0;

  virtual absl::StatusOr<std::vector<StoredTournament>> Tournaments() = 0;
  // NotFound if there is none of that id.
  virtual absl::StatusOr<StoredTournament> Tournament(int64_t id) = 0;

  // All of `records` or, on an error, none of them: one transaction. What was recorded outlives
  // the process, however it ends. NotFound: no such tournament. InvalidArgument: a record is not
  // of this tournament, or not of a finished game.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;
  // Likewise, with the shard that has the samples of these games: its entry is there exactly if
  // they are. A shard that is there already is a success that changes nothing. AlreadyExists: some
  // game was recorded without it. InvalidArgument, too: another shard has that name.
  virtual absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                                   const ShardEntry& shard) = 0;
  // In the order of their first games. NotFound: no such tournament.
  virtual absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) = 0;

  // The indices of the recorded games, ascending, disjoint and not touching.
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Recorded games in index order. `visit` returns an error to stop, which is then returned.
  // NotFound: no such tournament, or no bot of the filter's name in it.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // The same with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;

  // ---- What a coordinator keeps beside. A store that holds one tournament has it too.

  // Makes the caller the one coordinator of this store and gives it its epoch, larger than any
  // before; empty while another one is. From then on whatever writes fails with FailedPrecondition,
  // and has written nothing, if this one was succeeded by another meanwhile. Called again it gives
  // another epoch. FailedPrecondition if the schema was migrated since the store was opened.
  virtual absl::StatusOr<std::optional<uint64_t>> TryLead() = 0;

  // Adds leases or, by token, changes how they ended. All or nothing.
  virtual absl::Status SaveLeases(std::span<const StoredLease> leases) = 0;
  // Those that have not ended, by token.
  virtual absl::StatusOr<std::vector<StoredLease>> LiveLeases() = 0;

  // Adds or, by name, changes. All or nothing.
  virtual absl::Status SaveWorkers(std::span<const StoredWorker> workers) = 0;
  virtual absl::StatusOr<std::vector<StoredWorker>> Workers() = 0;  // by name

  virtual absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) = 0;
  // In the order of time.
  virtual absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) = 0;

  // Adds a bundle with its files; one of that digest that is there already becomes the newest.
  virtual absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) = 0;
  virtual absl::StatusOr<std::vector<StoredBundle>> Bundles() = 0;  // the newest last
  // Its files, as they were added. NotFound: there is none of that digest.
  virtual absl::StatusOr<std::string> BundleTar(const std::string& digest) = 0;
  virtual absl::Status RemoveBundle(const std::string& digest) = 0;  // NotFound as above
};

// Both that write do so alone: a file FILE.lock, gone in the end, keeps other writers out. Reading
// goes on at any time and makes no files.
enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// The SQLite store in that file (schema/sqlite/*.sql; WAL while it is written). NotFound if the
// mode does not create and there is no file, or no such folder; FailedPrecondition if it is no
// Triarch database, or of a newer schema; Unavailable if another run is writing there.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// The PostgreSQL store (14 or newer) of that URL ("postgresql://user@host:port/database"), with any
// number of tournaments. Opening it with kCreate applies the migrations that are missing
// (schema/postgres/*.sql) under a lock, Unavailable while a coordinator leads; the others do not:
// FailedPrecondition if the schema is older or newer. Unavailable if the server cannot be reached;
// NotFound: no such database; PermissionDenied: not with that role or password; InvalidArgument if
// the URL is none, and later for texts with a NUL or that are no UTF-8.
//
// One connection. An operation during which it was lost is tried again at once on a new one; a
// commit of unknown outcome is asked for, for up to three seconds. After that, and for as long as
// the server is away, operations fail with Unavailable at once and may be called again. Leading
// goes on over a new connection if nobody led meanwhile; until the server has noticed that the old
// one is gone (seconds) writing is Unavailable.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, OpenMode mode);
bool IsPostgresUrl(std::string_view text);

// A store that forgets: for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
