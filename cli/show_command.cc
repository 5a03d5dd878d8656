#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/position_options.h"
#include "core/any_state.h"
#include "core/base/text.h"

// show: a board to look at.
namespace triarch {
namespace {

struct ShowOptions {
  PositionOptions position;
  std::optional<std::string> svg;
  std::string color = "auto";
  std::string names;
};

// Colours are for people: not for pipes, nor for those who decline them (no-color.org).
bool IsColorWanted() {
  const char* const declined = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (declined != nullptr && *declined != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

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
  if (options.color != "auto" && options.color != "always" && options.color != "never") {
    return UsageError("--color: expected auto, always or never, not " + Quote(options.color));
  }
  if (options.svg) {
    if (options.svg->empty()) return UsageError("--svg: the name of a file was expected");
    return WriteSvg(*state, *options.svg);
  }
  const bool is_colored = options.color == "auto" ? IsColorWanted() : options.color == "always";
  const absl::StatusOr<std::string> board =
      state->ToBoard({.is_colored = is_colored, .names = options.names});
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
  command
      ->add_option("--color", options->color,
                   "auto, always or never; auto is only for terminals and heeds NO_COLOR")
      ->type_name("WHEN")
      ->capture_default_str();
  command
      ->add_option("--names", options->names,
                   "triumvirate (of that game alone): pieces L M T D N P and\n"
                   "cells of Triumvirate v4.0")
      ->type_name("SCHEME");
  command->footer(
      "Examples:\n"
      "  triarch show\n"
      "  triarch show --names triumvirate --color never\n"
      "  triarch show --position \"$(triarch play E2-E4)\" --svg board.svg");
  SetRun(command, options, RunShow, exit_code);
}

}  // namespace triarch
