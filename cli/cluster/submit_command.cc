// Implements `triarch submit`: sends a tournament to a coordinator.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/record/precedence.h"
#include "spec/spec_json.h"
#include "spec/tournament_file.h"

namespace triarch {
namespace {

struct SubmitOptions {
  CoordinatorOptions coordinator;
  std::string file;
  int64_t priority = 0;
  int64_t share = 1;
  bool is_json = false;
};

int RunSubmit(const SubmitOptions& options) {
  const absl::StatusOr<InputFile> file = InputFile::Open(options.file);
  if (!file.ok()) return Fail(file.status());
  const auto client = MakeOperatorClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  absl::Status unasked;
  absl::StatusOr<TournamentSpec> spec =
      ParseTournamentFile(file->text(), options.file, MakeSubmitHooks(client->get(), &unasked));
  if (!unasked.ok()) return Fail(unasked);
  if (!spec.ok()) return Fail(spec.status());
  // Workers and the coordinator run in other folders, so the path must be absolute.
  if (spec->selfplay && !IsBucket(spec->data)) {
    spec->data = std::filesystem::absolute(spec->data).lexically_normal().string();
  }
  v1::SubmitRequest request;
  request.set_spec_json(SpecToJson(*spec));
  request.set_spec_text(std::string(file->text()));
  request.set_priority(options.priority);
  request.set_share(options.share);
  const absl::StatusOr<int64_t> id = (*client)->Submit(request);
  if (!id.ok()) return Fail(id.status());
  Print(options.is_json ? SubmitJson(*id) : std::to_string(*id) + "\n");
  return kExitDone;
}

}  // namespace

void AddSubmitCommand(const Command& app) {
  auto options = std::make_shared<SubmitOptions>();
  const Command command =
      app.AddCommand("submit", "Submit a tournament to a coordinator and print its ID.");
  command.AddText({"FILE", "", "Tournament file, as for `triarch run`"}, &options->file).Required();
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddNumber({"--priority", "N", "Tournaments with a higher priority come first"},
                    {-kPriorityMax, kPriorityMax}, &options->priority);
  command.AddNumber({"--share", "N", "Share of the workers' time, among equal priorities"},
                    {1, kShareMax}, &options->share);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "The coordinator ignores slots, db and tpgn in the file. `triarch set` changes the priority\n"
      "and the share later.\n\n"
      "Example:\n  triarch submit examples/quickstart.yaml --coordinator localhost:7071");
  command.OnRun(options, RunSubmit);
}

}  // namespace triarch
