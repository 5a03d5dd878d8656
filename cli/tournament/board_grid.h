// Reads a board drawn for a terminal, so that parts of it can be marked, cut out and drawn again.

#ifndef TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_
#define TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/game/canvas.h"

namespace triarch {

// The characters of a board with their colours, line by line, without empty margins.
class BoardGrid {
 public:
  struct Spot {
    std::string text = " ";
    Ink ink = {};

    friend bool operator==(const Spot&, const Spot&) = default;
  };

  // Draws the position, without the description below the board.
  static BoardGrid Draw(const AnyState& state, bool is_colored);

  int width() const { return width_; }
  int height() const { return static_cast<int>(lines_.size()); }

  // Marks what differs from the board of the position before: with `background` where there is
  // space around the pieces. Centers later views on it.
  void MarkChanges(const AnyState& before, bool is_colored, int background);

  // Draws the part that fits into a rectangle of the canvas: around the marked changes, moved by
  // `pan` characters.
  struct Area {
    int column = 0;
    int line = 0;
    int width = 0;
    int height = 0;
    int pan_columns = 0;
    int pan_lines = 0;
  };
  void DrawPart(const Area& area, Canvas* canvas) const;

 private:
  const Spot& At(size_t line, size_t column) const;
  void Trim();

  std::vector<std::vector<Spot>> lines_;
  int width_ = 0;
  int margin_ = 0;  // columns that were removed on the left
  int focus_column_ = 0;
  int focus_line_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_BOARD_GRID_H_
