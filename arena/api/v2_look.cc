#include "arena/api/v2_look.h"

#include <string>
#include <utility>
#include <vector>

#include "arena/api/v2_json.h"
#include "core/base/status_macros.h"
#include "core/text.h"

namespace triarch::arena {
namespace {

ApiJson RatedJson(const PlayerResults& player) {
  ApiJson json = {{"name", player.name}, {"rating", nullptr}, {"error", nullptr}};
  if (player.rating) {
    json["rating"] = std::round(*player.rating * 10) / 10;
    json["error"] = std::round(player.error * 10) / 10;
  }
  json["games"] = player.games;
  json["points"] = player.points;
  return json;
}

ApiJson PointsJson(const PlayerResults& player) {
  return {{"name", player.name},
          {"games", player.games},
          {"wins", player.wins},
          {"points", player.points}};
}

// Replies one of the lists of the results of the game in the query.
void ReplyRanks(const Exchange& exchange, const Results& results,
                std::vector<PlayerResults> GameResults::*list,
                ApiJson (*write)(const PlayerResults&)) {
  const std::map<std::string, std::string> query = QueryOf(exchange->request());
  const auto named = query.find("game");
  if (named == query.end()) {
    return ReplyDetail(exchange, 422, "game: expected triumvirate, three-way or tri-d");
  }
  const absl::StatusOr<const GameInfo*> game = FindGame(named->second);
  if (!game.ok()) return ReplyError(exchange, game.status());
  ApiJson rows = ApiJson::array();
  const auto found = results.find(std::string((*game)->name));
  if (found != results.end()) {
    for (const PlayerResults& player : found->second.*list) {
      ApiJson row = {{"rank", rows.size() + 1}};
      row.update(write(player));
      rows.push_back(std::move(row));
    }
  }
  ReplyJson(exchange, 200, ToText(rows));
}

}  // namespace

std::vector<V2Entry> V2Look::Entries() {
  return {
      {{"GET", "/api/v2/health", "whether the server works"},
       [this](const V2Call& call) { ShowHealth(call); }},
      {{"GET", "/api/v2/house-bots", "the house bots"},
       [this](const V2Call& call) { ListBots(call); }},
      {{"GET", "/api/v2/leaderboard", "the rated players of a game, by rating", Secret::kNone, "",
        "game"},
       [this](const V2Call& call) { ShowLeaderboard(call); }},
      {{"GET", "/api/v2/standings", "all players of a game, by points", Secret::kNone, "", "game"},
       [this](const V2Call& call) { ShowStandings(call); }},
      {{"GET", "/api/v2/players/{name}", "a player with an account"},
       [this](const V2Call& call) { ShowPlayer(call); }},
      {{"POST", "/api/v2/players", "claim a name", Secret::kMaybeKey, "name key", "",
        "the name and its key", 201},
       [this](const V2Call& call) { AddPlayer(call); }},
      {{"POST", "/api/v2/players/{name}/key", "replace your key", Secret::kKey, "key"},
       [this](const V2Call& call) { RenewKey(call); }},
  };
}

void V2Look::ShowHealth(const V2Call& call) {
  int64_t playing = 0;
  parts_.session->Visit(
      [&](const Table& table) { playing += table.stage() == Table::Stage::kPlaying ? 1 : 0; });
  const ApiJson json = {{"status", "ok"},
                        {"version", "triarch " TRIARCH_VERSION},
                        {"tables", parts_.session->table_count()},
                        {"playing", playing}};
  ReplyJson(call.exchange, 200, ToText(json));
}

void V2Look::ListBots(const V2Call& call) {
  ApiJson json = ApiJson::array();
  for (const V2Parts::HouseBot& bot : parts_.bots) {
    json.push_back({{"bot", bot.bot}, {"description", bot.description}});
  }
  ReplyJson(call.exchange, 200, ToText(json));
}

void V2Look::ShowLeaderboard(const V2Call& call) {
  ReplyRanks(call.exchange, *parts_.results(), &GameResults::rated, RatedJson);
}

void V2Look::ShowStandings(const V2Call& call) {
  ReplyRanks(call.exchange, *parts_.results(), &GameResults::all, PointsJson);
}

void V2Look::ShowPlayer(const V2Call& call) {
  parts_.accounts->FindName(
      call.path[0], [this, exchange = call.exchange](const absl::StatusOr<StoredPlayer>& player) {
        if (!player.ok()) return ReplyError(exchange, player.status());
        ApiJson json = {{"name", player->name},
                        {"created", TimeText(player->created_ms)},
                        {"games", ApiJson::object()}};
        for (const auto& [game, results] : *parts_.results()) {
          const PlayerResults* const rated = results.FindRated(player->name);
          if (rated == nullptr) continue;
          json["games"][game] = RatedJson(*rated);
          json["games"][game].erase("name");
        }
        ReplyJson(exchange, 200, ToText(json));
      });
}

void V2Look::AddPlayer(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  std::string name;
  std::string key;
  const absl::Status read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Body body, Body::Read(exchange->request()));
    RETURN_IF_ERROR(body.CheckMembers(NamesOf(call.route.fields)));
    ASSIGN_OR_RETURN(name, body.RequiredText("name"));
    ASSIGN_OR_RETURN(name, CheckName(name));
    ASSIGN_OR_RETURN(key, body.Text("key"));
    return absl::OkStatus();
  }();
  if (!read.ok()) return ReplyError(exchange, read);
  parts_.accounts->Add(name, key, BearerToken(exchange->request()),
                       [exchange, name](const absl::StatusOr<std::string>& added) {
                         if (!added.ok()) return ReplyError(exchange, added.status());
                         const ApiJson json = {{"name", name}, {"key", *added}};
                         ReplyJson(exchange, 201, ToText(json));
                       });
}

void V2Look::RenewKey(const V2Call& call) {
  std::string key;
  const absl::Status read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Body body, Body::Read(call.exchange->request()));
    RETURN_IF_ERROR(body.CheckMembers(NamesOf(call.route.fields)));
    ASSIGN_OR_RETURN(key, body.Text("key"));
    return absl::OkStatus();
  }();
  if (!read.ok()) return ReplyError(call.exchange, read);
  parts_.accounts->Renew(call.path[0], BearerToken(call.exchange->request()), key,
                         [exchange = call.exchange](const absl::StatusOr<std::string>& renewed) {
                           if (!renewed.ok()) return ReplyError(exchange, renewed.status());
                           ReplyJson(exchange, 200, ToText({{"key", *renewed}}));
                         });
}

}  // namespace triarch::arena
