#ifndef TRIARCH_CLI_COMMANDS_H_
#define TRIARCH_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/tournament/report.h"

// The commands of the `triarch` binary, one file per group. Each adds its subcommands to `app`;
// the one that is called leaves its exit code in *exit_code.
namespace triarch {

void AddPositionCommands(CLI::App& app, int* exit_code);  // moves, play, check
void AddPerftCommand(CLI::App& app, int* exit_code);      // perft
void AddShowCommand(CLI::App& app, int* exit_code);       // show
void AddTpgnCommands(CLI::App& app, int* exit_code);      // verify
void AddNotationCommand(CLI::App& app, int* exit_code);   // notation
void AddRunCommand(CLI::App& app, int* exit_code);        // run
void AddServeCommand(CLI::App& app, int* exit_code);      // serve
void AddWorkCommand(CLI::App& app, int* exit_code);       // work
void AddOperateCommands(CLI::App& app, int* exit_code);   // submit, list, pause, …
void AddWatchCommand(CLI::App& app, int* exit_code);      // watch
void AddMigrateCommand(CLI::App& app, int* exit_code);    // migrate
void AddStandingsCommand(CLI::App& app, int* exit_code);  // standings
void AddGamesCommand(CLI::App& app, int* exit_code);      // games
void AddDataCommands(CLI::App& app, int* exit_code);      // data info, verify, sample, export
void AddScenariosCommand(CLI::App& app, int* exit_code);  // scenarios
void AddBotsCommand(CLI::App& app, int* exit_code);       // bots
void AddUciCommand(CLI::App& app, int* exit_code);        // uci
void AddBundleCommands(CLI::App* bots, int* exit_code);   // bots add, list, show, remove
void AddBenchCommand(CLI::App& app, int* exit_code);      // bench

// What every command is made of: `options` is what its flags are bound to, and `run` does the work
// once they are read. Errors are reported by `run` (cli/tournament/report.h); nothing may be thrown
// out of it.
//
//   auto options = std::make_shared<ShowOptions>();
//   CLI::App* command = app.add_subcommand("show", "Draw a position");
//   command->add_option("--svg", options->svg, "Write a picture to FILE")->type_name("FILE");
//   SetRun(command, options, RunShow, exit_code);
template <class Options>
void SetRun(CLI::App* command, std::shared_ptr<Options> options, int (*run)(const Options&),
            int* exit_code) {
  command->callback([options, run, exit_code] { *exit_code = run(*options); });
}

}  // namespace triarch

#endif  // TRIARCH_CLI_COMMANDS_H_
