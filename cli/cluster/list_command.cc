// Implements `triarch list`: prints the tournaments and workers of a coordinator.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/cluster/watch_screen.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/counted.h"

namespace triarch {
namespace {

struct ListOptions {
  CoordinatorOptions coordinator;
  bool is_json = false;
};

// Returns the width of the column of names.
template <class Items>
int NameWidth(const Items& items) {
  size_t width = 24;
  for (const auto& one : items) width = std::max(width, one.name().size());
  return static_cast<int>(width);
}

void PrintTournaments(const v1::ListResponse& list) {
  const int width = NameWidth(list.tournaments());
  Print(absl::StrFormat("%4s  %-10s  %8s  %5s  %-*s  %-11s  %23s  %9s\n", "id", "state", "priority",
                        "share", width, "name", "game", "done/games", "games/s"));
  for (const v1::Tournament& one : list.tournaments()) {
    PrintLine(absl::StrFormat("%4d  %-10s  %8d  %5d  %-*s  %-11s  %23s  %9.1f", one.id(),
                              one.state(), one.priority(), one.share(), width, one.name(),
                              one.game(), absl::StrFormat("%d/%d", one.done(), one.games()),
                              one.games_per_second()));
    if (one.held() > 0) {
      PrintLine(absl::StrFormat("      %s held, %s passed and %d under way",
                                Counted(one.held(), "game"), Counted(one.audits_passed(), "audit"),
                                one.open_audits()));
      if (!one.held_why().empty()) PrintLine("      " + one.held_why());
    }
    if (one.refusals_size() > 0) {
      PrintLine("      " + RefusalText({one.refusals().begin(), one.refusals().end()}));
    }
    const std::optional<DataFigures> data = DataOf(one);
    if (!data) continue;
    PrintLine(absl::StrFormat("      %s  in %s", DataText(*data), one.data()));
    if (!data->error.empty()) PrintLine("      manifest error: " + data->error);
  }
}

void PrintWorkers(const v1::ListResponse& list) {
  const int width = NameWidth(list.workers());
  Print(absl::StrFormat("\n%-*s  %-11s  %9s  %6s  %9s  %s\n", width, "worker", "state",
                        "busy/slots", "leases", "recorded", "build"));
  for (const v1::Worker& one : list.workers()) {
    PrintLine(absl::StrFormat("%-*s  %-11s  %9s  %6d  %9d  %s", width, one.name(), one.state(),
                              absl::StrFormat("%d/%d", one.busy_slots(), one.slots()), one.leases(),
                              one.games_recorded(), one.build()));
    if (!one.why().empty()) PrintLine("  " + one.why());
    for (const std::string& refusal : one.refusals()) PrintLine("  cannot play " + refusal);
  }
}

int RunList(const ListOptions& options) {
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<v1::ListResponse> list = (*client)->List();
  if (!list.ok()) return Fail(list.status());
  if (options.is_json) {
    Print(ListJson(*list));
    return kExitDone;
  }
  PrintTournaments(*list);
  if (list->workers_size() == 0) {
    Print("\nno workers\n");
  } else {
    PrintWorkers(*list);
  }
  return kExitDone;
}

}  // namespace

void AddListCommand(const Command& app) {
  auto options = std::make_shared<ListOptions>();
  const Command command =
      app.AddCommand("list", "List the tournaments and workers of a coordinator.");
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer("Example:\n  triarch list --coordinator localhost:7071");
  command.OnRun(options, RunList);
}

}  // namespace triarch
