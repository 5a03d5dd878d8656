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
#include "arena/api/body.h"
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

// What a request asks for. If it is invalid, `error` says why, and only the number counts.
struct AskedMove {
  MoveRequest move;
  absl::Status error;
};

absl::Status ReadMove(const Body& body, MoveRequest& move) {
  ASSIGN_OR_RETURN(const std::string from, body.RequiredText("from"));
  ASSIGN_OR_RETURN(const std::string to, body.RequiredText("to"));
  ASSIGN_OR_RETURN(const std::string promotion, body.Text("promotion"));
  const std::optional<char> letter = PromotionLetter(promotion);
  if (!letter) {
    return absl::InvalidArgumentError("promotion: expected queen, rook, bishop or knight");
  }
  const std::string text = from + "-" + to;
  move.texts = {text, text + "=" + *letter};
  RETURN_IF_ERROR(body.RequiredNumber("move_number").status());
  ASSIGN_OR_RETURN(move.message, body.Text("message"));
  return absl::OkStatus();
}

AskedMove ReadMove(const WebRequest& request) {
  AskedMove asked;
  const absl::StatusOr<Body> body = Body::Read(request);
  if (!body.ok()) {
    asked.error = body.status();
    return asked;
  }
  if (const auto number = body->Number("move_number"); number.ok()) {
    asked.move.move_number = *number;
  }
  asked.error = ReadMove(*body, asked.move);
  return asked;
}

// Decides a move. An invalid request is refused only after everything else that refuses it.
Decision DecideMove(const Table& table, const Table::Holder& holder, const AskedMove& asked,
                    int64_t now_ms) {
  if (asked.error.ok()) return table.Move(holder, asked.move, now_ms);
  Decision decision =
      table.Move(holder, {.texts = {}, .move_number = asked.move.move_number}, now_ms);
  decision.events.clear();
  if (decision.refusal && decision.refusal->why == Refused::kIllegalMove) {
    decision.refusal = Refusal{Refused::kInvalid, std::string(asked.error.message())};
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

const std::vector<ApiV1::Entry>& ApiV1::Entries() {
  static const std::vector<Entry> kEntries = {
      {{"GET", "/api/v1/health", "whether the server works"}, &ApiV1::ShowHealth},
      {{"POST", "/api/v1/join", "take a seat", Secret::kNone, "name type model game_id"},
       &ApiV1::Join},
      {{"GET", "/api/v1/state", "the state of your game", Secret::kToken}, &ApiV1::ShowState},
      {{"POST", "/api/v1/move", "play a move", Secret::kToken,
        "from to promotion move_number:integer message"},
       &ApiV1::Move},
      {{"POST", "/api/v1/skip-waiting", "fill the empty seats with house bots", Secret::kToken},
       &ApiV1::Fill},
      {{"POST", "/api/v1/resign", "leave the game", Secret::kToken}, &ApiV1::Resign},
      {{"GET", "/api/v1/games", "the games that wait or are played"}, &ApiV1::ListGames},
      {{"GET", "/api/v1/board-geometry", "the cells and what is beside them"},
       &ApiV1::ShowGeometry},
      {{"GET", "/api/v1/stats/colors", "results by color"}, &ApiV1::ShowColors},
      {{"GET", "/api/v1/leaderboard", "results by player"}, &ApiV1::ShowLeaderboard},
      {{"GET", "/api/v1/ws/{game_id}", "a WebSocket that sends each state of a game"},
       &ApiV1::Watch},
  };
  return kEntries;
}

const std::vector<Route>& ApiV1::Routes() {
  static const std::vector<Route> kRoutes = [] {
    std::vector<Route> routes;
    for (const Entry& entry : Entries()) routes.push_back(entry.route);
    return routes;
  }();
  return kRoutes;
}

bool ApiV1::Handle(const Exchange& exchange) {
  if (!exchange->request().path.starts_with("/api/v1")) return false;
  if (const auto found = FindRoute(Routes(), exchange)) {
    (this->*Entries()[found->index].handler)(exchange);
  }
  return true;
}

void ApiV1::ShowGeometry(const Exchange& exchange) {
  ReplyJson(exchange, 200,
            triumvirate::GeometryJson(*Start(triarch::kGame<triumvirate::Position>, "")));
}

void ApiV1::ShowColors(const Exchange& exchange) {
  const std::shared_ptr<const Results> results = parts_.results();
  const auto found = results->find(std::string(kOnlyGame));
  ReplyJson(exchange, 200, ColorsJson(found == results->end() ? GameResults() : found->second));
}

void ApiV1::ShowLeaderboard(const Exchange& exchange) {
  const std::shared_ptr<const Results> results = parts_.results();
  const auto found = results->find(std::string(kOnlyGame));
  ReplyJson(exchange, 200,
            LeaderboardJson(found == results->end() ? GameResults() : found->second));
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
  // A stream that closes leaves the list.
  std::vector<std::shared_ptr<WebStream>> left;
  for (const auto& [id, streams] : spectators_) {
    if (parts_.session->Find(id) == nullptr)
      left.insert(left.end(), streams.begin(), streams.end());
  }
  for (const std::shared_ptr<WebStream>& stream : left) stream->Close();
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
  ask.client = ClientOf(exchange->request());
  if (ask.table.empty()) return Sit(exchange, ask);
  parts_.session->Lookup(ask.table, [this, exchange, ask](const absl::Status& found) {
    if (!found.ok()) return ReplyError(exchange, found);
    const Table* const table = parts_.session->Find(ask.table);
    if (table != nullptr && table->info().name != kOnlyGame) {
      return ReplyDetail(exchange, 409, "the table plays another game");
    }
    Sit(exchange, ask);
  });
}

void ApiV1::Sit(const Exchange& exchange, const JoinAsk& ask) {
  parts_.check_free(ask.occupant.name, [this, exchange, ask](const absl::Status& is_free) {
    if (!is_free.ok()) return ReplyError(exchange, is_free);
    parts_.session->Join(ask, [exchange](const Reply& reply) {
      if (!reply.ok()) return ReplyFailure(exchange, reply);
      ReplyJson(exchange, 200, JoinedJson(*reply.table, reply.token, reply.seat));
    });
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
                       asked = ReadMove(exchange->request())](const Table& at, int64_t now_ms) {
    for (size_t i = 0; i < at.seat_count(); ++i) {
      facts->was_in[SeatAt(i)] = at.state().is_in(SeatAt(i));
    }
    return DecideMove(at, *HolderOf(at, token), asked, now_ms);
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
  if (HolderOf(*table, BearerToken(exchange->request()))->is_lost) {
    return ReplyDetail(exchange, 410, "the seat is no longer yours");
  }
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
  const std::string id = exchange->request().path.substr(std::string_view("/api/v1/ws/").size());
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

size_t ApiV1::stream_count() const {
  size_t count = 0;
  for (const auto& [table, streams] : spectators_) count += streams.size();
  return count;
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
