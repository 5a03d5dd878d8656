#include "arena/service/result_pages.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kColors = {"white", "black", "red"};

struct Count {
  int64_t games = 0;
  int64_t firsts = 0;
  double points = 0;

  void Add(const PerSeat<uint8_t>& place, double won, Seat seat) {
    ++games;
    points += won;
    const bool is_alone = std::count(place.begin(), place.end(), place[seat]) == 1;
    firsts += place[seat] == 1 && is_alone ? 1 : 0;
  }
  void Write(PageJson* json) const {
    (*json)["games"] = games;
    (*json)["wins"] = firsts;
    (*json)["points"] = points;
  }
};

std::string Dump(const PageJson& json) {
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

}  // namespace

absl::StatusOr<ResultPages> ReadResultPages(Store& store) {
  PerSeat<Count> colors;
  std::map<std::string, Count> players;
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> tournaments, store.Tournaments());
  for (const StoredTournament& stored : tournaments) {
    const std::vector<BotSpec>& bots = stored.spec.bots;
    if (!stored.spec.name.starts_with("arena triumvirate")) continue;
    const auto add = [&](const GameSummary& game) {
      const PerSeat<double> points = Points(game.outcome.place, kColors.size());
      for (size_t i = 0; i < kColors.size(); ++i) {
        const Seat seat = SeatAt(i);
        const std::string& name = bots[static_cast<size_t>(game.bots[seat])].name;
        colors[seat].Add(game.outcome.place, points[seat], seat);
        players[name].Add(game.outcome.place, points[seat], seat);
      }
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(store.VisitResults(stored.id, add).status());
  }
  PageJson counts = {{"games", colors[Seat::kFirst].games}, {"colors", PageJson::array()}};
  for (size_t i = 0; i < kColors.size(); ++i) {
    PageJson row = {{"color", kColors[i]}};
    colors[SeatAt(i)].Write(&row);
    counts["colors"].push_back(std::move(row));
  }
  std::vector<std::pair<std::string, Count>> ranked(players.begin(), players.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second.points > b.second.points; });
  PageJson leaderboard = PageJson::array();
  for (const auto& [name, count] : ranked) {
    PageJson row = {{"rank", leaderboard.size() + 1}, {"name", name}};
    count.Write(&row);
    leaderboard.push_back(std::move(row));
  }
  return ResultPages{.colors = Dump(counts), .leaderboard = Dump(leaderboard)};
}

}  // namespace triarch::arena
