// Implements `triarch delete` and `prune`: deletes tournaments and old records of a coordinator.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr int64_t kDaysMax = 36'500;

struct DeleteOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_sure = false;
  bool is_json = false;
};

int RunDelete(const DeleteOptions& options) {
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<v1::GetResponse> got = (*client)->Get(options.id);
  if (!got.ok()) return Fail(got.status());
  const v1::Tournament& tournament = got->tournament();
  if (!options.is_sure) {
    return UsageError(
        absl::StrFormat("this would delete tournament %d, %s, with %s for good; `triarch archive` "
                        "keeps a copy; add "
                        "--yes to delete it",
                        options.id, Quote(tournament.name()), Counted(tournament.done(), "game")));
  }
  const absl::Status status = (*client)->Delete(options.id);
  if (!status.ok()) return Fail(status);
  if (options.is_json) {
    Print(StateJson(options.id, "deleted"));
    return kExitDone;
  }
  PrintLine(absl::StrFormat("tournament %d is deleted", options.id));
  if (!tournament.data().empty()) PrintLine("its data is still in " + tournament.data());
  return kExitDone;
}

struct PruneOptions {
  CoordinatorOptions coordinator;
  int64_t days = 0;
  bool with_tournaments = false;
  bool is_dry_run = false;
  bool is_json = false;
};

// Reads "90d".
absl::Status ReadDays(const std::string& text, int64_t* days) {
  std::optional<int64_t> number;
  if (text.ends_with("d")) number = ParseInt64(text.substr(0, text.size() - 1));
  if (!number || *number < 0 || *number > kDaysMax) {
    return absl::InvalidArgumentError(
        absl::StrFormat("expected days, from 0d to %dd, not %s", kDaysMax, Quote(text)));
  }
  *days = *number;
  return absl::OkStatus();
}

int RunPrune(const PruneOptions& options) {
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  v1::PruneRequest request;
  request.set_older_than_s(options.days * 86'400);
  request.set_with_tournaments(options.with_tournaments);
  request.set_is_dry_run(options.is_dry_run);
  const absl::StatusOr<v1::PruneResponse> pruned = (*client)->Prune(request);
  if (!pruned.ok()) return Fail(pruned.status());
  if (options.is_json) {
    Print(PruneJson(*pruned));
    return kExitDone;
  }
  std::string tournaments;
  for (const int64_t id : pruned->tournaments()) tournaments += " " + std::to_string(id);
  PrintLine((options.is_dry_run ? "would delete " : "deleted ") +
            Counted(pruned->leases(), "lease") + ", " + Counted(pruned->workers(), "worker") +
            ", " + Counted(pruned->ratings(), "rating point") +
            (options.with_tournaments
                 ? ", tournaments:" + (tournaments.empty() ? " none" : tournaments)
                 : ""));
  return kExitDone;
}

void AddDeleteCommand(const Command& app) {
  auto options = std::make_shared<DeleteOptions>();
  const Command command =
      app.AddCommand("delete", "Delete a tournament that is done or cancelled, with its games.");
  AddIdArgument(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--yes", "", "Delete it; without this, only say what would be deleted"},
                  &options->is_sure);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "Deletes its games, standings, ratings, leases and reports about faults. The files with the\n"
      "data of self-play are left.\n\n"
      "Example:\n  triarch delete 3 --yes --coordinator localhost:7071");
  command.OnRun(options, RunDelete);
}

void AddPruneCommand(const Command& app) {
  auto options = std::make_shared<PruneOptions>();
  const Command command = app.AddCommand("prune", "Delete a coordinator's old records.");
  command
      .Add({"--older-than", "DAYS", "Age from which something is old, such as 90d"},
           [options](const std::string& text) { return ReadDays(text, &options->days); })
      .Required();
  command.AddFlag({"--tournaments", "", "Also delete the tournaments that ended that long ago"},
                  &options->with_tournaments);
  command.AddFlag({"--dry-run", "", "Only say what would be deleted"}, &options->is_dry_run);
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "Deletes leases that ended, workers that have not registered since then, and rating points\n"
      "except the last of each bot and day. Games are deleted only with --tournaments.\n\n"
      "Examples:\n"
      "  triarch prune --older-than 30d --coordinator localhost:7071\n"
      "  triarch prune --older-than 365d --tournaments --dry-run --coordinator localhost:7071");
  command.OnRun(options, RunPrune);
}

}  // namespace

void AddDeleteCommands(const Command& app) {
  AddDeleteCommand(app);
  AddPruneCommand(app);
}

}  // namespace triarch
