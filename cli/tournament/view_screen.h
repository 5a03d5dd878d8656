// Lays out what `triarch view` shows on a terminal.

#ifndef TRIARCH_CLI_TOURNAMENT_VIEW_SCREEN_H_
#define TRIARCH_CLI_TOURNAMENT_VIEW_SCREEN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "core/record/game_steps.h"

namespace triarch {

// The smallest terminal for the viewer.
inline constexpr TerminalSize kViewSizeMin = {.columns = 80, .rows = 24};

// A swing is a move after which its bot's evaluation of some seat differs from its previous one by
// at least this many points.
inline constexpr double kSwingPoints = 0.2;

// Where the user is in the game.
struct ViewState {
  size_t step = 0;  // how many events have happened
  int pan_columns = 0;
  int pan_lines = 0;
  bool is_board_only = false;
  bool is_help = false;
  std::string note = "";  // shown once, such as "no later capture"
};

// Returns "ply 11/90, move 4, Black: E2xD3+ (fallback)", "ply 12, move 4, Red forfeits: crash" or
// "the start of 90 plies".
std::string StepText(const GameSteps& game, size_t step);
// Returns "1.1  White mine · Black random · Red mcts  0-0-1  checkmate".
std::string GameTitle(const GameRecord& record, const GameInfo& info);

// Returns the screen: as many lines as the terminal has rows, without a line break at the end, and
// narrower than it. If the terminal is too small, returns a line that says so.
std::string ViewScreen(const GameSteps& game, const ViewState& view, TerminalSize size,
                       bool is_colored);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_VIEW_SCREEN_H_
