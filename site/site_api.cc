#include "site/site_api.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "arena/api/body.h"
#include "arena/api/open_api.h"
#include "arena/api/position_json.h"
#include "arena/api/rules.h"
#include "coordinator/service/stored_standings.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/text.h"
#include "site/site_games.h"
#include "site/tournament_json.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

WebResponse JsonResponse(const Json& json) { return {.body = MakeWebText(arena::ToText(json))}; }

// Returns the text as the page's own, in UTF-8.
WebResponse TextResponse(std::string_view type, std::string text) {
  return {.content_type = std::string(type) + "; charset=utf-8",
          .body = MakeWebText(std::move(text))};
}

absl::Status NotThere(std::string_view what, std::string_view name) {
  return absl::NotFoundError("there is no " + std::string(what) + " " + Quote(name));
}

absl::StatusOr<StoredTournament> FindTournament(Store& store, const std::string& id) {
  const std::optional<int64_t> number = ParseInt64(id);
  if (!number) return NotThere("tournament", id);
  return store.Tournament(*number);
}

absl::StatusOr<const GameInfo*> FindNamed(const std::string& game) {
  const absl::StatusOr<const GameInfo*> info = FindGame(game);
  if (!info.ok()) return absl::NotFoundError(info.status().message());
  return info;
}

}  // namespace

SiteApi::SiteApi(StoreReader& reader, Poster post) : reader_(reader), post_(std::move(post)) {
  for (const Entry& entry : entries_) routes_.push_back(entry.route);
}

std::vector<SiteApi::Entry> SiteApi::Entries() {
  const auto route = [](std::string_view path, std::string_view summary,
                        std::string_view query = "", std::string_view answer = "") {
    arena::Route made{.method = "GET", .path = path, .summary = summary, .query = query};
    if (!answer.empty()) made.answer = answer;
    return made;
  };
  return {
      {route("/api/v2/tournaments", "the tournaments of the database, the newest first"), nullptr,
       &SiteApi::ListTournaments},
      {route("/api/v2/tournaments/{id}", "a tournament with its bots"), nullptr,
       &SiteApi::ShowTournament},
      {route("/api/v2/tournaments/{id}/standings", "the standings of a tournament"), nullptr,
       &SiteApi::ShowStandings},
      {route("/api/v2/tournaments/{id}/games", "the games of a tournament, the newest first",
             "bot seat termination faults plies_min plies_max before limit"),
       nullptr, &SiteApi::ShowGames},
      {route("/api/v2/tournaments/{id}/games/{index}", "a game with its positions"), nullptr,
       &SiteApi::ShowOneGame},
      {route("/api/v2/tournaments/{id}/games/{index}/tpgn", "a game as TPGN", "",
             "the game as text"),
       nullptr, &SiteApi::ShowOneTpgn},
      {route("/api/v2/geometry/{game}", "the cells of a game and their neighbors"), ShowGeometry},
      {route("/api/v2/start/{game}", "the position in which a game begins"), ShowStart},
      {route("/api/v2/rules/{game}", "the rules of a game", "", "the rules as text"), ShowRules},
      {route("/api/v2/health", "whether the server works"), ShowHealth},
  };
}

bool SiteApi::Handle(const arena::Exchange& exchange) {
  const WebRequest& request = exchange->request();
  if (request.path == "/openapi.json") {
    arena::ReplyJson(exchange, 200, arena::OpenApiJson("Triarch's web page", {&routes_}));
    return true;
  }
  if (!request.path.starts_with("/api/")) return false;
  std::optional<arena::FoundRoute> found = arena::FindRoute(routes_, exchange);
  if (!found) return true;
  Answer(exchange, entries_[found->index], std::move(found->parameters));
  return true;
}

std::vector<arena::V2Entry> SiteApi::EntriesForArena() {
  std::vector<arena::V2Entry> all;
  for (const Entry& entry : entries_) {
    all.push_back({entry.route, [this, &entry](const arena::V2Call& call) {
                     Answer(call.exchange, entry, call.path);
                   }});
  }
  return all;
}

void SiteApi::Answer(const arena::Exchange& exchange, const Entry& entry,
                     std::vector<std::string> path) {
  Call call{.path = std::move(path), .query = arena::QueryOf(exchange->request())};
  if (entry.read != nullptr) return Read(exchange, entry.read, std::move(call));
  Result result = entry.handle(call);
  if (!result.ok()) return arena::ReplyError(exchange, result.status());
  exchange->Reply(*std::move(result));
}

void SiteApi::Read(const arena::Exchange& exchange, StoreHandler read, Call call) {
  // The exchange goes to the reader's thread and back, where its last owner must be.
  reader_.Post([this, read, call = std::move(call),
                exchange = exchange](absl::StatusOr<Store*> store) mutable {
    Result result = store.ok() ? (this->*read)(**store, call) : Result(store.status());
    post_([exchange = std::move(exchange), result = std::move(result)] {
      if (!result.ok()) return arena::ReplyError(exchange, result.status());
      exchange->Reply(*result);
    });
  });
}

// ---- What needs no store.

SiteApi::Result SiteApi::ShowHealth(const Call&) {
  return JsonResponse({{"status", "ok"}, {"version", "triarch " TRIARCH_VERSION}});
}

SiteApi::Result SiteApi::ShowRules(const Call& call) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindNamed(call.path[0]));
  return TextResponse("text/markdown", std::string(arena::RulesOf(info->name)));
}

SiteApi::Result SiteApi::ShowGeometry(const Call& call) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindNamed(call.path[0]));
  ASSIGN_OR_RETURN(std::string json, arena::GeometryText(*info));
  return WebResponse{.body = MakeWebText(std::move(json))};
}

SiteApi::Result SiteApi::ShowStart(const Call& call) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindNamed(call.path[0]));
  ASSIGN_OR_RETURN(const Json json, arena::StartJson(*info));
  return JsonResponse(json);
}

// ---- What is in the store.

SiteApi::Result SiteApi::ListTournaments(Store& store, const Call&) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  return JsonResponse(TournamentsJson(std::move(tournaments)));
}

SiteApi::Result SiteApi::ShowTournament(Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const StoredTournament tournament, FindTournament(store, call.path[0]));
  return JsonResponse(TournamentJson(tournament));
}

SiteApi::Result SiteApi::ShowStandings(Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const StoredTournament tournament, FindTournament(store, call.path[0]));
  KnownStandings& known = standings_[tournament.id];
  const bool is_known = known.json != nullptr && known.recorded == tournament.games_recorded &&
                        known.games == tournament.spec.games;
  if (!is_known) {
    ASSIGN_OR_RETURN(StandingsReport report, ReadStandings(store, tournament.id));
    known = {.recorded = tournament.games_recorded,
             .games = tournament.spec.games,
             .json = MakeWebText(std::move(report.json))};
  }
  return WebResponse{.body = known.json};
}

SiteApi::Result SiteApi::ShowGames(Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const StoredTournament tournament, FindTournament(store, call.path[0]));
  ASSIGN_OR_RETURN(const Json json, ListGames(store, tournament, call.query));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowOneGame(Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const StoredTournament tournament, FindTournament(store, call.path[0]));
  const std::optional<int64_t> index = ParseInt64(call.path[1]);
  if (!index) return NotThere("game", call.path[1]);
  ASSIGN_OR_RETURN(const Json json, ShowGame(store, tournament, *index));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowOneTpgn(Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const StoredTournament tournament, FindTournament(store, call.path[0]));
  const std::optional<int64_t> index = ParseInt64(call.path[1]);
  if (!index) return NotThere("game", call.path[1]);
  ASSIGN_OR_RETURN(std::string tpgn, ShowTpgn(store, tournament, *index));
  return TextResponse("text/plain", std::move(tpgn));
}

}  // namespace triarch::site
