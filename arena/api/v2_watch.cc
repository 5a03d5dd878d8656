#include "arena/api/v2_watch.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/v2_json.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch::arena {
namespace {

constexpr int64_t kEventsMax = 1'000'000;
// The most rows of a list, and those without a `limit`.
constexpr int64_t kGamesMax = 200;
constexpr int64_t kGamesShown = 50;
constexpr int64_t kTablesMax = 1'000;
constexpr int64_t kTablesShown = 200;

// Returns the game's name from the query, "" if it has none.
absl::StatusOr<std::string> GameOf(const std::map<std::string, std::string>& query) {
  const auto found = query.find("game");
  if (found == query.end() || found->second.empty()) return std::string();
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(found->second));
  return std::string(game->name);
}

// The place of a game in the list: "1764200000000.UUID".
std::string CursorOf(const ListedGame& game) {
  return absl::StrFormat("%d.%s", game.ended_ms, game.table);
}
absl::Status ReadCursor(const std::string& text, GamesQuery& query) {
  if (text.empty()) return absl::OkStatus();
  const size_t dot = text.find('.');
  const std::optional<int64_t> ms = ParseInt64(text.substr(0, dot));
  if (dot == std::string::npos || !ms || !IsPlainText(text)) {
    return absl::InvalidArgumentError("before: expected what the last answer had as `before`");
  }
  query.before_ms = *ms;
  query.before_table = text.substr(dot + 1);
  return absl::OkStatus();
}

ApiJson ListedGameJson(const ListedGame& game, const GameInfo& info) {
  ApiJson players = ApiJson::array();
  for (size_t i = 0; i < info.seats; ++i) {
    players.push_back({{"seat", SeatWord(info, SeatAt(i))}, {"name", game.players[SeatAt(i)]}});
  }
  return {{"table", game.table},
          {"game", game.game},
          {"rated", game.tournament_name.find(" unrated ") == std::string::npos},
          {"tournament", game.place.tournament},
          {"index", game.place.index},
          {"ended", TimeText(game.ended_ms)},
          {"players", std::move(players)},
          {"result", game.result},
          {"termination", game.termination},
          {"plies", game.plies}};
}

std::string JoinedEvents(const std::vector<std::string>& events, size_t first) {
  std::string text = "[";
  for (size_t i = first; i < events.size(); ++i) text += (i > first ? "," : "") + events[i];
  return text + "]";
}

// Returns whether these are the events of a finished game; otherwise replies 404 or an error.
bool IsFinished(const Exchange& exchange, const absl::StatusOr<TableHistory>& history) {
  if (history.ok() && history->table->stage() == Table::Stage::kFinished) return true;
  if (history.ok() || absl::IsNotFound(history.status())) {
    ReplyDetail(exchange, 404, "there is no finished game at such a table");
  } else {
    ReplyError(exchange, history.status());
  }
  return false;
}

std::string TpgnOf(const Table& table) {
  PlayedGame game = *table.game();
  GameRecord record = std::move(game).TakeRecord();
  record.event = "arena " + table.settings().game;
  record.date =
      absl::FormatTime("%Y.%m.%d", absl::FromUnixMillis(table.opened_ms()), absl::UTCTimeZone());
  return WriteTpgn(record, table.info());
}

}  // namespace

std::vector<V2Entry> V2Watch::Entries() {
  return {
      {{"GET", "/api/v2/tables", "the tables that wait or are played", Secret::kNone, "",
        "game stage limit"},
       [this](const V2Call& call) { ListTables(call); }},
      {{"GET", "/api/v2/tables/{id}", "a table", Secret::kNone, "", "notations"},
       [this](const V2Call& call) { ShowTable(call); }},
      {{"GET", "/api/v2/tables/{id}/events",
        "the events of a table, as JSON or as server-sent events", Secret::kNone, "", "after wait"},
       [this](const V2Call& call) { ShowEvents(call); }},
      {{"GET", "/api/v2/tables/{id}/socket", "a WebSocket that sends the events of a table",
        Secret::kNone, "", "after"},
       [this](const V2Call& call) { OpenSocket(call); }},
      {{"GET", "/api/v2/games", "finished games, the latest first", Secret::kNone, "",
        "game table before limit"},
       [this](const V2Call& call) { ListGames(call); }},
      {{"GET", "/api/v2/games/{id}", "a finished game"},
       [this](const V2Call& call) { ShowGame(call); }},
      {{"GET", "/api/v2/games/{id}/tpgn", "a finished game in TPGN", Secret::kNone, "", "",
        "the game as text"},
       [this](const V2Call& call) { ShowTpgn(call); }},
  };
}

void V2Watch::ListTables(const V2Call& call) {
  const std::map<std::string, std::string> query = QueryOf(call.exchange->request());
  const absl::StatusOr<std::string> game = GameOf(query);
  if (!game.ok()) return ReplyError(call.exchange, game.status());
  const absl::StatusOr<int64_t> limit = NumberOf(query, "limit", kTablesMax, kTablesShown);
  if (!limit.ok()) return ReplyError(call.exchange, limit.status());
  const auto stage = query.find("stage");
  if (stage != query.end() && stage->second != "waiting" && stage->second != "playing") {
    return ReplyDetail(call.exchange, 422, "stage: expected waiting or playing");
  }
  std::vector<const Table*> tables;
  parts_.session->Visit([&](const Table& table) {
    const bool is_open = table.stage() == Table::Stage::kWaiting && !table.settings().is_private &&
                         table.player_count() > 0;
    if (!is_open && table.stage() != Table::Stage::kPlaying) return;
    if (stage != query.end() && stage->second != StageName(table.stage())) return;
    if (game->empty() || *game == table.info().name) tables.push_back(&table);
  });
  std::sort(tables.begin(), tables.end(), [](const Table* a, const Table* b) {
    if (a->stage() != b->stage()) return a->stage() == Table::Stage::kWaiting;
    return a->opened_ms() > b->opened_ms();
  });
  if (static_cast<int64_t>(tables.size()) > *limit) tables.resize(static_cast<size_t>(*limit));
  ApiJson json = ApiJson::array();
  for (const Table* const table : tables) json.push_back(ListedTableJson(*table));
  ReplyJson(call.exchange, 200, ToText(json));
}

void V2Watch::ShowTable(const V2Call& call) {
  const Table* const table = parts_.session->Find(call.path[0]);
  if (table == nullptr) {
    return ReplyDetail(call.exchange, 404, "there is no such table; finished games are in /games");
  }
  const std::map<std::string, std::string> query = QueryOf(call.exchange->request());
  const absl::StatusOr<std::vector<std::string>> notations =
      NotationsOf(query, std::string(table->info().name));
  if (!notations.ok()) return ReplyError(call.exchange, notations.status());
  ApiJson json = TableJson(*table, *notations, parts_.now_ms());
  // Its seats are the players', so nobody learns of it before they have taken them.
  const Table* const rematch = parts_.session->Find(RematchId(*table));
  const bool has_begun = rematch != nullptr && rematch->is_full();
  json["rematch"] = has_begun ? ApiJson(rematch->id()) : ApiJson(nullptr);
  ReplyJson(call.exchange, 200, ToText(json));
}

void V2Watch::ReplyEvents(const Exchange& exchange, const std::string& table, int64_t after) {
  feed_.Read(table, [exchange, after](const absl::StatusOr<TableHistory>& history) {
    if (!history.ok()) return ReplyError(exchange, history.status());
    const size_t first = std::min(static_cast<size_t>(after), history->events.size());
    ReplyJson(exchange, 200,
              absl::StrFormat(R"({"events":%s,"next":%d})", JoinedEvents(history->events, first),
                              std::max(after, static_cast<int64_t>(history->events.size()))));
  });
}

void V2Watch::ShowEvents(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const WebRequest& request = exchange->request();
  const std::map<std::string, std::string> query = QueryOf(request);
  const absl::StatusOr<int64_t> after = NumberOf(query, "after", kEventsMax, 0);
  if (!after.ok()) return ReplyError(exchange, after.status());
  const absl::StatusOr<int64_t> wait = NumberOf(query, "wait", kWaitMaxMs / 1'000, 0);
  if (!wait.ok()) return ReplyError(exchange, wait.status());
  const std::string& id = call.path[0];
  const Table* const table = parts_.session->Find(id);
  // The answer to HEAD ends after its header.
  if (request.method == "GET" && request.accept.find("text/event-stream") != std::string::npos) {
    if (table == nullptr) return ReplyDetail(exchange, 404, "there is no such table");
    const std::optional<int64_t> last = ParseInt64(request.last_event_id);
    const int64_t next = last && *last >= 0 && *last < kEventsMax ? *last + 1 : *after;
    return feed_.Follow(id, exchange->BeginEvents(), EventFeed::Form::kServerSentEvents, next);
  }
  if (table == nullptr || *after < table->event_count() || table->is_over()) {
    return ReplyEvents(exchange, id, *after);
  }
  const int64_t now_ms = parts_.now_ms();
  polls_.Wait(id, exchange, now_ms + *wait * 1'000, now_ms,
              [this, exchange, id, after = *after](bool is_last) {
                const Table* const at = parts_.session->Find(id);
                if (at != nullptr && after >= at->event_count() && !is_last) return false;
                ReplyEvents(exchange, id, after);
                return true;
              });
}

void V2Watch::OpenSocket(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const absl::StatusOr<int64_t> after =
      NumberOf(QueryOf(exchange->request()), "after", kEventsMax, 0);
  if (!after.ok()) return ReplyError(exchange, after.status());
  if (parts_.session->Find(call.path[0]) == nullptr) {
    return ReplyDetail(exchange, 404, "there is no such table");
  }
  if (!exchange->request().is_upgrade) {
    return ReplyDetail(exchange, 426, "this page needs a WebSocket");
  }
  feed_.Follow(call.path[0], exchange->BeginSocket(), EventFeed::Form::kTexts, *after);
}

void V2Watch::ListGames(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const std::map<std::string, std::string> query = QueryOf(exchange->request());
  GamesQuery wanted;
  const absl::Status read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(wanted.game, GameOf(query));
    ASSIGN_OR_RETURN(const int64_t limit, NumberOf(query, "limit", kGamesMax, kGamesShown));
    wanted.limit = std::max<int64_t>(limit, 1);
    if (const auto table = query.find("table"); table != query.end()) wanted.table = table->second;
    const auto before = query.find("before");
    return before == query.end() ? absl::OkStatus() : ReadCursor(before->second, wanted);
  }();
  if (!read.ok()) return ReplyError(exchange, read);
  parts_.store.Do(
      [wanted](ArenaStore& store) { return store.Games(wanted); },
      [exchange, limit = wanted.limit](const absl::StatusOr<std::vector<ListedGame>>& games) {
        if (!games.ok()) return ReplyError(exchange, games.status());
        ApiJson json = {{"games", ApiJson::array()}, {"before", nullptr}};
        for (const ListedGame& game : *games) {
          const absl::StatusOr<const GameInfo*> info = FindGame(game.game);
          if (info.ok()) json["games"].push_back(ListedGameJson(game, **info));
        }
        const bool is_full = static_cast<int64_t>(games->size()) == limit;
        if (is_full) json["before"] = CursorOf(games->back());
        ReplyJson(exchange, 200, ToText(json));
      });
}

void V2Watch::ShowGame(const V2Call& call) {
  feed_.Read(call.path[0], [exchange = call.exchange,
                            now_ms = parts_.now_ms()](const absl::StatusOr<TableHistory>& history) {
    if (!IsFinished(exchange, history)) return;
    const Table& table = *history->table;
    ApiJson json = ListedTableJson(table);
    json["ended"] = TimeText(table.ended_ms());
    json["position"] = table.state().ToString();
    json["chat"] = TableJson(table, {}, now_ms)["chat"];
    json["result"] = ResultJson(table);
    json["tpgn"] = TpgnOf(table);
    std::string text = ToText(json);
    text.insert(text.size() - 1, ",\"events\":" + JoinedEvents(history->events, 0));
    ReplyJson(exchange, 200, std::move(text));
  });
}

void V2Watch::ShowTpgn(const V2Call& call) {
  feed_.Read(call.path[0], [exchange = call.exchange](const absl::StatusOr<TableHistory>& history) {
    if (!IsFinished(exchange, history)) return;
    exchange->Reply({.status = 200,
                     .content_type = "text/plain; charset=utf-8",
                     .body = MakeWebText(TpgnOf(*history->table))});
  });
}

}  // namespace triarch::arena
