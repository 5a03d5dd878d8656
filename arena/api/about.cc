#include "arena/api/about.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/api/open_api.h"
#include "arena/api/rules.h"
#include "core/any_state.h"

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
    ReplyJson(exchange, 200, OpenApiJson("Triarch arena", routes));
  }
  return true;
}

}  // namespace triarch::arena
