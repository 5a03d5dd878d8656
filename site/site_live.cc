#include "site/site_live.h"

#include "absl/strings/str_format.h"
#include "arena/api/position_json.h"
#include "core/base/status_macros.h"
#include "core/record/game_steps.h"
#include "site/game_json.h"
#include "site/site_games.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

Json TournamentOf(const LiveGame& game) { return {{"id", game.tournament}, {"name", game.name}}; }

Json ListedJson(const LiveGame& game) {
  const GameInfo& info = game.after.info();
  const GameRecord& record = game.record;
  Json json = {{"tournament", TournamentOf(game)},
               {"game", record.game},
               {"id", ToString(GameNumber{record.match, record.index})},
               {"index", record.index},
               {"seats", Json::array()},
               {"plies", record.plies}};
  for (size_t i = 0; i < info.seats; ++i) {
    json["seats"].push_back({{"seat", info.seat_name(SeatAt(i))}, {"bot", record.bots[SeatAt(i)]}});
  }
  json["position"] = arena::PositionJson(game.after);
  json["cells"] = Json::array();
  if (!record.events.empty() && record.events.back().kind == RecordedEvent::Kind::kMove) {
    json["cells"] = arena::CellsOfMove(game.before, game.after);
  }
  return json;
}

}  // namespace

absl::StatusOr<Json> ListLive(const LiveSource& live) {
  Json games = Json::array();
  if (!live) return games;
  for (const auto& game : live()) games.push_back(ListedJson(*game));
  return games;
}

absl::StatusOr<Json> ShowLive(const LiveSource& live, int64_t tournament, int64_t index) {
  if (live) {
    for (const auto& game : live()) {
      if (game->tournament != tournament || game->record.index != index) continue;
      ASSIGN_OR_RETURN(const GameSteps steps, PlaySteps(game->record));
      Json json = FullGameJson({.tpgn = "", .record = game->record}, steps, {});
      AddPositions(steps, &json);
      json["tournament"] = TournamentOf(*game);
      json["game"] = game->record.game;
      json["previous"] = json["next"] = nullptr;
      json["confirmed"] = false;
      return json;
    }
  }
  return absl::NotFoundError(
      absl::StrFormat("no worker reports that it plays the game with the index %d of tournament %d",
                      index, tournament));
}

}  // namespace triarch::site
