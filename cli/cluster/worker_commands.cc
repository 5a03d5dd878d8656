// Implements `triarch evict` and `unquarantine`: takes games from a worker, or lets it play again.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"

namespace triarch {
namespace {

struct WorkerOptions {
  CoordinatorOptions coordinator;
  std::string worker;
  std::optional<std::string> quarantine;
  bool is_json = false;
};

int RunEvict(const WorkerOptions& options) {
  if (options.quarantine && options.quarantine->empty()) {
    return UsageError("--quarantine: expected a reason");
  }
  const std::string why = options.quarantine.value_or("");
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<int64_t> leases = (*client)->Evict(options.worker, why);
  if (!leases.ok()) return Fail(leases.status());
  if (options.is_json) {
    Print(EvictJson(options.worker, *leases, why));
    return kExitDone;
  }
  const std::string ended = *leases == 0
                                ? "it had no leases"
                                : absl::StrFormat("%d %s ended, and others get its games", *leases,
                                                  *leases == 1 ? "lease" : "leases");
  PrintLine(absl::StrFormat("worker %s is %s: %s", options.worker,
                            why.empty() ? "evicted" : "evicted and quarantined", ended));
  return kExitDone;
}

int RunUnquarantine(const WorkerOptions& options) {
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::Status status = (*client)->Unquarantine(options.worker);
  if (!status.ok()) return Fail(status);
  if (options.is_json) {
    Print(UnquarantineJson(options.worker));
  } else {
    PrintLine(absl::StrFormat("worker %s is no longer quarantined", options.worker));
  }
  return kExitDone;
}

Command AddWorkerCommand(const Command& app, const std::string& name, const std::string& help,
                         const std::shared_ptr<WorkerOptions>& options) {
  const Command command = app.AddCommand(name, help);
  command
      .AddText({"WORKER", "", "Name of the worker, as `triarch list` shows it"}, &options->worker)
      .Required();
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  return command;
}

}  // namespace

void AddWorkerCommands(const Command& app) {
  auto evicted = std::make_shared<WorkerOptions>();
  const Command evict = AddWorkerCommand(
      app, "evict", "End a worker's leases, so that others play its games.", evicted);
  evict.AddText({"--quarantine", "WHY", "Give it no more games, for this reason"},
                &evicted->quarantine);
  evict.Footer(
      "Without --quarantine, a worker that still runs registers again and gets new games.\n\n"
      "Example:\n  triarch evict w1 --quarantine 'its clock is wrong' --coordinator "
      "localhost:7071");
  evict.OnRun(evicted, RunEvict);

  auto released = std::make_shared<WorkerOptions>();
  const Command unquarantine =
      AddWorkerCommand(app, "unquarantine", "Let a quarantined worker play again.", released);
  unquarantine.Footer("Example:\n  triarch unquarantine w1 --coordinator localhost:7071");
  unquarantine.OnRun(released, RunUnquarantine);
}

}  // namespace triarch
