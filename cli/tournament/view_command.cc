// Implements `triarch view`: shows a recorded game on a terminal or as text.

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/color_option.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/tournament/animated_svg.h"
#include "cli/tournament/full_screen.h"
#include "cli/tournament/game_table.h"
#include "cli/tournament/recorded_game.h"
#include "cli/tournament/view_keys.h"
#include "cli/tournament/view_screen.h"
#include "core/base/status_macros.h"
#include "core/game/picture.h"
#include "core/record/game_steps.h"

namespace triarch {
namespace {

constexpr int64_t kFrameMs = 1000;

struct ViewOptions {
  RecordedGameOptions game;
  std::optional<int64_t> ply;
  std::string color = "auto";
  std::string svg_dir;    // empty for none
  std::string animation;  // a file; empty for none
  std::optional<int64_t> frame_ms;
  bool has_cell_names = false;  // in pictures
};

absl::Status PrintPosition(const GameSteps& game, size_t step, bool is_colored) {
  ASSIGN_OR_RETURN(const std::string board,
                   game.at(step).ToBoard({.is_colored = is_colored, .names = ""}));
  Print(GameTitle(game.record, game.info()) + "\n" + StepText(game, step) + "\n\n");
  PrintBoard(board);
  return absl::OkStatus();
}

absl::Status PrintGame(const GameSteps& game, bool is_colored) {
  RETURN_IF_ERROR(PrintPosition(game, game.steps.size(), is_colored));
  Print("\n" + MovesText(game));
  return absl::OkStatus();
}

SvgStyle StyleOf(const GameSteps& game, const ViewOptions& options) {
  SvgStyle style{.has_cell_names = options.has_cell_names};
  for (size_t i = 0; i < game.info().seats; ++i) {
    style.players.push_back(game.record.bots[SeatAt(i)]);
  }
  return style;
}

// Writes DIR/0000.svg and so on, one for each number of plies.
absl::Status WritePictures(const GameSteps& game, const ViewOptions& options) {
  const std::string& dir = options.svg_dir;
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  const bool is_empty = !error && std::filesystem::is_empty(dir, error);
  if (error) return absl::InvalidArgumentError("--svg-all: " + dir + ": " + error.message());
  if (!is_empty) {
    return absl::InvalidArgumentError("--svg-all: " + dir + " is not empty; expected a new folder");
  }
  const SvgStyle style = StyleOf(game, options);
  const std::vector<size_t> steps = StepsByPly(game);
  for (size_t ply = 0; ply < steps.size(); ++ply) {
    const std::string path = dir + absl::StrFormat("/%04d.svg", ply);
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kSvgFile));
    RETURN_IF_ERROR(file.Write(game.at(steps[ply]).ToSvg(style)));
    RETURN_IF_ERROR(file.Commit());
  }
  return absl::OkStatus();
}

absl::Status WriteAnimation(const GameSteps& game, const ViewOptions& options) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(options.animation, kSvgFile));
  AnimatedSvg animation;
  const SvgStyle style = StyleOf(game, options);
  for (const size_t step : StepsByPly(game)) animation.AddFrame(game.at(step).ToSvg(style));
  RETURN_IF_ERROR(
      file.Write(animation.Text(std::chrono::milliseconds(options.frame_ms.value_or(kFrameMs)))));
  return file.Commit();
}

// Lets the user move through the game until they quit.
absl::Status Browse(const GameSteps& game, bool is_colored) {
  const Interrupt interrupt;
  FullScreen screen;
  KeyReader keys;
  ViewState view;
  TerminalSize drawn_size = {.columns = 0, .rows = 0};
  while (!interrupt.is_asked()) {
    const TerminalSize size = SizeOfTerminal(stdout).value_or(TerminalSize{});
    if (size != drawn_size) screen.Draw(ViewScreen(game, view, size, is_colored));
    drawn_size = size;
    const std::optional<std::string> typed = screen.Read(kSignalPoll);
    if (!typed) break;
    typed->empty() ? keys.Flush() : keys.Add(*typed);
    while (const std::optional<int> key = keys.Next()) {
      if (!Press(*key, game, &view)) return absl::OkStatus();
      drawn_size = {.columns = 0, .rows = 0};
    }
  }
  return absl::CancelledError("interrupted");
}

absl::Status View(const ViewOptions& options) {
  ASSIGN_OR_RETURN(const RecordedGame recorded, OpenRecordedGame(options.game));
  ASSIGN_OR_RETURN(const GameSteps game, PlaySteps(recorded.record));
  const bool is_colored = IsColored(options.color);
  if (options.ply) {
    const std::vector<size_t> steps = StepsByPly(game);
    if (*options.ply < std::ssize(steps)) {
      return PrintPosition(game, steps[static_cast<size_t>(*options.ply)], is_colored);
    }
    return absl::InvalidArgumentError(
        absl::StrFormat("--ply: expected a ply of the game, from 0 to %d", steps.size() - 1));
  }
  if (!options.svg_dir.empty()) RETURN_IF_ERROR(WritePictures(game, options));
  if (!options.animation.empty()) RETURN_IF_ERROR(WriteAnimation(game, options));
  if (!options.svg_dir.empty() || !options.animation.empty()) return absl::OkStatus();
  const bool is_terminal = isatty(STDIN_FILENO) == 1 && SizeOfTerminal(stdout).has_value();
  return is_terminal ? Browse(game, is_colored) : PrintGame(game, is_colored);
}

int RunView(const ViewOptions& options) {
  const absl::Status usage = CheckRecordedGameOptions(options.game);
  if (!usage.ok()) return UsageError(usage);
  const bool draws = !options.svg_dir.empty() || !options.animation.empty();
  if (options.ply && draws) return UsageError("--ply prints one position; expected no pictures");
  if (options.frame_ms && options.animation.empty()) {
    return UsageError("--frame-ms needs --animation");
  }
  if (options.has_cell_names && !draws) return UsageError("--cells needs --svg-all or --animation");
  return Finish(View(options));
}

}  // namespace

void AddViewCommand(const Command& app) {
  auto options = std::make_shared<ViewOptions>();
  const Command command = app.AddCommand("view", "Show a recorded game, move by move.");
  AddRecordedGameOptions(command, &options->game);
  command.AddNumber(
      {"--ply", "N", "Print the position after ply N (0: the start), and nothing else"},
      {0, INT64_MAX}, &options->ply);
  command.AddFile({"--svg-all", "DIR", "Write a picture for each ply to a new folder: 0000.svg, …"},
                  &options->svg_dir);
  command.AddFile({"--animation", "FILE", "Write an SVG that plays the game again and again"},
                  &options->animation);
  command.AddNumber(
      {"--frame-ms", "N",
       absl::StrFormat("How long --animation shows each ply; %d by default", kFrameMs)},
      {1, 3'600'000}, &options->frame_ms);
  command.AddFlag({"--cells", "",
                   "Write the cells' names into the pictures of Triumvirate; the\n"
                   "other games' pictures always show them"},
                  &options->has_cell_names);
  AddColorOption(command, &options->color);
  command.Footer(
      "On a terminal, shows the board, the moves and, if the bots evaluated their positions, each\n"
      "seat's expected points over the game. Arrow keys move through the game, c, k, f and s jump\n"
      "to the next capture, check, fault and swing; ? lists all keys. Elsewhere, prints the final\n"
      "board and the moves.\n\n"
      "Examples:\n"
      "  triarch view --db quickstart.db --id 1.1\n"
      "  triarch view 3 --coordinator localhost:7071 --id 2.7\n"
      "  triarch view --tpgn-in game.tpgn --ply 12\n"
      "  triarch view --db quickstart.db --id 1.1 --animation game.svg");
  command.OnRun(options, RunView);
}

}  // namespace triarch
