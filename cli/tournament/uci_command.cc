// Implements `triarch uci`: lets other programs play against a bundled bot.

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

namespace triarch {
namespace {

struct UciOptions {
  std::string bot;
};

// Flushes, because the other program waits for the lines.
void WriteNow(std::string_view lines) {
  Print(lines);
  std::fflush(stdout);
}

int RunUci(const UciOptions& options) {
  const absl::StatusOr<BotSpec> spec = ParseBotFlag(options.bot);
  if (!spec.ok()) return UsageError("--bot: " + std::string(spec.status().message()));
  if (spec->limits != BotLimits()) {
    return UsageError("--bot: tc and movetime_ms limit a bot only in a tournament; here, go does");
  }
  if (const absl::Status checked = CheckBot(*spec); !checked.ok()) {
    return UsageError("--bot: " + std::string(checked.message()));
  }
  // Fail now rather than at the first move, for example if there is no chat endpoint.
  if (const absl::Status here = CheckBotHere(*spec); !here.ok()) {
    return Fail("bot " + spec->name + ": " + std::string(here.message()));
  }
  UciBot bot(*spec, WriteNow);
  bool is_running = true;
  for (std::string line; is_running && std::getline(std::cin, line);) {
    is_running = bot.TakeLine(line);
  }
  if (is_running) bot.Finish();
  return kExitDone;
}

}  // namespace

void AddUciCommand(const Command& app) {
  auto options = std::make_shared<UciOptions>();
  const Command command =
      app.AddCommand("uci", "Run a bundled bot as a process that speaks the UCI dialect.");
  command
      .AddText({"--bot", "BOT", "Bot from `triarch bots`, with options as in `run --bots`"},
               &options->bot)
      .Required();
  command.Footer(
      "Reads the bot protocol (docs/bot-protocol.md) from standard input until `quit` or the end.\n"
      "After `debug on`, a bot that can explain its moves does so in an `info string` before\n"
      "`bestmove`.\n\n"
      "Examples:\n"
      "  triarch uci --bot smart\n"
      "  printf '%s\\n' 'debug on' 'position startpos' go | triarch uci --bot smart\n"
      "  triarch uci --bot paranoid:depth=3");
  command.OnRun(options, RunUci);
}

}  // namespace triarch
