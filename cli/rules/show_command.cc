// Implements `triarch show`, which draws a board.

#include <memory>
#include <optional>
#include <string>

#include "cli/color_option.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/game/picture.h"

namespace triarch {
namespace {

struct ShowOptions {
  PositionOptions position;
  std::optional<std::string> svg;
  std::string color = "auto";
  std::string names;
};

int WriteSvg(const AnyState& state, const std::string& path) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path, kSvgFile);
  if (!file.ok()) return Fail(file.status());
  if (const absl::Status status = file->Write(state.ToSvg()); !status.ok()) return Fail(status);
  return Finish(file->Commit());
}

int RunShow(const ShowOptions& options) {
  const absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  if (options.svg) return WriteSvg(*state, *options.svg);
  const absl::StatusOr<std::string> board =
      state->ToBoard({.is_colored = IsColored(options.color), .names = options.names});
  if (!board.ok()) return UsageError("--names: " + std::string(board.status().message()));
  Print(*board);
  return kExitDone;
}

}  // namespace

void AddShowCommand(const Command& app) {
  auto options = std::make_shared<ShowOptions>();
  const Command command =
      app.AddCommand("show", "Draw a position in the terminal or as an SVG picture.");
  AddPositionOptions(command, &options->position);
  command.AddFile({"--svg", "FILE", "Write an SVG picture to FILE; - means standard output"},
                  &options->svg);
  AddColorOption(command, &options->color);
  command.AddText({"--names", "SCHEME",
                   "triumvirate: use the pieces L M T D N P and the cell names of\n"
                   "Triumvirate v4.0 (only for --game triumvirate)"},
                  &options->names);
  command.Footer(
      "Examples:\n"
      "  triarch show\n"
      "  triarch show --names triumvirate --color never\n"
      "  triarch show --game tri-d --start meder --svg board.svg\n"
      "  triarch show --position \"$(triarch play E2-E4)\" --svg board.svg");
  command.OnRun(options, RunShow);
}

}  // namespace triarch
