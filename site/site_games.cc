#include "site/site_games.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/position_json.h"
#include "arena/api/reply.h"
#include "arena/api/v2_json.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/game_conditions.h"
#include "core/record/game_steps.h"
#include "core/record/recorded_game.h"
#include "site/game_json.h"
#include "site/openings_json.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kListed = 50;

using Query = std::map<std::string, std::string>;

// Returns the parameter's text; empty if it is missing or empty.
std::string TextOf(const Query& query, const std::string& key) {
  const auto found = query.find(key);
  return found == query.end() ? "" : found->second;
}

struct ListRequest {
  GameFilter filter = {.bot = {}, .is_backwards = true};
  GameConditions conditions;
  std::optional<int64_t> opening;
  int64_t limit = kListed;
};

// Reads a parameter that numbers something from 1; nothing if it is missing or empty.
absl::StatusOr<std::optional<int64_t>> Ordinal(const Query& query, const std::string& key,
                                               int64_t max) {
  if (TextOf(query, key).empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const int64_t number, arena::NumberOf(query, key, max, 0));
  if (number >= 1) return number;
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected a whole number from 1 to %d", key, max));
}

absl::Status ReadBot(const StoredTournament& tournament, const Query& query, const GameInfo& info,
                     ListRequest* request) {
  const std::string name = TextOf(query, "bot");
  const std::string seat = TextOf(query, "seat");
  if (!name.empty()) {
    const absl::StatusOr<int> bot = FindBot(tournament.spec, name);
    if (!bot.ok()) {
      return absl::InvalidArgumentError("bot: " + std::string(bot.status().message()));
    }
    request->filter.bot = name;
    request->conditions.bot = *bot;
  }
  if (seat.empty()) return absl::OkStatus();
  if (name.empty()) return absl::InvalidArgumentError("seat: expected bot, too");
  request->conditions.seat = arena::ParseSeat(info, seat);
  if (request->conditions.seat) return absl::OkStatus();
  std::string words;
  for (size_t i = 0; i < info.seats; ++i) {
    words += (i == 0 ? "" : ", ") + arena::SeatWord(info, SeatAt(i));
  }
  return absl::InvalidArgumentError("seat: expected one of " + words + ", not " + Quote(seat));
}

absl::StatusOr<ListRequest> ReadQuery(const StoredTournament& tournament, const Query& query) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(tournament.spec.game));
  ListRequest request;
  GameConditions& conditions = request.conditions;
  conditions.seats = info->seats;
  RETURN_IF_ERROR(ReadBot(tournament, query, *info, &request));
  const std::string termination = TextOf(query, "termination");
  if (!termination.empty()) {
    conditions.termination = ParseTermination(termination);
    if (!conditions.termination) {
      return absl::InvalidArgumentError("termination: expected a word such as checkmate, not " +
                                        Quote(termination));
    }
  }
  ASSIGN_OR_RETURN(const int64_t faults, arena::NumberOf(query, "faults", 1, 0));
  conditions.has_faults = faults == 1;
  conditions.with_fallbacks = true;
  ASSIGN_OR_RETURN(conditions.plies_min, arena::NumberOf(query, "plies_min", INT64_MAX, 0));
  ASSIGN_OR_RETURN(conditions.plies_max, arena::NumberOf(query, "plies_max", INT64_MAX, INT64_MAX));
  ASSIGN_OR_RETURN(const std::optional<int64_t> match, Ordinal(query, "match", INT64_MAX));
  if (match) conditions.match = *match - 1;
  ASSIGN_OR_RETURN(request.opening, Ordinal(query, "opening", INT64_MAX));
  if (request.opening && tournament.spec.openings.lines.empty()) {
    return absl::InvalidArgumentError("opening: the tournament has no list of openings");
  }
  ASSIGN_OR_RETURN(const int64_t before, arena::NumberOf(query, "before", INT64_MAX, INT64_MAX));
  request.filter.last = before - 1;
  ASSIGN_OR_RETURN(request.limit, arena::NumberOf(query, "limit", kListedMax, kListed));
  return request;
}

// Returns the index of the recorded game beside that one, or null.
absl::StatusOr<Json> Neighbor(Store& store, int64_t tournament, const GameFilter& filter) {
  Json index = nullptr;
  const auto stop = absl::CancelledError();
  const absl::Status status = store.VisitGames(tournament, filter, [&](const GameSummary& game) {
    index = game.index;
    return stop;
  });
  if (!status.ok() && index.is_null()) return status;
  return index;
}

absl::StatusOr<RecordedGame> ReadText(Store& store, int64_t tournament, int64_t index) {
  RecordedGame game;
  RETURN_IF_ERROR(store.VisitTpgn(tournament, {.bot = {}, .first = index, .last = index},
                                  [&](const GameSummary& summary, std::string_view tpgn) {
                                    game.summary = summary;
                                    game.tpgn = tpgn;
                                    return absl::OkStatus();
                                  }));
  if (game.summary) return game;
  return absl::NotFoundError(
      absl::StrFormat("tournament %d has no recorded game with the index %d", tournament, index));
}

absl::StatusOr<std::vector<StoredFault>> ReadFaults(Store& store, int64_t tournament,
                                                    int64_t index) {
  std::vector<StoredFault> faults;
  RETURN_IF_ERROR(store.VisitFaults(tournament, {.bot = {}, .first = index, .last = index},
                                    [&](const StoredFault& fault) {
                                      faults.push_back(fault);
                                      return absl::OkStatus();
                                    }));
  return faults;
}

}  // namespace

void AddPositions(const GameSteps& steps, Json* json) {
  (*json)["start"] = arena::PositionJson(steps.start);
  for (size_t i = 0; i < steps.steps.size(); ++i) {
    const GameStep& step = steps.steps[i];
    Json& event = (*json)["events"][i];
    event["cells"] = Json::array();
    if (step.event.kind == RecordedEvent::Kind::kMove) {
      event["cells"] = arena::CellsOfMove(steps.at(i), step.after);
    }
    event["after"] = arena::PositionJson(step.after);
  }
}

absl::StatusOr<Json> ListGames(Store& store, const StoredTournament& tournament, const Query& query,
                               int64_t scan_max) {
  ASSIGN_OR_RETURN(const ListRequest request, ReadQuery(tournament, query));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(tournament.spec.game));
  const TournamentSpec& spec = tournament.spec;
  const OpeningOfMatch opening_of = OpeningNumbers(spec);
  Json games = Json::array();
  std::optional<int64_t> before;
  int64_t visited = 0;
  const absl::Status status =
      store.VisitGames(tournament.id, request.filter, [&](const GameSummary& game) -> absl::Status {
        const std::optional<int64_t> opening = opening_of(game.match);
        const bool is_listed =
            request.conditions.AreMetBy(game) && (!request.opening || opening == request.opening);
        if (++visited > scan_max || (is_listed && std::ssize(games) == request.limit)) {
          before = game.index + 1;
          return absl::CancelledError();
        }
        if (!is_listed) return absl::OkStatus();
        games.push_back(
            GameJson(game, *info, BotsOf(spec, game, info->seats), /*has_costs=*/true, {}));
        if (opening) games.back()["opening"] = *opening;
        return absl::OkStatus();
      });
  if (!status.ok() && !before) return status;
  return Json{{"games", std::move(games)}, {"before", before ? Json(*before) : Json(nullptr)}};
}

absl::StatusOr<Json> ShowGame(Store& store, const StoredTournament& tournament, int64_t index) {
  ASSIGN_OR_RETURN(RecordedGame text, ReadText(store, tournament.id, index));
  const absl::StatusOr<RecordedGame> game = ReplayStored(*text.summary, std::move(text.tpgn));
  // Such a game was recorded under other rules, or changed by hand.
  if (!game.ok()) return absl::DataLossError(game.status().message());
  ASSIGN_OR_RETURN(const GameSteps steps, PlaySteps(game->record));
  ASSIGN_OR_RETURN(const std::vector<StoredFault> faults, ReadFaults(store, tournament.id, index));
  Json json = FullGameJson(*game, steps, faults);
  AddPositions(steps, &json);
  json["tournament"] = {{"id", tournament.id}, {"name", tournament.spec.name}};
  json["game"] = tournament.spec.game;
  ASSIGN_OR_RETURN(
      json["previous"],
      Neighbor(store, tournament.id, {.bot = {}, .last = index - 1, .is_backwards = true}));
  ASSIGN_OR_RETURN(json["next"], Neighbor(store, tournament.id, {.bot = {}, .first = index + 1}));
  return json;
}

absl::StatusOr<std::string> ShowTpgn(Store& store, const StoredTournament& tournament,
                                     int64_t index) {
  ASSIGN_OR_RETURN(RecordedGame game, ReadText(store, tournament.id, index));
  return std::move(game.tpgn);
}

}  // namespace triarch::site
