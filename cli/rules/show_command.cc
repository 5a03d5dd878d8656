#include <memory>
#include <optional>
#include <string>

#include "cli/color_option.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"

// show: a board to look at.
namespace triarch {
namespace {

struct ShowOptions {
  PositionOptions position;
  std::optional<std::string> svg;
  std::string color = "auto";
  std::string names;
};

int WriteSvg(const AnyState& state, const std::string& path) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return Fail(file.status());
  if (const absl::Status status = file->Write(state.ToSvg()); !status.ok()) return Fail(status);
  if (const absl::Status status = file->Commit(); !status.ok()) return Fail(status);
  return kExitDone;
}

int RunShow(const ShowOptions& options) {
  const absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  const absl::StatusOr<bool> is_colored = IsColored(options.color);
  if (!is_colored.ok()) return UsageError(is_colored.status());
  if (options.svg) {
    if (options.svg->empty()) return UsageError("--svg: the name of a file was expected");
    return WriteSvg(*state, *options.svg);
  }
  const absl::StatusOr<std::string> board =
      state->ToBoard({.is_colored = *is_colored, .names = options.names});
  if (!board.ok()) return UsageError("--names: " + std::string(board.status().message()));
  Print(*board);
  return kExitDone;
}

}  // namespace

void AddShowCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* const command =
      app.add_subcommand("show", "Draw a position in the terminal, or as an SVG picture.");
  AddPositionOptions(command, &options->position);
  AddTextOption(command, "--svg", &options->svg,
                "Write an SVG picture to FILE instead; - is standard output")
      ->type_name("FILE");
  AddColorOption(command, &options->color);
  command
      ->add_option("--names", options->names,
                   "triumvirate (of that game alone): pieces L M T D N P and\n"
                   "cells of Triumvirate v4.0")
      ->type_name("SCHEME");
  command->footer(
      "Examples:\n"
      "  triarch show\n"
      "  triarch show --names triumvirate --color never\n"
      "  triarch show --game tri-d --start meder --svg board.svg\n"
      "  triarch show --position \"$(triarch play E2-E4)\" --svg board.svg");
  SetRun(command, options, RunShow, exit_code);
}

}  // namespace triarch
