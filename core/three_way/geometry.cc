#include "core/three_way/geometry.h"

#include "core/game/geometry_json.h"
#include "core/three_way/attacks.h"

namespace triarch::three_way {
namespace {

// The first cell of each ray, ascending.
CellLine NearestOf(const std::vector<CellLine>& rays) {
  CellLine nearest;
  for (const CellLine& ray : rays) nearest.push_back(ray.front());
  std::sort(nearest.begin(), nearest.end());
  return nearest;
}

}  // namespace

CellGeometry GeometryOf(const Position&, int number) {
  const Cell cell = Cell::At(number);
  const Hex hex = cell.hex();
  constexpr double kHalfHeight = 0.8660254037844386;  // of a hexagon with sides of length 1
  CellGeometry geometry{.name = cell.ToString(),
                        .coordinates = {{"third", static_cast<int>(Index(cell.third()))},
                                        {"row", cell.row()},
                                        {"column", cell.column()},
                                        {"q", hex.q},
                                        {"r", hex.r},
                                        {"s", hex.s}},
                        .color = cell.color(),
                        .orthogonal = {},
                        .diagonal = {},
                        .knight = NumbersOf(KnightAttacks(cell)),
                        .rook = RookRaysOf(cell),
                        .bishop = BishopRaysOf(cell),
                        .promotes = {},
                        .turned = cell.Rotated().index(),
                        .corners = {},
                        .center = {1.5 * hex.q, -kHalfHeight * (hex.q + 2 * hex.r)}};
  geometry.orthogonal = NearestOf(geometry.rook);
  geometry.diagonal = NearestOf(geometry.bishop);
  for (const Seat seat : {Seat::kFirst, Seat::kSecond, Seat::kThird}) {
    if (kAttacks.promotion[seat].contains(cell)) geometry.promotes.push_back(seat);
  }
  constexpr std::array<std::array<double, 2>, 6> kCorners = {{{1, 0},
                                                              {0.5, kHalfHeight},
                                                              {-0.5, kHalfHeight},
                                                              {-1, 0},
                                                              {-0.5, -kHalfHeight},
                                                              {0.5, -kHalfHeight}}};
  for (const auto& [x, y] : kCorners) {
    geometry.corners.push_back({geometry.center[0] + x, geometry.center[1] + y});
  }
  return geometry;
}

std::string GeometryJson(const Position& position) {
  return GeometryToJson(position, [](int, Json&) {});
}

}  // namespace triarch::three_way
