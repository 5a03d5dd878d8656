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
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// A tournament as it is stored.
struct StoredTournament {
  int64_t id = 0;
  TournamentSpec spec;  // without slots and output paths
  int64_t games_recorded = 0;
};

// Which recorded games are asked for.
struct GameFilter {
  std::optional<std::string> bot;  // games with this bot at the table
};

// Where tournaments and games are recorded. Every game is known by (tournament, index) and is
// recorded once: recording it again is a success that changes nothing. Not thread-safe: one thread
// at a time; several processes may read while one writes.
//
// Beside the errors that are named below, anything may fail for reasons of the disk: DataLoss (what
// is stored is damaged), ResourceExhausted (the disk is full), PermissionDenied (the store was
// opened for reading, or may not be written), Unavailable (others hold it, or the disk fails).
// Every message is a whole sentence for the user, and whatever failed has changed nothing.
class Store {
 public:
  virtual ~Store() = default;

  // Finds the tournament of that spec, or records it as a new one. FailedPrecondition if the store
  // holds a tournament of another identity (an embedded store holds one), or more games than
  // `spec` asks for. `games` may grow: the stored spec then follows.
  virtual absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) = 0;

  virtual absl::StatusOr<std::vector<StoredTournament>> Tournaments() = 0;
  // NotFound if there is none of that id.
  virtual absl::StatusOr<StoredTournament> Tournament(int64_t id) = 0;

  // All of `records` or, on an error, none of them: one transaction. What was recorded outlives
  // the process, however it ends. NotFound: no such tournament. InvalidArgument: a record is not
  // of this tournament, or not of a finished game.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;

  // The indices of the recorded games, ascending, as disjoint ranges [first, last).
  struct Range {
    int64_t first;
    int64_t last;
    friend bool operator==(const Range&, const Range&) = default;
  };
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Recorded games in index order. `visit` returns an error to stop, which is then returned.
  // NotFound: no such tournament, or no bot of the filter's name in it.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // The same with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;
};

// Both that write do so alone: a file FILE.lock, gone in the end, keeps other writers out. Reading
// goes on at any time and makes no files.
enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// The SQLite store in that file (schema/*.sql; WAL while it is written). NotFound if the mode does
// not create and there is no file, or no such folder; FailedPrecondition if it is no Triarch
// database, or of a newer schema; Unavailable if another run is writing there.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// A store that forgets: for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
