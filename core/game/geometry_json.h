// Writes the geometry of cells as JSON.

#ifndef TRIARCH_CORE_GAME_GEOMETRY_JSON_H_
#define TRIARCH_CORE_GAME_GEOMETRY_JSON_H_

#include <string>

#include "core/game/geometry.h"
#include "core/game/json_reader.h"

namespace triarch {

Json ToJson(const CellGeometry& cell);

// Returns the object of a game; `add(cell, json)` adds what only this game has.
template <class P, class F>
std::string GeometryToJson(const P& position, F add) {
  Json cells = Json::array();
  for (int cell = 0; cell < P::kCells; ++cell) {
    Json json = {{"cell", cell}};
    json.update(ToJson(GeometryOf(position, cell)));
    add(cell, json);
    cells.push_back(std::move(json));
  }
  return Json{{"game", P::kInfo.name}, {"cells", std::move(cells)}}.dump();
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_GEOMETRY_JSON_H_
