#include "site/site_api.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "arena/api/body.h"
#include "arena/api/open_api.h"
#include "arena/api/position_json.h"
#include "arena/api/rules.h"
#include "coordinator/service/stored_standings.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/text.h"
#include "site/bot_json.h"
#include "site/openings_json.h"
#include "site/progress_json.h"
#include "site/site_games.h"
#include "site/site_live.h"
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

// The tournaments whose standings are kept for the pages of bots.
constexpr size_t kKnownStandingsMax = 256;

// A client that has an answer asks each time whether it still holds.
constexpr std::string_view kAskAgain = "no-cache";

absl::StatusOr<StoredTournament> FindTournament(Store& store, const std::string& id) {
  const std::optional<int64_t> number = ParseInt64(id);
  if (!number) return NotThere("tournament", id);
  return store.Tournament(*number);
}

// Returns a text that changes whenever an answer about these tournaments does. The time of creation
// tells a database that was replaced by another from the first.
std::string TagOf(std::span<const StoredTournament> tournaments) {
  Sha256 hash;
  hash.AddText(TRIARCH_VERSION);
  for (const StoredTournament& tournament : tournaments) {
    hash.AddText(std::to_string(tournament.id));
    hash.AddText(tournament.spec.name);
    hash.AddText(tournament.created);
    hash.AddText(ToString(tournament.state));
    hash.AddText(std::to_string(tournament.games_recorded));
    hash.AddText(std::to_string(tournament.spec.games));
    hash.AddText(std::to_string(tournament.spec.bots.size()));
    for (const int64_t check : tournament.checks) hash.AddText(std::to_string(check));
    for (const std::string& digest : tournament.bot_digests) hash.AddText(digest);
  }
  return "\"" + hash.Hex().substr(0, 20) + "\"";
}

// Returns whether the header If-None-Match names the tag. A proxy that compresses marks it as weak.
bool HasTag(std::string_view header, std::string_view tag) {
  for (std::string_view part : Split(header, ',')) {
    part = Trim(part);
    if (part.starts_with("W/")) part.remove_prefix(2);
    if (part == tag || part == "*") return true;
  }
  return false;
}

WebResponse WithTag(WebResponse response, const std::string& tag) {
  response.headers.emplace_back("ETag", tag);
  response.cache_control = kAskAgain;
  return response;
}

absl::StatusOr<const GameInfo*> FindNamed(const std::string& game) {
  const absl::StatusOr<const GameInfo*> info = FindGame(game);
  if (!info.ok()) return absl::NotFoundError(info.status().message());
  return info;
}

}  // namespace

SiteApi::SiteApi(StoreReader& reader, StoreReader& slow, Poster post, LiveSource live)
    : reader_(reader), slow_(slow), post_(std::move(post)), live_(std::move(live)) {
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
       &SiteApi::ShowStandings, Speed::kSlow},
      {route("/api/v2/tournaments/{id}/progress", "how the result became more certain"), nullptr,
       &SiteApi::ShowProgress, Speed::kSlow},
      {route("/api/v2/tournaments/{id}/openings", "the openings of a list, with their results"),
       nullptr, &SiteApi::ShowOpenings, Speed::kSlow},
      {route("/api/v2/tournaments/{id}/games", "the games of a tournament, the newest first",
             "bot seat termination faults match opening plies_min plies_max before limit"),
       nullptr, &SiteApi::ShowGames},
      {route("/api/v2/tournaments/{id}/games/{index}", "a game with its positions"), nullptr,
       &SiteApi::ShowOneGame},
      {route("/api/v2/tournaments/{id}/games/{index}/tpgn", "a game as TPGN", "",
             "the game as text"),
       nullptr, &SiteApi::ShowOneTpgn},
      {route("/api/v2/bots", "the bots of all tournaments, by name"), nullptr, &SiteApi::ListBots},
      {route("/api/v2/bot", "a bot's versions and results in all tournaments", "name"), nullptr,
       &SiteApi::ShowBot, Speed::kSlow},
      {route("/api/v2/live", "the games in progress on a cluster"), &SiteApi::ListLiveGames},
      {route("/api/v2/live/{id}/{index}", "a game in progress with its positions"),
       &SiteApi::ShowLiveGame},
      {route("/api/v2/geometry/{game}", "the cells of a game and their neighbors"),
       &SiteApi::ShowGeometry},
      {route("/api/v2/start/{game}", "the position in which a game begins"), &SiteApi::ShowStart},
      {route("/api/v2/rules/{game}", "the rules of a game", "", "the rules as text"),
       &SiteApi::ShowRules},
      {route("/api/v2/health", "whether the server works"), &SiteApi::ShowHealth},
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
  if (entry.read == nullptr) {
    Result result = (this->*entry.handle)(call);
    if (!result.ok()) return arena::ReplyError(exchange, result.status());
    return exchange->Reply(*std::move(result));
  }
  const WebRequest& request = exchange->request();
  Question question{.exchange = exchange,
                    .request = request.path + "?" + request.query,
                    .tag = request.if_none_match,
                    .call = std::move(call)};
  // The exchange goes to the reader's thread and back, where its last owner must be.
  reader_.Post(
      [this, &entry, question = std::move(question)](absl::StatusOr<Store*> store) mutable {
        Look(std::move(store), entry, std::move(question));
      });
}

bool SiteApi::Scope::goes_on() const {
  return std::any_of(tournaments.begin(), tournaments.end(), [](const StoredTournament& one) {
    return one.state == TournamentState::kActive;
  });
}

absl::StatusOr<SiteApi::Scope> SiteApi::ReadScope(Store& store, const Question& question) {
  Scope scope;
  if (question.call.path.empty()) {
    ASSIGN_OR_RETURN(scope.tournaments, store.Tournaments());
  } else {
    ASSIGN_OR_RETURN(StoredTournament tournament, FindTournament(store, question.call.path[0]));
    scope.tournaments.push_back(std::move(tournament));
  }
  scope.tag = TagOf(scope.tournaments);
  return scope;
}

// Returns an answer that is known without computing it. NotFound: none is.
SiteApi::Result SiteApi::Known(const Scope& scope, const Entry& entry,
                               const Question& question) const {
  if (HasTag(question.tag, scope.tag)) return WithTag({.status = 304}, scope.tag);
  if (entry.speed == Speed::kFast) return absl::NotFoundError("");
  const std::optional<KeptAnswers::Answer> kept =
      kept_.Find(question.request, scope.tag, scope.goes_on(), KeptAnswers::Clock::now());
  if (!kept) return absl::NotFoundError("");
  if (HasTag(question.tag, kept->tag)) return WithTag({.status = 304}, kept->tag);
  return WithTag({.body = kept->body}, kept->tag);
}

void SiteApi::Look(absl::StatusOr<Store*> store, const Entry& entry, Question question) {
  if (entry.speed == Speed::kFast) return Compute(std::move(store), entry, std::move(question));
  if (!store.ok()) return Reply(std::move(question), store.status());
  const absl::StatusOr<Scope> scope = ReadScope(**store, question);
  if (!scope.ok()) return Reply(std::move(question), scope.status());
  Result known = Known(*scope, entry, question);
  if (known.ok()) return Reply(std::move(question), std::move(known));
  slow_.Post([this, &entry, question = std::move(question)](absl::StatusOr<Store*> its) mutable {
    Compute(std::move(its), entry, std::move(question));
  });
}

void SiteApi::Compute(absl::StatusOr<Store*> store, const Entry& entry, Question question) {
  if (!store.ok()) return Reply(std::move(question), store.status());
  const absl::StatusOr<Scope> scope = ReadScope(**store, question);
  if (!scope.ok()) return Reply(std::move(question), scope.status());
  // Others may have asked the same while this one waited.
  Result result = Known(*scope, entry, question);
  if (result.ok()) return Reply(std::move(question), std::move(result));
  const KeptAnswers::Clock::time_point began = KeptAnswers::Clock::now();
  result = (this->*entry.read)(**store, *scope, question.call);
  if (!result.ok()) return Reply(std::move(question), std::move(result));
  if (entry.speed == Speed::kSlow) {
    kept_.Keep(question.request, {.tag = scope->tag, .body = result->body}, began,
               KeptAnswers::Clock::now());
  }
  Reply(std::move(question), WithTag(*std::move(result), scope->tag));
}

void SiteApi::Reply(Question question, Result result) {
  post_([exchange = std::move(question.exchange), result = std::move(result)] {
    if (!result.ok()) return arena::ReplyError(exchange, result.status());
    exchange->Reply(*result);
  });
}

// ---- What needs no store.

SiteApi::Result SiteApi::ShowHealth(const Call&) {
  Json json = {{"status", "ok"}, {"version", "triarch " TRIARCH_VERSION}};
  if (live_) json["live"] = true;
  return JsonResponse(json);
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

SiteApi::Result SiteApi::ListLiveGames(const Call&) {
  ASSIGN_OR_RETURN(const Json json, ListLive(live_));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowLiveGame(const Call& call) {
  const std::optional<int64_t> tournament = ParseInt64(call.path[0]);
  if (!tournament) return NotThere("tournament", call.path[0]);
  const std::optional<int64_t> index = ParseInt64(call.path[1]);
  if (!index) return NotThere("game", call.path[1]);
  ASSIGN_OR_RETURN(const Json json, ShowLive(live_, *tournament, *index));
  return JsonResponse(json);
}

// ---- What is in the store.

SiteApi::Result SiteApi::ListTournaments(Store&, const Scope& scope, const Call&) {
  return JsonResponse(TournamentsJson(scope.tournaments));
}

SiteApi::Result SiteApi::ShowTournament(Store&, const Scope& scope, const Call&) {
  return JsonResponse(TournamentJson(scope.one()));
}

SiteApi::Result SiteApi::ShowStandings(Store& store, const Scope& scope, const Call&) {
  ASSIGN_OR_RETURN(StandingsReport report, ReadStandings(store, scope.one().id));
  return WebResponse{.body = MakeWebText(std::move(report.json))};
}

SiteApi::Result SiteApi::ShowProgress(Store& store, const Scope& scope, const Call&) {
  ASSIGN_OR_RETURN(const Json json, ProgressJson(store, scope.one()));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowOpenings(Store& store, const Scope& scope, const Call&) {
  ASSIGN_OR_RETURN(const Json json, OpeningsJson(store, scope.one()));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowGames(Store& store, const Scope& scope, const Call& call) {
  ASSIGN_OR_RETURN(const Json json, ListGames(store, scope.one(), call.query));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowOneGame(Store& store, const Scope& scope, const Call& call) {
  const std::optional<int64_t> index = ParseInt64(call.path[1]);
  if (!index) return NotThere("game", call.path[1]);
  ASSIGN_OR_RETURN(const Json json, ShowGame(store, scope.one(), *index));
  return JsonResponse(json);
}

SiteApi::Result SiteApi::ShowOneTpgn(Store& store, const Scope& scope, const Call& call) {
  const std::optional<int64_t> index = ParseInt64(call.path[1]);
  if (!index) return NotThere("game", call.path[1]);
  ASSIGN_OR_RETURN(std::string tpgn, ShowTpgn(store, scope.one(), *index));
  return TextResponse("text/plain", std::move(tpgn));
}

SiteApi::Result SiteApi::ListBots(Store&, const Scope& scope, const Call&) {
  return JsonResponse(BotsJson(scope.tournaments));
}

SiteApi::Result SiteApi::ShowBot(Store& store, const Scope& scope, const Call& call) {
  const auto name = call.query.find("name");
  if (name == call.query.end() || name->second.empty()) {
    return absl::InvalidArgumentError("name: expected the name of a bot");
  }
  ASSIGN_OR_RETURN(const Json json,
                   BotJson(name->second, scope.tournaments, [&](const StoredTournament& one) {
                     return StandingsOfBots(store, one);
                   }));
  return JsonResponse(json);
}

absl::StatusOr<std::shared_ptr<const Standings>> SiteApi::StandingsOfBots(
    Store& store, const StoredTournament& tournament) {
  const std::string tag = TagOf({&tournament, 1});
  if (const auto known = standings_.find(tournament.id);
      known != standings_.end() && known->second.tag == tag) {
    return known->second.standings;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const Standings> standings,
                   StandingsForBots(store, tournament.id));
  if (standings_.size() >= kKnownStandingsMax) standings_.clear();
  standings_[tournament.id] = {.tag = tag, .standings = standings};
  return standings;
}

}  // namespace triarch::site
