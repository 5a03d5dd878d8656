// Lists the commands of the `triarch` binary. Each function adds its commands to `app`.

#ifndef TRIARCH_CLI_COMMANDS_H_
#define TRIARCH_CLI_COMMANDS_H_

#include <functional>

#include "cli/command.h"
#include "cli/command_tree.h"

namespace triarch {

// cli/rules
void AddPositionCommands(const Command& app);  // moves, play, check
void AddPerftCommand(const Command& app);      // perft
void AddShowCommand(const Command& app);       // show
void AddCellsCommand(const Command& app);      // cells
void AddRulesCommand(const Command& app);      // rules
void AddNotationCommand(const Command& app);   // notation
void AddVerifyCommand(const Command& app);     // verify
void AddScenariosCommand(const Command& app);  // scenarios

// cli/tournament
void AddRunCommand(const Command& app);        // run
void AddTestCommand(const Command& app);       // test
void AddBestOfCommand(const Command& app);     // best-of
void AddTuneCommand(const Command& app);       // tune
void AddStandingsCommand(const Command& app);  // standings
void AddRatingsCommand(const Command& app);    // ratings
void AddGamesCommand(const Command& app);      // games
void AddArchiveCommand(const Command& app);    // archive
void AddReplayCommand(const Command& app);     // replay
void AddAnalyzeCommand(const Command& app);    // analyze
void AddCheckBotCommand(const Command& bots);  // bots check
void AddViewCommand(const Command& app);       // view
void AddWebCommand(const Command& app);        // web
void AddExportCommands(const Command& app);    // export site
void AddBotsCommand(const Command& app);       // bots, bots check
void AddOpeningsCommand(const Command& app);   // openings make
void AddUciCommand(const Command& app);        // uci

// cli/cluster
void AddServeCommands(const Command& app);    // serve, migrate
void AddWorkCommand(const Command& app);      // work
void AddSubmitCommand(const Command& app);    // submit
void AddListCommand(const Command& app);      // list
void AddWatchCommand(const Command& app);     // watch
void AddSetCommand(const Command& app);       // set
void AddStateCommands(const Command& app);    // pause, resume, cancel
void AddWorkerCommands(const Command& app);   // evict, unquarantine
void AddDeleteCommands(const Command& app);   // delete, prune
void AddBundleCommands(const Command& bots);  // bots add, list, show, remove

// cli/arena
void AddArenaCommand(const Command& app);  // arena
void AddJoinCommand(const Command& app);   // join

// cli/data
void AddDataCommands(const Command& app);  // data info, verify, sample, export, features
void AddNetCommands(const Command& app);   // net info, check

// cli
// completion, man; `tree` returns all commands
void AddShellCommands(const Command& app, std::function<CommandNode()> tree);

// cli/bench
void AddBenchCommand(const Command& app);  // bench

}  // namespace triarch

#endif  // TRIARCH_CLI_COMMANDS_H_
