#include "cli/arena/join_report.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/game/outcome.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

// Returns the place of the bot, if it has one.
std::optional<int> PlaceOf(const arena::TableGame& game) {
  if (!game.result || game.is_lost) return std::nullopt;
  const auto place = game.result->places.find(game.seat);
  if (place == game.result->places.end()) return std::nullopt;
  return place->second;
}

// Returns the points of the bot, 0 without a place.
double PointsOf(const arena::TableGame& game) {
  if (!PlaceOf(game) || !game.number) return 0;
  PerSeat<uint8_t> places{};
  size_t at = 0;
  // Points depend only on how many share our place, so that the order of the others is no matter.
  places[SeatAt(at++)] = static_cast<uint8_t>(*PlaceOf(game));
  for (const auto& [seat, place] : game.result->places) {
    if (seat != game.seat && at < game.seats) places[SeatAt(at++)] = static_cast<uint8_t>(place);
  }
  return Points(places, game.seats)[Seat::kFirst];
}

std::string EndText(const arena::TableGame& game) {
  const std::optional<int> place = PlaceOf(game);
  if (place) {
    return absl::StrFormat("place %d of %d, %s, %s", *place, game.seats, game.result->termination,
                           Counted(game.plies, "ply", "plies"));
  }
  const std::string when =
      game.has_begun ? "after " + Counted(game.plies, "ply", "plies") : "before the game began";
  if (game.is_lost) return "lost the seat to a house bot " + when;
  return (game.is_closed ? "closed by the arena " : "left ") + when;
}

}  // namespace

std::string JoinedGameLine(const arena::TableGame& game) {
  std::vector<std::string> opponents;
  for (size_t i = 0; i < game.seats; ++i) {
    const std::string& name = game.players[SeatAt(i)];
    if (SeatAt(i) != game.number && !name.empty()) opponents.push_back(name);
  }
  std::string line =
      absl::StrFormat("table %s: %s against %s: %s", game.table, game.seat,
                      opponents.empty() ? "nobody" : absl::StrJoin(opponents, ", "), EndText(game));
  if (game.fault) {
    line += absl::StrFormat("; resigned after a fault: %s", ToString(game.fault->why));
    if (!game.fault->report.message.empty()) line += ", " + game.fault->report.message;
  }
  if (game.is_forfeited) line += "; forfeited by the arena";
  if (game.has_resigned) line += "; the bot resigned";
  if (game.forced > 0) line += "; " + Counted(game.forced, "random move") + " of the arena";
  return line;
}

std::string JoinedGamesSummary(const std::vector<arena::TableGame>& games) {
  std::map<int, int64_t> counts;
  double points = 0;
  for (const arena::TableGame& game : games) {
    points += PointsOf(game);
    if (const std::optional<int> place = PlaceOf(game)) ++counts[*place];
  }
  std::string text = absl::StrFormat("%s: %g %s", Counted(games.size(), "game"), points,
                                     points == 1 ? "point" : "points");
  for (const auto& [place, count] : counts) text += absl::StrFormat(", %d× place %d", count, place);
  return text + "\n";
}

std::string JoinedGamesJson(const std::string& url, const std::string& game, const std::string& bot,
                            const std::vector<arena::TableGame>& games) {
  Json json = {{"arena", url}, {"game", game}, {"bot", bot}, {"games", Json::array()}};
  for (const arena::TableGame& one : games) {
    Json entry = {{"table", one.table}, {"seat", one.seat}, {"players", Json::array()}};
    for (size_t i = 0; i < one.seats; ++i) {
      const absl::StatusOr<const GameInfo*> info = FindGame(game);
      entry["players"].push_back({{"seat", absl::AsciiStrToLower((*info)->seat_name(SeatAt(i)))},
                                  {"name", one.players[SeatAt(i)]}});
    }
    const std::optional<int> place = PlaceOf(one);
    entry["place"] = place ? Json(*place) : Json();
    entry["points"] = PointsOf(one);
    entry["result"] = one.result ? Json(one.result->result) : Json();
    entry["termination"] = one.result ? Json(one.result->termination) : Json();
    entry["plies"] = one.plies;
    entry["has_resigned"] = one.has_resigned;
    entry["is_lost"] = one.is_lost;
    entry["is_forfeited"] = one.is_forfeited;
    entry["forced"] = one.forced;
    entry["fault"] = nullptr;
    if (one.fault) {
      entry["fault"] = {{"ply", one.fault->ply},
                        {"kind", std::string(ToString(one.fault->why))},
                        {"message", one.fault->report.message}};
    }
    json["games"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

}  // namespace triarch
