#include "arena/api/v1.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/v1_json.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/triumvirate/geometry.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/text.h"

namespace triarch::arena {
namespace {

using V1Json = nlohmann::ordered_json;

constexpr std::string_view kOnlyGame = "triumvirate";
constexpr std::string_view kBase = "/api/v1";
constexpr std::string_view kSockets = "/ws/";

// Reads the members of a request's body.
class Body {
 public:
  static absl::StatusOr<Body> Read(const WebRequest& request) {
    Body body;
    if (request.body.empty()) return body;
    body.json_ = V1Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
    if (!body.json_.is_object()) {
      return absl::InvalidArgumentError("the body is not a JSON object");
    }
    return body;
  }

  // Returns a text, or "" if it is missing or null.
  absl::StatusOr<std::string> Text(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return std::string();
    if (!found->is_string()) return Wrong(key, "a text");
    return found->get<std::string>();
  }
  absl::StatusOr<std::string> RequiredText(const char* key) const {
    ASSIGN_OR_RETURN(std::string text, Text(key));
    if (text.empty()) return Wrong(key, "a text");
    return text;
  }
  absl::StatusOr<int64_t> RequiredNumber(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number_integer()) return Wrong(key, "a whole number");
    return found->get<int64_t>();
  }

 private:
  static absl::Status Wrong(std::string_view key, std::string_view expected) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: expected %s", std::string(key), std::string(expected)));
  }
  V1Json json_ = V1Json::object();
};

absl::StatusOr<MoveRequest> ReadMove(const WebRequest& request) {
  ASSIGN_OR_RETURN(const Body body, Body::Read(request));
  ASSIGN_OR_RETURN(const std::string from, body.RequiredText("from"));
  ASSIGN_OR_RETURN(const std::string to, body.RequiredText("to"));
  ASSIGN_OR_RETURN(const std::string promotion, body.Text("promotion"));
  const std::optional<char> letter = PromotionLetter(promotion);
  if (!letter) {
    return absl::InvalidArgumentError("promotion: expected queen, rook, bishop or knight");
  }
  MoveRequest move;
  const std::string text = from + "-" + to;
  move.texts = {text, text + "=" + *letter};
  ASSIGN_OR_RETURN(move.move_number, body.RequiredNumber("move_number"));
  ASSIGN_OR_RETURN(move.message, body.Text("message"));
  return move;
}

// Decides a move. An invalid request is refused only after everything else that refuses it.
Decision DecideMove(const Table& table, const Table::Holder& holder,
                    const absl::StatusOr<MoveRequest>& request, int64_t now_ms) {
  if (request.ok()) return table.Move(holder, *request, now_ms);
  Decision decision = table.Move(holder, {.texts = {}}, now_ms);
  decision.events.clear();
  if (decision.refusal && decision.refusal->why == Refused::kIllegalMove) {
    decision.refusal = Refusal{Refused::kInvalid, std::string(request.status().message())};
  }
  return decision;
}

absl::StatusOr<Occupant> ReadOccupant(const Body& body) {
  ASSIGN_OR_RETURN(const std::string name, body.Text("name"));
  Occupant occupant;
  ASSIGN_OR_RETURN(occupant.name, CheckName(name));
  ASSIGN_OR_RETURN(const std::string type, body.Text("type"));
  if (type == "llm") {
    occupant.type = PlayerType::kLlm;
  } else if (type == "smartbot") {
    occupant.type = PlayerType::kBot;
  } else if (!type.empty() && type != "human") {
    return absl::InvalidArgumentError("type: expected human, llm or smartbot");
  }
  ASSIGN_OR_RETURN(const std::string model, body.Text("model"));
  if (!model.empty()) {
    ASSIGN_OR_RETURN(occupant.model, CheckName(model));
  }
  return occupant;
}

// Finds the table that the request's token belongs to. Replies 401 and returns null if the token is
// unknown.
const Table* FindTable(const Session& session, const Exchange& exchange) {
  const Session::Seated seated = session.FindToken(BearerToken(exchange->request()));
  if (seated.table == nullptr || seated.table->info().name != kOnlyGame) {
    ReplyDetail(exchange, 401, "there is no player with this token");
    return nullptr;
  }
  return seated.table;
}

}  // namespace

std::span<const V1Route> V1Routes() {
  static constexpr V1Route kRoutes[] = {
      {"/health", "GET", "whether the server works"},
      {"/join", "POST", "take a seat", false, "name type model game_id"},
      {"/state", "GET", "the state of your game", true},
      {"/move", "POST", "play a move", true, "from to promotion move_number message"},
      {"/skip-waiting", "POST", "fill the empty seats with house bots", true},
      {"/resign", "POST", "leave the game", true},
      {"/games", "GET", "the games that wait or are played"},
      {"/board-geometry", "GET", "the cells and what is beside them"},
      {"/stats/colors", "GET", "results by color"},
      {"/leaderboard", "GET", "results by player"},
      {"/ws/{game_id}", "GET", "a WebSocket that sends each state of a game"},
  };
  return kRoutes;
}

bool ApiV1::Handle(const Exchange& exchange) {
  const WebRequest& request = exchange->request();
  if (!request.path.starts_with(kBase)) return false;
  // In the order of V1Routes.
  static constexpr std::array<void (ApiV1::*)(const Exchange&), 11> kHandlers = {
      &ApiV1::ShowHealth, &ApiV1::Join,
      &ApiV1::ShowState,  &ApiV1::Move,
      &ApiV1::Fill,       &ApiV1::Resign,
      &ApiV1::ListGames,  &ApiV1::ShowGeometry,
      &ApiV1::ShowColors, &ApiV1::ShowLeaderboard,
      &ApiV1::Watch};
  const std::string_view path = std::string_view(request.path).substr(kBase.size());
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const std::span<const V1Route> routes = V1Routes();
  for (size_t i = 0; i < routes.size(); ++i) {
    // A parameter can only come last.
    const size_t fixed = routes[i].path.find('{');
    const bool is_it = fixed == std::string_view::npos
                           ? path == routes[i].path
                           : path.starts_with(routes[i].path.substr(0, fixed));
    if (!is_it) continue;
    if (method == routes[i].method) {
      (this->*kHandlers[i])(exchange);
    } else {
      ReplyWrongMethod(exchange, routes[i].method);
    }
    return true;
  }
  ReplyDetail(exchange, 404, "there is no such page; see /llms.txt");
  return true;
}

void ApiV1::ShowGeometry(const Exchange& exchange) {
  ReplyJson(exchange, 200,
            triumvirate::GeometryJson(*Start(triarch::kGame<triumvirate::Position>, "")));
}

void ApiV1::ShowColors(const Exchange& exchange) { ReplyJson(exchange, 200, parts_.colors()); }

void ApiV1::ShowLeaderboard(const Exchange& exchange) {
  ReplyJson(exchange, 200, parts_.leaderboard());
}

WebText ApiV1::StateOf(const Table& table) {
  CachedState& cached = states_[table.id()];
  if (cached.text == nullptr || cached.event_count != table.event_count()) {
    cached.text = MakeWebText(StateJson(table));
    cached.event_count = table.event_count();
  }
  cached.is_used = true;
  return cached.text;
}

void ApiV1::Sweep() {
  std::erase_if(states_, [](const auto& entry) { return !entry.second.is_used; });
  for (auto& [id, state] : states_) state.is_used = false;
}

void ApiV1::ShowHealth(const Exchange& exchange) {
  int64_t active = 0;
  parts_.session->Visit(
      [&](const Table& table) { active += table.stage() == Table::Stage::kPlaying ? 1 : 0; });
  const V1Json json = {
      {"status", "ok"}, {"active_games", active}, {"version", "triarch " TRIARCH_VERSION}};
  ReplyJson(exchange, 200, json.dump());
}

void ApiV1::ListGames(const Exchange& exchange) {
  std::vector<const Table*> tables;
  parts_.session->Visit([&](const Table& table) {
    const bool is_shown = table.info().name == kOnlyGame &&
                          (table.stage() == Table::Stage::kPlaying ||
                           (table.stage() == Table::Stage::kWaiting &&
                            !table.settings().is_private && table.player_count() > 0));
    if (is_shown) tables.push_back(&table);
  });
  std::sort(tables.begin(), tables.end(),
            [](const Table* a, const Table* b) { return a->opened_ms() < b->opened_ms(); });
  std::string text = "[";
  for (const Table* const table : tables) {
    if (text.size() > 1) text += ',';
    text += ListedJson(*table);
  }
  ReplyJson(exchange, 200, text + "]");
}

void ApiV1::Join(const Exchange& exchange) {
  const absl::StatusOr<Body> body = Body::Read(exchange->request());
  if (!body.ok()) return ReplyError(exchange, body.status());
  JoinAsk ask{.occupant = {}, .settings = parts_.settings};
  const absl::Status read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(ask.occupant, ReadOccupant(*body));
    ASSIGN_OR_RETURN(ask.table, body->Text("game_id"));
    return absl::OkStatus();
  }();
  if (!read.ok()) return ReplyError(exchange, read);
  if (!ask.table.empty()) {
    const Table* const table = parts_.session->Find(ask.table);
    if (table != nullptr && table->info().name != kOnlyGame) {
      return ReplyDetail(exchange, 409, "the table plays another game");
    }
  }
  parts_.session->Join(std::move(ask), [exchange](const Reply& reply) {
    if (!reply.ok()) return ReplyFailure(exchange, reply);
    ReplyJson(exchange, 200, JoinedJson(*reply.table, reply.token, reply.seat));
  });
}

void ApiV1::ShowState(const Exchange& exchange) {
  const Table* const table = FindTable(*parts_.session, exchange);
  if (table == nullptr) return;
  exchange->Reply({.status = 200, .body = StateOf(*table)});
}

void ApiV1::Move(const Exchange& exchange) {
  const Table* const table = FindTable(*parts_.session, exchange);
  if (table == nullptr) return;
  auto facts = std::make_shared<MoveFacts>();
  const auto decide = [facts, token = BearerToken(exchange->request()),
                       request = ReadMove(exchange->request())](const Table& at, int64_t now_ms) {
    for (size_t i = 0; i < at.seat_count(); ++i) {
      facts->was_in[SeatAt(i)] = at.state().is_in(SeatAt(i));
    }
    return DecideMove(at, *HolderOf(at, token), request, now_ms);
  };
  parts_.session->Request(table->id(), decide, [this, exchange, facts](const Reply& reply) {
    if (reply.ok()) {
      const WebText state = StateOf(*reply.table);
      return ReplyJson(exchange, 200, MovedJson(*reply.table, *facts, *state));
    }
    if (reply.refusal && reply.refusal->why == Refused::kIllegalMove) {
      return ReplyJson(exchange, 422, IllegalMoveJson(*reply.table, *reply.refusal));
    }
    ReplyFailure(exchange, reply);
  });
}

void ApiV1::Fill(const Exchange& exchange) {
  const Table* const table = FindTable(*parts_.session, exchange);
  if (table == nullptr) return;
  parts_.session->Fill(table->id(), [exchange](const Reply& reply) {
    if (!reply.ok()) return ReplyFailure(exchange, reply);
    ReplyJson(exchange, 200, "{\"ok\":true}");
  });
}

void ApiV1::Resign(const Exchange& exchange) {
  const Table* const table = FindTable(*parts_.session, exchange);
  if (table == nullptr) return;
  const auto decide = [token = BearerToken(exchange->request())](const Table& at, int64_t now_ms) {
    return at.Resign(*HolderOf(at, token), now_ms);
  };
  parts_.session->Request(table->id(), decide, [exchange](const Reply& reply) {
    if (!reply.ok()) return ReplyFailure(exchange, reply);
    ReplyJson(exchange, 200, ResignedJson(*reply.table));
  });
}

void ApiV1::Watch(const Exchange& exchange) {
  const std::string id = exchange->request().path.substr(kBase.size() + kSockets.size());
  const Table* const table = parts_.session->Find(id);
  if (table == nullptr || table->info().name != kOnlyGame) {
    return ReplyDetail(exchange, 404, "there is no such game");
  }
  if (!exchange->request().is_upgrade) {
    return ReplyDetail(exchange, 426, "this page needs a WebSocket");
  }
  std::shared_ptr<WebStream> stream = exchange->BeginSocket();
  stream->Send(StateOf(*table));
  auto& spectators = spectators_[id];
  const auto place = spectators.insert(spectators.end(), stream);
  stream->OnClose([this, id, place] {
    const auto found = spectators_.find(id);
    if (found == spectators_.end()) return;
    found->second.erase(place);
    if (found->second.empty()) spectators_.erase(found);
  });
}

void ApiV1::Changed(const Table& table, const std::vector<Event>& events) {
  const auto found = spectators_.find(table.id());
  if (found == spectators_.end()) return;
  V1Json message = {{"type", "move"}};
  for (const Event& event : events) {
    if (!event.message.empty()) message["chat_message"] = event.message;
  }
  std::string text = message.dump();
  text.insert(text.size() - 1, ",\"state\":" + *StateOf(table));
  const WebText shared = MakeWebText(std::move(text));
  // A stream that closes while it is sent to leaves the list.
  const std::list<std::shared_ptr<WebStream>> streams = found->second;
  for (const std::shared_ptr<WebStream>& stream : streams) stream->Send(shared);
}

}  // namespace triarch::arena
