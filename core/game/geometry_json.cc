#include "core/game/geometry_json.h"

namespace triarch {

Json ToJson(const CellGeometry& cell) {
  Json json = {{"name", cell.name}};
  for (const auto& [name, number] : cell.coordinates) json[std::string(name)] = number;
  json["color"] = cell.color;
  json["orthogonal"] = cell.orthogonal;
  json["diagonal"] = cell.diagonal;
  json["knight"] = cell.knight;
  json["rays"] = {{"rook", cell.rook}, {"bishop", cell.bishop}};
  json["promotes"] = Json::array();
  for (const Seat seat : cell.promotes) json["promotes"].push_back(Index(seat));
  json["turned"] = cell.turned;
  if (!cell.corners.empty()) {
    json["center"] = cell.center;
    json["corners"] = cell.corners;
  }
  return json;
}

}  // namespace triarch
