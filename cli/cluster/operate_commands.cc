#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/tournament_hooks.h"
#include "spec/spec_json.h"
#include "spec/tournament_file.h"

// submit, list, pause, resume, cancel (and watch_command.cc): what an operator does with a cluster.
namespace triarch {
namespace {

// ---- submit

struct SubmitOptions {
  CoordinatorOptions coordinator;
  std::string file;
  bool is_json = false;
};

int RunSubmit(const SubmitOptions& options) {
  const absl::StatusOr<InputFile> file = InputFile::Open(options.file);
  if (!file.ok()) return Fail(file.status());
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  absl::Status unasked;
  absl::StatusOr<TournamentSpec> spec =
      ParseTournamentFile(file->text(), options.file, MakeSubmitHooks(client->get(), &unasked));
  if (!unasked.ok()) return Fail(unasked);
  if (!spec.ok()) return Fail(spec.status());
  // A folder must be one for the workers and the coordinator too, wherever they run.
  if (spec->selfplay && !IsBucket(spec->data)) {
    spec->data = std::filesystem::absolute(spec->data).lexically_normal().string();
  }
  const absl::StatusOr<int64_t> id =
      (*client)->Submit(SpecToJson(*spec), std::string(file->text()));
  if (!id.ok()) return Fail(id.status());
  Print(options.is_json ? JsonLine({{"tournament", *id}}) : std::to_string(*id) + "\n");
  return kExitDone;
}

// ---- list

struct ListOptions {
  CoordinatorOptions coordinator;
  bool is_json = false;
};

void PrintTournaments(const v1::ListResponse& list) {
  Print(absl::StrFormat("%4s  %-10s  %-24s  %-11s  %23s  %9s\n", "id", "state", "name", "game",
                        "done/games", "games/s"));
  for (const v1::Tournament& one : list.tournaments()) {
    Print(absl::StrFormat("%4d  %-10s  %-24s  %-11s  %23s  %9.1f\n", one.id(), one.state(),
                          one.name(), one.game(), absl::StrFormat("%d/%d", one.done(), one.games()),
                          one.games_per_second()));
    const std::optional<DataFigures> data = DataOf(one);
    if (!data) continue;
    Print(absl::StrFormat("      %s  in %s\n", DataText(*data), one.data()));
    if (!data->error.empty()) Print("      its manifest: " + data->error + "\n");
  }
}

void PrintWorkers(const v1::ListResponse& list) {
  Print(absl::StrFormat("\n%-24s  %-11s  %9s  %6s  %9s  %s\n", "worker", "state", "busy/slots",
                        "leases", "recorded", "build"));
  for (const v1::Worker& one : list.workers()) {
    Print(absl::StrFormat("%-24s  %-11s  %9s  %6d  %9d  %s\n", one.name(), one.state(),
                          absl::StrFormat("%d/%d", one.busy_slots(), one.slots()), one.leases(),
                          one.games_recorded(), one.build()));
    if (!one.why().empty()) Print("  " + one.why() + "\n");
    for (const std::string& refusal : one.refusals()) Print("  cannot play " + refusal + "\n");
  }
}

int RunList(const ListOptions& options) {
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<v1::ListResponse> list = (*client)->List();
  if (!list.ok()) return Fail(list.status());
  if (options.is_json) {
    OperatorJson json = {{"tournaments", OperatorJson::array()},
                         {"workers", OperatorJson::array()}};
    for (const auto& tournament : list->tournaments()) {
      json["tournaments"].push_back(ToJson(tournament));
    }
    for (const auto& worker : list->workers()) json["workers"].push_back(ToJson(worker));
    Print(JsonLine(json));
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

// ---- pause, resume, cancel

struct StateOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_json = false;
  std::string state;
};

int RunSetState(const StateOptions& options) {
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::Status status = (*client)->SetState(options.id, options.state);
  if (!status.ok()) return Fail(status);
  Print(options.is_json ? JsonLine({{"tournament", options.id}, {"state", options.state}})
                        : absl::StrFormat("tournament %d is %s\n", options.id, options.state));
  return kExitDone;
}

void AddStateCommand(CLI::App& app, const std::string& name, const std::string& state,
                     const std::string& help, int* exit_code) {
  auto options = std::make_shared<StateOptions>();
  options->state = state;
  CLI::App* const command = app.add_subcommand(name, help);
  AddIdOption(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "One JSON object");
  command->footer("Example:\n  triarch " + name + " 3 --coordinator localhost:7071");
  SetRun(command, options, RunSetState, exit_code);
}

void AddSubmitCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<SubmitOptions>();
  CLI::App* const command =
      app.add_subcommand("submit", "Give a tournament file to a coordinator; prints its id.");
  command->add_option("FILE", options->file, "A tournament file, as for `triarch run`")
      ->type_name("")
      ->required();
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "One JSON object");
  command->footer(
      "slots, db and tpgn in the file say nothing here.\n\n"
      "Example:\n  triarch submit examples/quickstart.yaml --coordinator localhost:7071");
  SetRun(command, options, RunSubmit, exit_code);
}

void AddListCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* const command =
      app.add_subcommand("list", "List a coordinator's tournaments and workers.");
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "One JSON object");
  command->footer("Example:\n  triarch list --coordinator localhost:7071");
  SetRun(command, options, RunList, exit_code);
}

}  // namespace

void AddOperateCommands(CLI::App& app, int* exit_code) {
  AddSubmitCommand(app, exit_code);
  AddListCommand(app, exit_code);
  AddWatchCommand(app, exit_code);
  AddStateCommand(app, "pause", "paused",
                  "Give out no more games of a tournament; those under way are played.", exit_code);
  AddStateCommand(app, "resume", "active", "Go on with a paused tournament.", exit_code);
  AddStateCommand(app, "cancel", "cancelled", "End a tournament for good; what is recorded stays.",
                  exit_code);
}

}  // namespace triarch
