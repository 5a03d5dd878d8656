#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/record/tpgn.h"

// verify: recorded games, replayed by the rules.
namespace triarch {
namespace {

struct VerifyOptions {
  std::string path;
};

// What is wrong with a game, or nothing. The reader's own errors name their line themselves.
std::optional<std::string> FaultOf(const absl::StatusOr<TpgnGame>& game) {
  if (!game.ok()) return std::string(game.status().message());
  const absl::Status status = ReplayTpgn(*game).status();
  if (status.ok()) return std::nullopt;
  return absl::StrFormat("line %d: %s", game->line, std::string(status.message()));
}

int RunVerify(const VerifyOptions& options) {
  const absl::StatusOr<InputFile> file = InputFile::Open(options.path);
  if (!file.ok()) return Fail(file.status());
  TpgnReader reader(file->text());
  int64_t games = 0;
  int64_t faults = 0;
  while (const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next()) {
    ++games;
    const std::optional<std::string> fault = FaultOf(*game);
    if (!fault) continue;
    ++faults;
    Print(absl::StrFormat("game %d: %s\n", games, *fault));
  }
  if (faults > 0) return Fail(absl::StrFormat("%d of %d games are wrong", faults, games));
  Print(Counted(games, "game") + " verified\n");
  return kExitDone;
}

}  // namespace

void AddTpgnCommands(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* const command = app.add_subcommand(
      "verify", "Replay every game of a TPGN file by the rules: `N games verified`.");
  command->add_option("FILE", options->path, "A TPGN file; - is standard input")
      ->type_name("")
      ->required();
  command->footer(
      "Moves, their order and numbers, resignations and claims, and the tags that say how the\n"
      "game ended are checked. Each fault is one line, `game 3: line 41: move 12, Black: why`\n"
      "with the line on which the game begins, and the exit code is 1.\n\n"
      "Example:\n"
      "  triarch verify quickstart.tpgn");
  SetRun(command, options, RunVerify, exit_code);
}

}  // namespace triarch
