#include "arena/service/read_results.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/standings.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/game/outcome.h"

namespace triarch::arena {
namespace {

void AddGame(PlayerResults& results, const GameSummary& game, double points, Seat seat) {
  const PerSeat<uint8_t>& place = game.outcome.place;
  ++results.games;
  ++results.seats[seat];
  results.points += points;
  const bool is_alone = std::count(place.begin(), place.end(), place[seat]) == 1;
  results.wins += place[seat] == 1 && is_alone ? 1 : 0;
}

// Returns the numbers of the bots that can be rated: all, or those with the most games.
std::vector<int> BotsToRate(const std::vector<PlayerResults>& players, size_t max) {
  std::vector<int> bots;
  for (size_t i = 0; i < players.size(); ++i) bots.push_back(static_cast<int>(i));
  if (bots.size() <= max) return bots;
  std::stable_sort(bots.begin(), bots.end(), [&](int a, int b) {
    return players[static_cast<size_t>(a)].games > players[static_cast<size_t>(b)].games;
  });
  bots.resize(max);
  return bots;
}

// Sets the ratings of the players of a tournament.
absl::Status Rate(const StoredTournament& stored, const GameInfo& info,
                  const std::vector<GameSummary>& games, size_t max,
                  std::vector<PlayerResults>& players) {
  TournamentSpec spec = stored.spec;
  spec.bots.clear();
  std::vector<int> row(players.size(), -1);
  const std::vector<int> rated = BotsToRate(players, max);
  for (const int bot : rated) {
    row[static_cast<size_t>(bot)] = static_cast<int>(spec.bots.size());
    spec.bots.push_back(stored.spec.bots[static_cast<size_t>(bot)]);
  }
  StandingsBuilder builder(spec, info);
  for (GameSummary game : games) {
    bool is_rated = true;
    for (size_t i = 0; i < info.seats; ++i) {
      int& bot = game.bots[SeatAt(i)];
      bot = row[static_cast<size_t>(bot)];
      is_rated = is_rated && bot >= 0;
    }
    if (is_rated) RETURN_IF_ERROR(builder.Add(game));
  }
  ASSIGN_OR_RETURN(const Standings standings, builder.Compute(StandingsParts::kWithoutStyles));
  for (const BotStanding& bot : standings.bots) {
    if (!bot.rating) continue;
    PlayerResults& player = players[static_cast<size_t>(rated[static_cast<size_t>(bot.bot)])];
    player.rating = bot.rating->value;
    player.error = bot.rating->error;
  }
  return absl::OkStatus();
}

// Adds the games of a tournament, and its ratings if it is rated.
absl::Status AddTournament(Store& store, const StoredTournament& stored, const GameInfo& info,
                           bool is_rated, size_t max, GameResults& results,
                           std::map<std::string, PlayerResults>& all) {
  const std::vector<BotSpec>& bots = stored.spec.bots;
  std::vector<PlayerResults> players(bots.size());
  for (size_t i = 0; i < bots.size(); ++i) players[i].name = bots[i].name;
  std::vector<GameSummary> games;
  const auto add = [&](const GameSummary& game) {
    const PerSeat<double> points = Points(game.outcome.place, info.seats);
    for (size_t i = 0; i < info.seats; ++i) {
      const Seat seat = SeatAt(i);
      PlayerResults& player = players[static_cast<size_t>(game.bots[seat])];
      AddGame(player, game, points[seat], seat);
      AddGame(all[player.name], game, points[seat], seat);
      AddGame(results.seats[seat], game, points[seat], seat);
    }
    if (is_rated) games.push_back(game);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(store.VisitResults(stored.id, add).status());
  if (!is_rated || games.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(Rate(stored, info, games, max, players));
  results.rated = std::move(players);
  return absl::OkStatus();
}

void Rank(GameResults& results, std::map<std::string, PlayerResults> all) {
  std::stable_sort(results.rated.begin(), results.rated.end(),
                   [](const PlayerResults& a, const PlayerResults& b) {
                     return a.rating.value_or(-1e9) > b.rating.value_or(-1e9);
                   });
  for (size_t i = 0; i < results.rated.size(); ++i) results.rated_row[results.rated[i].name] = i;
  for (auto& [name, player] : all) {
    player.name = name;
    results.all.push_back(std::move(player));
  }
  std::stable_sort(
      results.all.begin(), results.all.end(),
      [](const PlayerResults& a, const PlayerResults& b) { return a.points > b.points; });
}

}  // namespace

absl::StatusOr<Results> ReadResults(Store& store, size_t rated_max) {
  Results results;
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> tournaments, store.Tournaments());
  for (const GameInfo* const info : AllGames()) {
    GameResults& of_game = results[std::string(info->name)];
    std::map<std::string, PlayerResults> all;
    const std::string rated_name = "arena " + std::string(info->name);
    for (const StoredTournament& stored : tournaments) {
      const bool is_rated = stored.spec.name == rated_name;
      if (!is_rated && !stored.spec.name.starts_with(rated_name + " ")) continue;
      RETURN_IF_ERROR(AddTournament(store, stored, *info, is_rated, rated_max, of_game, all));
    }
    Rank(of_game, std::move(all));
  }
  return results;
}

}  // namespace triarch::arena
