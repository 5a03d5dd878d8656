#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/operator_client.h"
#include "cli/progress.h"
#include "cli/tournament_hooks.h"
#include "coordinator/schedule/tournament_file.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/spec_json.h"

// submit, list, watch, pause, resume, cancel: what an operator does with a cluster.
namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// ---- submit

struct SubmitOptions {
  CoordinatorOptions coordinator;
  std::string file;
  bool is_json = false;
};

int RunSubmit(const SubmitOptions& options) {
  const absl::StatusOr<InputFile> file = InputFile::Open(options.file);
  if (!file.ok()) return UsageError(file.status());
  const absl::StatusOr<TournamentSpec> spec =
      ParseTournamentFile(file->text(), options.file, MakeTournamentHooks());
  if (!spec.ok()) return UsageError(spec.status());
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<int64_t> id =
      (*client)->Submit(SpecToJson(*spec), std::string(file->text()));
  if (!id.ok()) return Fail(id.status());
  Print(options.is_json ? Dump({{"tournament", *id}}) : std::to_string(*id) + "\n");
  return kExitDone;
}

// ---- list

struct ListOptions {
  CoordinatorOptions coordinator;
  bool is_json = false;
};

Json ToJson(const v1::Tournament& tournament) {
  Json json = {{"id", tournament.id()},
               {"name", tournament.name()},
               {"game", tournament.game()},
               {"state", tournament.state()},
               {"created", tournament.created()},
               {"games", tournament.games()},
               {"open", tournament.open()},
               {"leased", tournament.leased()},
               {"done", tournament.done()},
               {"games_per_second", tournament.games_per_second()},
               {"plies_per_second", tournament.plies_per_second()}};
  json["bots"] = Json::array();
  for (const std::string& bot : tournament.bots()) json["bots"].push_back(bot);
  return json;
}

Json ToJson(const v1::Worker& worker) {
  return {{"name", worker.name()},
          {"state", worker.state()},
          {"why", worker.why()},
          {"slots", worker.slots()},
          {"busy_slots", worker.busy_slots()},
          {"build", worker.build()},
          {"leases", worker.leases()},
          {"games_recorded", worker.games_recorded()},
          {"games_held", worker.games_held()},
          {"rejections", worker.rejections()},
          {"last_seen_ms", worker.last_seen_ms()}};
}

void PrintTournaments(const v1::ListResponse& list) {
  Print(absl::StrFormat("%4s  %-10s  %-24s  %-11s  %23s  %9s\n", "id", "state", "name", "game",
                        "done/games", "games/s"));
  for (const v1::Tournament& one : list.tournaments()) {
    Print(absl::StrFormat("%4d  %-10s  %-24s  %-11s  %23s  %9.1f\n", one.id(), one.state(),
                          one.name(), one.game(), absl::StrFormat("%d/%d", one.done(), one.games()),
                          one.games_per_second()));
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
  }
}

int RunList(const ListOptions& options) {
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const absl::StatusOr<v1::ListResponse> list = (*client)->List();
  if (!list.ok()) return Fail(list.status());
  if (options.is_json) {
    Json json = {{"tournaments", Json::array()}, {"workers", Json::array()}};
    for (const auto& tournament : list->tournaments()) {
      json["tournaments"].push_back(ToJson(tournament));
    }
    for (const auto& worker : list->workers()) json["workers"].push_back(ToJson(worker));
    Print(Dump(json));
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

// ---- watch

struct WatchOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_json = false;
};

constexpr std::chrono::milliseconds kWatchEvery{500};

bool IsOver(const v1::Tournament& tournament) {
  return tournament.state() == "done" || tournament.state() == "cancelled";
}

ProgressFigures FiguresOf(const v1::GetResponse& now, const v1::Tournament& at_first,
                          std::chrono::duration<double> elapsed) {
  const v1::Tournament& tournament = now.tournament();
  ProgressFigures figures{.games_done = tournament.done(),
                          .games_total = tournament.games(),
                          .games_now = tournament.done() - at_first.done(),
                          .plies_now = static_cast<int64_t>(tournament.plies_per_second() *
                                                            std::max(elapsed.count(), 0.0)),
                          .elapsed = elapsed,
                          .leader = ""};
  if (now.leaderboard_size() > 0 && now.leaderboard(0).games() > 0) {
    const v1::LeaderboardRow& first = now.leaderboard(0);
    figures.leader = absl::StrFormat("%s %.0f%%", first.bot(),
                                     100 * first.points() / static_cast<double>(first.games()));
  }
  return figures;
}

Json WatchJson(const v1::GetResponse& now) {
  Json json = ToJson(now.tournament());
  json["leaderboard"] = Json::array();
  for (const v1::LeaderboardRow& row : now.leaderboard()) {
    json["leaderboard"].push_back(
        {{"bot", row.bot()}, {"games", row.games()}, {"points", row.points()}});
  }
  return json;
}

// Shows until the tournament is over or somebody interrupts; a coordinator that is away for a
// moment is waited for.
absl::Status Watch(OperatorClient& client, const WatchOptions& options,
                   const Interrupt& interrupt) {
  using Clock = std::chrono::steady_clock;
  ProgressLine progress(stderr, TerminalColumns(stderr), Clock::now());
  const auto began = Clock::now();
  std::optional<v1::Tournament> at_first;
  auto last_seen = Clock::now();
  while (!interrupt.is_asked()) {
    const absl::StatusOr<v1::GetResponse> now = client.Get(options.id);
    const bool is_away = absl::IsUnavailable(now.status());
    if (!now.ok() &&
        (!is_away || !at_first || Clock::now() - last_seen > std::chrono::minutes(1))) {
      return now.status();
    }
    if (now.ok()) {
      last_seen = Clock::now();
      if (!at_first) at_first = now->tournament();
      if (options.is_json) {
        Print(Dump(WatchJson(*now)));
        std::fflush(stdout);
      } else {
        progress.Update(FiguresOf(*now, *at_first, Clock::now() - began), Clock::now());
      }
      if (IsOver(now->tournament())) return absl::OkStatus();
    }
    std::this_thread::sleep_for(kWatchEvery);
  }
  return absl::OkStatus();
}

int RunWatch(const WatchOptions& options) {
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const Interrupt interrupt;
  const absl::Status status = Watch(**client, options, interrupt);
  if (!status.ok()) return Fail(status);
  if (options.is_json) return kExitDone;
  const auto standings = (*client)->Standings(options.id);
  if (!standings.ok()) return Fail(standings.status());
  Print(standings->text());
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
  Print(options.is_json ? Dump({{"tournament", options.id}, {"state", options.state}})
                        : absl::StrFormat("tournament %d is %s\n", options.id, options.state));
  return kExitDone;
}

void AddIdOption(CLI::App* command, int64_t* id) {
  command->add_option("ID", *id, "Which tournament")
      ->type_name("")
      ->check([](const std::string& text) -> std::string {
        const std::optional<int64_t> number = ParseInt64(text);
        if (number && *number >= 1) return "";
        return "expected a number from 1 on, not " + Quote(text);
      })
      ->required();
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

void AddWatchCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<WatchOptions>();
  CLI::App* const command =
      app.add_subcommand("watch", "Follow a tournament until it is over, then show its standings.");
  AddIdOption(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "A JSON object a line, twice a second");
  command->footer("Example:\n  triarch watch 3 --coordinator localhost:7071");
  SetRun(command, options, RunWatch, exit_code);
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
