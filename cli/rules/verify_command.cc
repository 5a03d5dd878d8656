// Implements `triarch verify`, which replays recorded games by the rules.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

struct VerifyTpgnOptions {
  std::string path;
};

// Says what is wrong with a game, if anything. The reader's own errors name their line already.
std::optional<std::string> FaultOf(const absl::StatusOr<TpgnGame>& game) {
  if (!game.ok()) return std::string(game.status().message());
  const absl::Status status = ReplayTpgn(*game).status();
  if (status.ok()) return std::nullopt;
  return absl::StrFormat("line %d: %s", game->line, std::string(status.message()));
}

int RunVerifyTpgn(const VerifyTpgnOptions& options) {
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
    Print(absl::StrFormat("game %d: %s\n", games, PrintableLine(*fault)));
  }
  if (faults > 0)
    return Fail(absl::StrFormat("%d of %s %s wrong", faults, Counted(games, "game"),
                                faults == 1 ? "is" : "are"));
  if (games == 0) return Fail(options.path + ": there are no games");
  Print(Counted(games, "game") + " verified\n");
  return kExitDone;
}

}  // namespace

void AddVerifyCommand(const Command& app) {
  auto options = std::make_shared<VerifyTpgnOptions>();
  const Command command =
      app.AddCommand("verify", "Replay every game of a TPGN file and check it against the rules.");
  command.AddText({"FILE", "", "TPGN file to check; - means standard input"}, &options->path)
      .Required();
  command.Footer(
      "Checks every move, the order and numbers of the moves, resignations, draw claims, and\n"
      "the tags that say how the game ended. Prints one line for each fault, such as\n"
      "`game 3: line 41: move 12, Black: why`, where the line is the first line of the game.\n"
      "The exit code is 1 if any game is wrong.\n\n"
      "Example:\n"
      "  triarch verify quickstart.tpgn");
  command.OnRun(options, RunVerifyTpgn);
}

}  // namespace triarch
