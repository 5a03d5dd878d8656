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

  // All of `records` or, on an error, none of them: one transaction.
  virtual absl::Status Record(int64_t tournament, std::span<const GameRecord> records) = 0;

  // The indices of the recorded games, ascending, as disjoint ranges [first, last).
  struct Range {
    int64_t first;
    int64_t last;
    friend bool operator==(const Range&, const Range&) = default;
  };
  virtual absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) = 0;

  // Recorded games in index order. `visit` returns an error to stop, which is then returned.
  virtual absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                                  absl::FunctionRef<absl::Status(const GameSummary&)> visit) = 0;
  // The same with each game's TPGN.
  virtual absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) = 0;
};

enum class OpenMode : uint8_t { kCreate, kExisting, kReadOnly };

// The SQLite store in that file (WAL). NotFound if the mode does not create and there is no file;
// FailedPrecondition if it is no Triarch database, or of a newer schema.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode);

// A store that forgets: for runs without a database. It passes the same tests.
std::unique_ptr<Store> MakeMemoryStore();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_H_
