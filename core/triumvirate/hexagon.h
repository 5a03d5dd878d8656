// Computes the locations of the cells in a picture of the board.

#ifndef TRIARCH_CORE_TRIUMVIRATE_HEXAGON_H_
#define TRIARCH_CORE_TRIUMVIRATE_HEXAGON_H_

#include <array>
#include <string>
#include <utility>

#include "core/game/seat.h"
#include "core/triumvirate/board.h"

// The board is drawn as a regular hexagon, with White at the bottom, Black at the upper left and
// Red at the upper right. Three of its sides are base rows; the fronts run from the centre to the
// middles of the other three. Each half sector is a kite of 4 × 4 cells. Two lines from the centre
// bound it: one to the middle of its base row and one to the middle of an adjacent side.
namespace triarch::triumvirate {

// The centre is (0, 0), the hexagon's corners are at distance 1, y points down.
struct Point {
  double x = 0;
  double y = 0;

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};

inline constexpr double kHexagonHeight = 0.8660254037844386;  // from the centre to a side

// The hexagon's corners in order, clockwise from the lower right; side i goes from corner i to
// corner i + 1. Sides 0, 2 and 4 are White's, Black's and Red's base rows.
inline constexpr std::array<Point, 6> kHexagonCorners = {{{0.5, kHexagonHeight},
                                                          {-0.5, kHexagonHeight},
                                                          {-1, 0},
                                                          {-0.5, -kHexagonHeight},
                                                          {0.5, -kHexagonHeight},
                                                          {1, 0}}};

constexpr Point MiddleOfSide(size_t side) {
  return 0.5 * (kHexagonCorners[side % 6] + kHexagonCorners[(side + 1) % 6]);
}

// Returns a point of a sector: column 0 to 8 runs from its owner's left edge to the right one, row
// 0 to 4 from the base line to the front. Cells that share a corner get exactly the same point for
// it.
constexpr Point BoardPoint(Seat sector, double column, double row) {
  const size_t base = 2 * Index(sector);
  const bool is_left = column <= 4;
  const Point corner = kHexagonCorners[(base + (is_left ? 1 : 0)) % 6];
  const Point side = MiddleOfSide(base + (is_left ? 1 : 5));
  const Point middle = MiddleOfSide(base);
  const double out = (4 - row) / 4;
  const double aside = (is_left ? 4 - column : column - 4) / 4;
  return out * middle + aside * side + (out * aside) * (corner - middle - side);
}

constexpr Point CellCenter(Cell cell) {
  return BoardPoint(cell.sector(), cell.column() + 0.5, cell.row() + 0.5);
}

// Returns the corners of the cell, a convex polygon, in order.
constexpr std::array<Point, 4> CellCorners(Cell cell) {
  const Seat sector = cell.sector();
  const int column = cell.column();
  const int row = cell.row();
  return {BoardPoint(sector, column, row), BoardPoint(sector, column + 1, row),
          BoardPoint(sector, column + 1, row + 1), BoardPoint(sector, column, row + 1)};
}

// A label along the rim: the letter of a column or the number of a row, at both its ends.
struct RimLabel {
  std::string text;
  Point point;    // the middle of the cell's outer edge
  Point outward;  // of length 1
};

inline std::array<RimLabel, 48> RimLabels() {
  std::array<RimLabel, 48> labels;
  size_t count = 0;
  const auto add = [&](std::string text, Point point, size_t side) {
    labels[count++] = {std::move(text), point, (1 / kHexagonHeight) * MiddleOfSide(side)};
  };
  for (size_t i = 0; i < 3; ++i) {
    const Seat sector = SeatAt(i);
    for (int column = 0; column < kColumns; ++column) {
      const Cell cell = Cell::At(sector, column, 0);
      add(cell.ToString().substr(0, 1), BoardPoint(sector, column + 0.5, 0), 2 * i);
    }
    for (int row = 0; row < kRows; ++row) {
      const std::string number = Cell::At(sector, 0, row).ToString().substr(1);
      add(number, BoardPoint(sector, 0, row + 0.5), 2 * i + 1);
      add(number, BoardPoint(sector, kColumns, row + 0.5), 2 * i + 5);
    }
  }
  return labels;
}

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_HEXAGON_H_
