// Opens a recorded tournament, from a database or a coordinator.

#ifndef TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_
#define TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "cli/cluster/coordinator_options.h"
#include "cli/command.h"
#include "coordinator/service/stored_standings.h"
#include "coordinator/store/store.h"

namespace triarch {

// Names a tournament: [ID] --db FILE, or ID --coordinator HOST:PORT.
struct StoredOptions {
  std::optional<int64_t> id;
  std::string db;
  CoordinatorOptions coordinator;
};

// Returns the arguments that name the tournament: "2 --db my.db".
std::string ArgumentsOf(const StoredOptions& options);

// `options` must live as long as the command. `has_tpgn_in` means that it also takes --tpgn-in.
void AddStoredOptions(const Command& command, StoredOptions* options, bool has_tpgn_in = false);

// Returns a usage error if the options conflict.
absl::Status CheckStoredOptions(const StoredOptions& options);

class RecordedTournament {
 public:
  using Visitor = absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)>;

  virtual ~RecordedTournament() = default;
  virtual const TournamentSpec& spec() const = 0;
  // Visits the games in the order of their indices. `tpgn` is empty unless `with_tpgn`.
  virtual absl::Status VisitGames(const GameFilter& filter, bool with_tpgn, Visitor visit) = 0;
  // Visits the stored reports about forfeits in the order of the games. The filter's bot is the one
  // that forfeited. At a coordinator, users may see only their own bots' faults.
  virtual absl::Status VisitFaults(const GameFilter& filter,
                                   absl::FunctionRef<absl::Status(const StoredFault&)> visit) = 0;
  virtual absl::StatusOr<StandingsReport> Standings() = 0;
};

// Opens the tournament; without an ID, the only one of the database. Requires: CheckStoredOptions
// is ok.
absl::StatusOr<std::unique_ptr<RecordedTournament>> OpenRecorded(const StoredOptions& options);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_
