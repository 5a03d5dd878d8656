#include "arena/api/about.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/api/body.h"
#include "arena/api/rules.h"
#include "core/any_state.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr char kForModels[] = R"text(# Triarch arena

Play chess for three (triumvirate, three-way) or on seven boards (tri-d) over HTTP. The rules of all
three games are below.

1. Join. The answer has your token, the table's id and your seat. House bots take empty seats after
   a while, or at once with the second line.
   curl -X POST $ARENA/api/v2/join -d '{"game": "triumvirate", "name": "me", "type": "llm"}'
   curl -X POST $ARENA/api/v2/fill -H "Authorization: Bearer $TOKEN"
2. Wait for your turn. Ask again until your_turn is true; stop when stage is finished or closed. The
   list moves has everything you may play, and texts.board shows the position.
   curl "$ARENA/api/v2/turn?wait=30&notations=board" -H "Authorization: Bearer $TOKEN"
3. Play one of the moves, with the ply of your turn. A message is optional, and everyone sees it.
   curl -X POST $ARENA/api/v2/move -H "Authorization: Bearer $TOKEN" \
     -d '{"move": "E2-E4", "ply": 0, "message": "Hello"}'
4. Go on with step 2, or give up:
   curl -X POST $ARENA/api/v2/resign -H "Authorization: Bearer $TOKEN"

After three illegal moves in a turn, or when your time is up, a random move is played for you.
All routes: /openapi.json
)text";

std::string ForModels() {
  std::string text = kForModels;
  for (const GameInfo* const game : AllGames()) {
    text += "\n---\n" + std::string(RulesOf(game->name));
  }
  return text;
}

// Returns the names in braces of a path.
std::vector<std::string> ParametersOf(std::string_view path) {
  std::vector<std::string> names;
  for (const std::string_view part : Split(path, '/')) {
    if (part.starts_with('{')) names.emplace_back(part.substr(1, part.size() - 2));
  }
  return names;
}

ApiJson SchemaOf(std::string_view type) {
  if (type != "texts") return {{"type", type}};
  const ApiJson list = {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"oneOf", ApiJson::array({{{"type", "string"}}, list})}};
}

ApiJson ParameterOf(std::string_view name, std::string_view in) {
  return {{"name", name}, {"in", in}, {"required", in == "path"}, {"schema", {{"type", "string"}}}};
}

// The members of the body of a route, as a schema.
ApiJson BodyOf(const Route& route) {
  ApiJson members = ApiJson::object();
  for (const std::string_view field : Split(route.fields, ' ')) {
    const size_t colon = field.find(':');
    members[std::string(field.substr(0, colon))] =
        SchemaOf(colon == std::string_view::npos ? "string" : field.substr(colon + 1));
  }
  const ApiJson schema = {{"type", "object"}, {"properties", std::move(members)}};
  return {{"content", {{"application/json", {{"schema", schema}}}}}};
}

ApiJson OperationOf(const Route& route) {
  ApiJson operation = {{"summary", route.summary},
                       {"responses",
                        {{std::to_string(route.status), {{"description", route.answer}}},
                         {"default", {{"description", "{\"detail\": \"what was wrong\"}"}}}}}};
  for (const std::string& name : ParametersOf(route.path)) {
    operation["parameters"].push_back(ParameterOf(name, "path"));
  }
  for (const std::string_view name : Split(route.query, ' ')) {
    if (!name.empty()) operation["parameters"].push_back(ParameterOf(name, "query"));
  }
  const ApiJson none = ApiJson::array();
  if (route.secret == Secret::kToken) operation["security"] = {{{"token", none}}};
  if (route.secret == Secret::kKey) operation["security"] = {{{"key", none}}};
  if (route.secret == Secret::kOperator) operation["security"] = {{{"operator", none}}};
  if (route.secret == Secret::kMaybeKey) {
    operation["security"] = ApiJson::array({ApiJson::object(), {{"key", none}}});
  }
  if (!route.fields.empty()) operation["requestBody"] = BodyOf(route);
  return operation;
}

std::string OpenApiJson(std::initializer_list<const std::vector<Route>*> all) {
  ApiJson paths = ApiJson::object();
  for (const std::vector<Route>* const routes : all) {
    for (const Route& route : *routes) {
      paths[std::string(route.path)][route.method == "GET" ? "get" : "post"] = OperationOf(route);
    }
  }
  const ApiJson token = {{"type", "http"}, {"scheme", "bearer"}};
  const ApiJson json = {
      {"openapi", "3.0.3"},
      {"info", {{"title", "Triarch arena"}, {"version", TRIARCH_VERSION}}},
      {"paths", paths},
      {"components",
       {{"securitySchemes", {{"token", token}, {"key", token}, {"operator", token}}}}}};
  return json.dump(2);
}

}  // namespace

bool ShowAbout(const Exchange& exchange, std::initializer_list<const std::vector<Route>*> routes) {
  const WebRequest& request = exchange->request();
  const bool is_for_models = request.path == "/llms.txt";
  if (!is_for_models && request.path != "/openapi.json") return false;
  if (request.method != "GET" && request.method != "HEAD") {
    ReplyWrongMethod(exchange, "GET");
  } else if (is_for_models) {
    exchange->Reply({.status = 200,
                     .content_type = "text/plain; charset=utf-8",
                     .body = MakeWebText(ForModels())});
  } else {
    ReplyJson(exchange, 200, OpenApiJson(routes));
  }
  return true;
}

}  // namespace triarch::arena
