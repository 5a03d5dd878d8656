// Provides the board for the reference implementation of Triumvirate.

#ifndef TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_BOARD_H_
#define TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_BOARD_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

// Cells, their names, and the cells that pieces reach, computed step by step as the rules describe.
// Shares nothing with core/triumvirate, so the two cannot share errors.
namespace triarch::triumvirate_reference {

inline constexpr int kCells = 96;
inline constexpr int kNowhere = -1;

// Returns the cell of a sector (0 White, 1 Black, 2 Red), its owner's column 0..7 and row 0..3.
int CellAt(int sector, int column, int row);
int SectorOf(int cell);
int ColumnOf(int cell);
int RowOf(int cell);
// Returns the sector at the other end of the cell's column. With SectorOf it identifies the cell's
// bridge.
int OppositeOf(int cell);

std::string CellName(int cell);
// Returns kNowhere if there is no such cell.
int CellNamed(std::string_view name);

// The cells passed over between two cells.
using Between = std::vector<int>;
template <class T>
using PerCell = std::array<T, kCells>;
template <class T>
using PerHeading = std::array<T, 2>;

// The direction of a pawn within its current sector.
inline constexpr int kToBaseRow = 0;
inline constexpr int kToFront = 1;

struct Geometry {
  // [from][to]: whether one step leads there.
  PerCell<PerCell<bool>> king{};
  PerCell<PerCell<bool>> knight{};
  PerCell<PerCell<bool>> orthogonal_step{};
  // [from][to]: every straight path there; empty if the cells are not in line.
  PerCell<PerCell<std::vector<Between>>> rook;
  PerCell<PerCell<std::vector<Between>>> bishop;
  // [from][heading]
  PerCell<PerHeading<int>> pawn_push{};
  PerCell<PerHeading<std::vector<int>>> pawn_captures;
  // All cells, by column letter, then row number.
  std::vector<int> by_name;
};

// Returns the geometry, which the first call computes.
const Geometry& Board();

}  // namespace triarch::triumvirate_reference

#endif  // TRIARCH_TESTS_PROPERTY_TRIUMVIRATE_REFERENCE_BOARD_H_
