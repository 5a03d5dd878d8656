#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "bots/bots.h"
#include "bots/uci/uci_bot.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "spec/bot_flag.h"

// uci: a bundled bot as a process bot, for other programs.
namespace triarch {
namespace {

struct UciOptions {
  std::string bot;
};

// At once, as whoever reads is waiting for it.
void WriteNow(std::string_view lines) {
  Print(lines);
  std::fflush(stdout);
}

int RunUci(const UciOptions& options) {
  const absl::StatusOr<BotSpec> spec = ParseBotFlag(options.bot);
  if (!spec.ok()) return UsageError("--bot: " + std::string(spec.status().message()));
  if (const absl::Status checked = CheckBot(*spec); !checked.ok()) {
    return UsageError("--bot: " + std::string(checked.message()));
  }
  // A chat endpoint, or what loads models, is not there later either.
  if (const absl::Status here = CheckBotHere(*spec); !here.ok()) {
    return Fail("bot " + spec->name + ": " + std::string(here.message()));
  }
  UciBot bot(*spec, WriteNow);
  bool is_going_on = true;
  for (std::string line; is_going_on && std::getline(std::cin, line);) {
    is_going_on = bot.TakeLine(line);
  }
  if (is_going_on) bot.Finish();
  return kExitDone;
}

}  // namespace

void AddUciCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<UciOptions>();
  CLI::App* const command = app.add_subcommand(
      "uci", "Let a bundled bot speak the bot protocol, a UCI dialect, for other programs.");
  command
      ->add_option("--bot", options->bot, "One of `triarch bots`, with options as in `run --bots`")
      ->type_name("BOT")
      ->required();
  command->footer(
      "It reads lines on standard input (docs/bot-protocol.md) until quit or their end. After\n"
      "`debug on` a bot that can explain its moves does so, as `info string` before bestmove.\n\n"
      "Examples:\n"
      "  triarch uci --bot smart\n"
      "  printf '%s\\n' 'debug on' 'position startpos' go | triarch uci --bot smart\n"
      "  triarch uci --bot paranoid:depth=3");
  SetRun(command, options, RunUci, exit_code);
}

}  // namespace triarch
