#include "arena/api/about.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "arena/api/v1.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr char kForModels[] = R"text(# Triarch arena

Play Triumvirate, chess for three players on 96 cells, over HTTP. White, Black and Red move in turn.
If you checkmate a player, you take over that player's pieces. The last player in the game wins.

1. Join. The answer has your player_token, game_id and color. House bots take empty seats after a
   while, or at once with the second line.
   curl -X POST $ARENA/api/v1/join -d '{"name": "my bot", "type": "llm", "model": "my-model"}'
   curl -X POST $ARENA/api/v1/skip-waiting -H "Authorization: Bearer $TOKEN"
2. Ask for the state until current_player is your color. legal_moves lists everything you may play.
   curl $ARENA/api/v1/state -H "Authorization: Bearer $TOKEN"
3. Move, with the state's move_number. A pawn becomes a queen unless you name a promotion. A message
   is optional and is shown to all.
   curl -X POST $ARENA/api/v1/move -H "Authorization: Bearer $TOKEN" \
     -d '{"from": "E2", "to": "E4", "move_number": 1, "message": "Hello"}'
4. Go on until game_status is finished, or give up:
   curl -X POST $ARENA/api/v1/resign -H "Authorization: Bearer $TOKEN"

After three illegal moves, or when your time is up, a random move is played for you.
All routes: /openapi.json
)text";

// Returns "{id}" of "/ws/{id}", or "".
std::string ParameterOf(const std::string& path) {
  const size_t open = path.find('{');
  return open == std::string::npos ? "" : path.substr(open + 1, path.find('}') - open - 1);
}

std::string OpenApiJson() {
  using OpenJson = nlohmann::ordered_json;
  OpenJson paths = OpenJson::object();
  for (const V1Route& route : V1Routes()) {
    const std::string path = "/api/v1" + std::string(route.path);
    OpenJson operation = {{"summary", route.summary},
                          {"responses", {{"200", {{"description", "the answer, as JSON"}}}}}};
    if (const std::string parameter = ParameterOf(path); !parameter.empty()) {
      operation["parameters"] = {{{"name", parameter},
                                  {"in", "path"},
                                  {"required", true},
                                  {"schema", {{"type", "string"}}}}};
    }
    if (route.needs_token) operation["security"] = {{{"player", OpenJson::array()}}};
    OpenJson body = OpenJson::object();
    for (const std::string_view field : Split(route.fields, ' ')) {
      if (!field.empty()) {
        const bool is_number = field == "move_number";
        body[std::string(field)] = {{"type", is_number ? "integer" : "string"}};
      }
    }
    if (!body.empty()) {
      operation["requestBody"] = {
          {"content",
           {{"application/json", {{"schema", {{"type", "object"}, {"properties", body}}}}}}}};
    }
    paths[path][route.method == "GET" ? "get" : "post"] = operation;
  }
  const OpenJson json = {
      {"openapi", "3.0.3"},
      {"info", {{"title", "Triarch arena"}, {"version", TRIARCH_VERSION}}},
      {"paths", paths},
      {"components",
       {{"securitySchemes", {{"player", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
  return json.dump(2);
}

}  // namespace

bool ShowAbout(const Exchange& exchange) {
  const WebRequest& request = exchange->request();
  const bool is_for_models = request.path == "/llms.txt";
  if (!is_for_models && request.path != "/openapi.json") return false;
  if (request.method != "GET" && request.method != "HEAD") {
    ReplyWrongMethod(exchange, "GET");
  } else if (is_for_models) {
    exchange->Reply({.status = 200,
                     .content_type = "text/plain; charset=utf-8",
                     .body = MakeWebText(kForModels)});
  } else {
    ReplyJson(exchange, 200, OpenApiJson());
  }
  return true;
}

}  // namespace triarch::arena
