#ifndef TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_
#define TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "cli/cluster/coordinator_options.h"
#include "coordinator/store/store.h"

// [ID] --db F, or ID --coordinator A:P: which recorded tournament a command is about.
namespace triarch {

struct StoredOptions {
  std::optional<std::string> id;
  std::string db;
  CoordinatorOptions coordinator;
};

// `options` must live as long as the command.
void AddStoredOptions(CLI::App* command, StoredOptions* options);

// Whether the options go together. An error is one of usage.
absl::Status CheckStoredOptions(const StoredOptions& options);

// A recorded tournament, in a file or at a coordinator.
class RecordedTournament {
 public:
  using Visitor = absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)>;

  virtual ~RecordedTournament() = default;
  virtual const TournamentSpec& spec() const = 0;
  // In the order of their indices; `tpgn` is empty unless it is asked for.
  virtual absl::Status VisitGames(const GameFilter& filter, bool with_tpgn, Visitor visit) = 0;
  // As a table for people, or as JSON.
  virtual absl::StatusOr<std::string> Standings(bool is_json) = 0;
};

// Requires: CheckStoredOptions is ok. Of a database without an id, the only tournament.
absl::StatusOr<std::unique_ptr<RecordedTournament>> OpenRecorded(const StoredOptions& options);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_STORED_TOURNAMENT_H_
