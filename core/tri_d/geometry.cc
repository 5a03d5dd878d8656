#include "core/tri_d/geometry.h"

#include "core/game/geometry_json.h"
#include "core/tri_d/attacks.h"
#include "core/tri_d/planes.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

// The cells of the columns one step away in some directions.
CellLine NeighborsOf(const Layout& layout, Column column, int first, int last) {
  ColumnSet columns = 0;
  for (int direction = first; direction < last; ++direction) {
    const std::vector<Column> ray = RayColumnsOf(column, direction);
    if (!ray.empty()) columns |= ColumnBit(ray.front());
  }
  return NumbersOf(layout.CellsOf(columns));
}

// Columns without cells are left out: a piece passes over them. Cells of one column follow one
// another.
std::vector<CellLine> RaysOf(const Layout& layout, Column column, int first, int last) {
  std::vector<CellLine> rays;
  for (int direction = first; direction < last; ++direction) {
    CellLine line;
    for (const Column at : RayColumnsOf(column, direction)) {
      const CellLine cells = NumbersOf(layout.CellsOf(ColumnBit(at)));
      line.insert(line.end(), cells.begin(), cells.end());
    }
    if (!line.empty()) rays.push_back(std::move(line));
  }
  return rays;
}

}  // namespace

CellGeometry GeometryOf(const Position& position, int number) {
  const Layout& layout = position.layout();
  const Cell cell = Cell::At(number);
  const Column column = layout.ColumnOf(cell);
  constexpr int kHalf = kRayDirections / 2;
  CellGeometry geometry{.name = CellText(position, number),
                        .coordinates = {{"board", static_cast<int>(cell.board())},
                                        {"file", FileOf(column)},
                                        {"rank", RankOf(column)}},
                        .color = (FileOf(column) + RankOf(column)) % 2 == 0 ? 1 : 0,
                        .orthogonal = NeighborsOf(layout, column, 0, kHalf),
                        .diagonal = NeighborsOf(layout, column, kHalf, kRayDirections),
                        .knight = NumbersOf(layout.CellsOf(kAttacks.knight[At(column)])),
                        .rook = RaysOf(layout, column, 0, kHalf),
                        .bishop = RaysOf(layout, column, kHalf, kRayDirections),
                        .promotes = {},
                        .turned = MirroredCell(number),
                        .corners = {}};
  if (!cell.is_main()) {
    const auto board = static_cast<size_t>(cell.attack_board());
    geometry.coordinates.emplace_back("pin", layout.pins[board].index());
  }
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    if ((layout.PromotionColumns(seat) & ColumnBit(column)) != 0) {
      geometry.promotes.push_back(seat);
    }
  }
  return geometry;
}

std::string GeometryJson(const Position& position) {
  return GeometryToJson(position, [](int, Json&) {});
}

}  // namespace triarch::tri_d
