#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/tournament/report.h"
#include "core/base/text.h"

// The binary: reads the command line and lets the command do the rest.
namespace triarch {
namespace {

constexpr const char* kExamples =
    "A first tour:\n"
    "  triarch show                                 the board\n"
    "  triarch moves --from E2                      the moves of one piece\n"
    "  triarch play E2-E4 D7-D6                     a position after two moves\n"
    "  triarch run --bots random,greedy,paranoid --games 60 --seed 1\n"
    "                                               a tournament of three bots\n"
    "\n"
    "`triarch COMMAND --help` explains a command, with examples.\n"
    "Exit codes: 0 done; 1 the job failed, or the thing checked is wrong; 2 the command line is\n"
    "wrong. An error is one line on standard error.";

void AddCommands(CLI::App& app, int* exit_code) {
  AddRunCommand(app, exit_code);
  AddStandingsCommand(app, exit_code);
  AddGamesCommand(app, exit_code);
  AddPositionCommands(app, exit_code);
  AddPerftCommand(app, exit_code);
  AddShowCommand(app, exit_code);
  AddNotationCommand(app, exit_code);
  AddTpgnCommands(app, exit_code);
  AddDataCommands(app, exit_code);
  AddScenariosCommand(app, exit_code);
  AddBotsCommand(app, exit_code);
  AddUciCommand(app, exit_code);
  AddBenchCommand(app, exit_code);
  for (CLI::App* const command : app.get_subcommands(nullptr)) command->group("Commands");
  const size_t single = app.get_subcommands(nullptr).size();
  AddServeCommand(app, exit_code);
  AddWorkCommand(app, exit_code);
  AddOperateCommands(app, exit_code);
  AddMigrateCommand(app, exit_code);
  const auto commands = app.get_subcommands(nullptr);
  for (size_t i = single; i < commands.size(); ++i) commands[i]->group("Commands of a cluster");
}

// What is wrong where a command of several was given none of these; "" if it is not that.
std::string NoSubcommand(const CLI::App& command) {
  const auto all = command.get_subcommands(nullptr);
  if (all.empty() || !command.get_subcommands().empty()) return "";
  std::string names;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) names += i + 1 == all.size() ? " or " : ", ";
    names += all[i]->get_name();
  }
  const std::vector<std::string> given = command.remaining();
  return "expected " + names + (given.empty() ? "" : ", not " + Quote(given[0]));
}

// What the parser found wrong, as our own one line, and where to read on.
int ReportParseError(const CLI::App& app, const CLI::ParseError& error, int argc,
                     const char* const* argv) {
  // The innermost: "bots add" has a help of its own.
  std::string name;
  std::string what = error.what();
  for (auto commands = app.get_subcommands(); !commands.empty();) {
    name += (name.empty() ? "" : " ") + commands[0]->get_name();
    const bool is_required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::string missing = is_required ? NoSubcommand(*commands[0]) : "";
    if (!missing.empty()) what = missing;
    commands = commands[0]->get_subcommands();
  }
  if (!name.empty()) return UsageError(name + ": " + what + " (see triarch " + name + " --help)");
  if (argc < 2) return UsageError("a command was expected (see triarch --help)");
  return UsageError("no such command or flag: " + Quote(argv[1]) + " (see triarch --help)");
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Triarch plays three chess games of two and three players: rules, bots, tournaments, "
      "ratings.",
      "triarch");
  app.set_version_flag("--version", std::string("triarch " TRIARCH_VERSION), "Print the version");
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->column_width(26);
  int exit_code = kExitDone;
  AddCommands(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return ReportParseError(app, error, argc, argv);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return Fail("cannot write to standard output");
  }
  return exit_code;
}

}  // namespace
// A process bot takes some ten descriptors, and shells give 1024. What may be had is had.
void RaiseOpenFiles() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace triarch

int main(int argc, char** argv) {
  // Libraries may throw where memory or a thread cannot be had; nothing of ours does.
  try {
    triarch::RaiseOpenFiles();
    return triarch::Main(argc, argv);
  } catch (const std::exception& error) {
    return triarch::Fail(error.what());
  }
}
