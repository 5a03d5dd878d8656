// Implements `triarch set`: changes the priority and the share of a tournament.

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/record/precedence.h"

namespace triarch {
namespace {

struct SetOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  std::optional<int64_t> priority;
  std::optional<int64_t> share;
  bool is_json = false;
};

int RunSet(const SetOptions& options) {
  if (!options.priority && !options.share) {
    return UsageError("nothing to set: give --priority or --share");
  }
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  v1::SetPrecedenceRequest request;
  request.set_tournament(options.id);
  if (options.priority) request.set_priority(*options.priority);
  if (options.share) request.set_share(*options.share);
  const absl::StatusOr<v1::SetPrecedenceResponse> now = (*client)->SetPrecedence(request);
  if (!now.ok()) return Fail(now.status());
  Print(options.is_json ? SetJson(options.id, *now)
                        : absl::StrFormat("tournament %d has priority %d and share %d\n",
                                          options.id, now->priority(), now->share()));
  return kExitDone;
}

}  // namespace

void AddSetCommand(const Command& app) {
  auto options = std::make_shared<SetOptions>();
  const Command command =
      app.AddCommand("set", "Change the priority or the share of a tournament.");
  AddIdArgument(command, &options->id);
  command.AddNumber({"--priority", "N", "Tournaments with a higher priority come first"},
                    {-kPriorityMax, kPriorityMax}, &options->priority);
  command.AddNumber({"--share", "N", "Share of the workers' time, among equal priorities"},
                    {1, kShareMax}, &options->share);
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "Workers first finish what they have been given, about 10 seconds of play.\n\n"
      "Example:\n  triarch set 3 --priority 5 --coordinator localhost:7071");
  command.OnRun(options, RunSet);
}

}  // namespace triarch
