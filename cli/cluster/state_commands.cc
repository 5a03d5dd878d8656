// Implements `triarch pause`, `resume` and `cancel`: changes the state of a tournament.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

struct StateOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_json = false;
  std::string state;
};

int RunSetState(const StateOptions& options) {
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::Status status = (*client)->SetState(options.id, options.state);
  if (!status.ok()) return Fail(status);
  Print(options.is_json ? StateJson(options.id, options.state)
                        : absl::StrFormat("tournament %d is %s\n", options.id, options.state));
  return kExitDone;
}

void AddStateCommand(const Command& app, const std::string& name, TournamentState state,
                     const std::string& help) {
  auto options = std::make_shared<StateOptions>();
  options->state = std::string(ToString(state));
  const Command command = app.AddCommand(name, help);
  AddIdArgument(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer("Example:\n  triarch " + name + " 3 --coordinator localhost:7071");
  command.OnRun(options, RunSetState);
}

}  // namespace

void AddStateCommands(const Command& app) {
  AddStateCommand(app, "pause", TournamentState::kPaused,
                  "Stop handing out games of a tournament; running games are finished.");
  AddStateCommand(app, "resume", TournamentState::kActive, "Resume a paused tournament.");
  AddStateCommand(app, "cancel", TournamentState::kCancelled,
                  "End a tournament for good; its recorded games are kept.");
}

}  // namespace triarch
