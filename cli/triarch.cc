// Runs the `triarch` binary: registers every command and runs the given one.

#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/version_text.h"
#include "http/socket_keeper.h"

namespace triarch {
namespace {

constexpr const char* kDescription =
    "Triarch plays chess variants for two and three players: rules, bots, tournaments, ratings.";

constexpr const char* kExamples =
    "Examples:\n"
    "  triarch show                                 draw the board\n"
    "  triarch moves --from E2                      list the moves of one piece\n"
    "  triarch play E2-E4 D7-D6                     print the position after two moves\n"
    "  triarch run --bots random,greedy,paranoid --games 60 --seed 1\n"
    "                                               play a tournament of three bots\n"
    "\n"
    "`triarch COMMAND --help` or `triarch help COMMAND` explains a command and shows examples.\n"
    "Exit codes: 0 success; 1 the job failed, or the checked input is wrong; 2 the command line\n"
    "is wrong. An error is one line on standard error.";

void AddCommands(CommandLine& line) {
  const Command app = line.Group("Commands");
  AddRunCommand(app);
  AddTestCommand(app);
  AddBestOfCommand(app);
  AddTuneCommand(app);
  AddStandingsCommand(app);
  AddRatingsCommand(app);
  AddGamesCommand(app);
  AddArchiveCommand(app);
  AddReplayCommand(app);
  AddViewCommand(app);
  AddWebCommand(app);
  AddExportCommands(app);
  AddAnalyzeCommand(app);
  AddPositionCommands(app);
  AddPerftCommand(app);
  AddShowCommand(app);
  AddCellsCommand(app);
  AddRulesCommand(app);
  AddNotationCommand(app);
  AddVerifyCommand(app);
  AddDataCommands(app);
  AddNetCommands(app);
  AddScenariosCommand(app);
  AddBotsCommand(app);
  AddOpeningsCommand(app);
  AddUciCommand(app);
  AddBenchCommand(app);
  AddShellCommands(app, [&line] { return line.Tree(); });

  const Command cluster = line.Group("Cluster commands");
  AddServeCommands(cluster);
  AddWorkCommand(cluster);
  AddSubmitCommand(cluster);
  AddListCommand(cluster);
  AddWatchCommand(cluster);
  AddStateCommands(cluster);
  AddSetCommand(cluster);
  AddWorkerCommands(cluster);
  AddDeleteCommands(cluster);

  const Command arena = line.Group("Arena commands");
  AddArenaCommand(arena);
  AddJoinCommand(arena);
}

// Completion scripts call `triarch __complete WORD…`, which is no command: it takes any words.
int RunOrComplete(CommandLine& line, int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != kCompleteWord) return line.Run(argc, argv);
  for (const std::string& word : Complete(line.Tree(), {argv + 2, argv + argc})) {
    Print(word + "\n");
  }
  return kExitDone;
}

int Main(int argc, char** argv) {
  CommandLine line({.name = "triarch",
                    .description = kDescription,
                    .version = VersionText,
                    .footer = kExamples});
  AddCommands(line);
  const int exit_code = RunOrComplete(line, argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return Fail("cannot write to standard output");
  }
  return exit_code;
}

// Raises the soft limit to the hard one: a process bot takes about ten descriptors, and shells
// allow 1024.
void RaiseOpenFiles() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  // Our code throws nothing, but libraries may if memory or threads run out.
  try {
    if (argc > 1 && std::string_view(argv[1]) == triarch::kKeepSocketWord) {
      return triarch::KeepSocket(argc, argv);
    }
    triarch::RaiseOpenFiles();
    return triarch::Main(argc, argv);
  } catch (const std::exception& error) {
    return triarch::Fail(error.what());
  }
}
