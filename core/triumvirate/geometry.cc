#include "core/triumvirate/geometry.h"

#include "core/game/geometry_json.h"
#include "core/triumvirate/attacks.h"
#include "core/triumvirate/hexagon.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::triumvirate {
namespace {

Json V4ToJson(Cell cell, V4Table table) {
  const V4Cell v4 = DescribeV4(cell, table);
  return {{"name", v4.name},
          {"sector", Index(v4.sector)},
          {"opponent", Index(v4.opponent)},
          {"ring", v4.ring},
          {"depth", v4.depth},
          {"flank", v4.flank},
          {"is_rosette", v4.is_rosette},
          {"buried_level", v4.buried_level()},
          {"buried_class", v4.buried_class()}};
}

}  // namespace

CellGeometry GeometryOf(const Position&, int number) {
  const Cell cell = Cell::At(number);
  CellGeometry geometry{
      .name = cell.ToString(),
      .coordinates = {{"sector", static_cast<int>(Index(cell.sector()))},
                      {"row", cell.row()},
                      {"column", cell.column()},
                      {"facing", static_cast<int>(Index(cell.bridge_neighbor()))}},
      .color = cell.is_dark() ? 1 : 0,
      .orthogonal = NumbersOf(OrthogonalNeighborsOf(cell)),
      .diagonal = NumbersOf(DiagonalNeighborsOf(cell)),
      .knight = NumbersOf(KnightAttacks(cell)),
      .rook = RookRaysOf(cell),
      .bishop = BishopRaysOf(cell),
      .promotes = {},
      .turned = cell.Rotated().index(),
      .corners = {},
      .center = {CellCenter(cell).x, CellCenter(cell).y}};
  // Ruling 4: any base row but the owner's.
  for (const Seat seat : {Seat::kFirst, Seat::kSecond, Seat::kThird}) {
    if (cell.is_base_row() && seat != cell.sector()) geometry.promotes.push_back(seat);
  }
  for (const Point corner : CellCorners(cell)) geometry.corners.push_back({corner.x, corner.y});
  return geometry;
}

std::string GeometryJson(const Position& position) {
  return GeometryToJson(position, [](int cell, Json& json) {
    json["v4"] = {{"published", V4ToJson(Cell::At(cell), V4Table::kPublished)},
                  {"client", V4ToJson(Cell::At(cell), V4Table::kClient)}};
  });
}

}  // namespace triarch::triumvirate
