// Reads a board drawn for a terminal, so that parts of it can be cut out and drawn again.

#ifndef TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_
#define TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_

#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/game/canvas.h"

namespace triarch {

// The characters of a board with their colours, line by line, without empty margins.
class BoardGrid {
 public:
  struct Spot {
    std::string text = " ";
    Ink ink = {};
  };

  // Draws the position, without the description below the board.
  static BoardGrid Draw(const AnyState& state, bool is_colored);

  int width() const { return width_; }
  int height() const { return static_cast<int>(lines_.size()); }

  // A rectangle of a canvas. Of a larger board it shows the part around the last move or, before
  // the first, the middle, moved by `pan`. All are in characters.
  struct Area {
    int column = 0;
    int line = 0;
    int width = 0;
    int height = 0;
    int pan_columns = 0;
    int pan_lines = 0;
  };
  // Draws what fits into the area.
  void DrawPart(const Area& area, Canvas* canvas) const;

 private:
  // Removes empty lines below and empty columns on the left.
  void Trim();
  // Finds the middle of the last move's cells or, without a move, of the board.
  void Focus(bool is_colored);

  std::vector<std::vector<Spot>> lines_;
  int width_ = 0;
  int focus_column_ = 0;
  int focus_line_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_
