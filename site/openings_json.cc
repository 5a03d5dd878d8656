#include "site/openings_json.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/schedule/schedule.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

struct Sums {
  int64_t games = 0;
  PerSeat<double> points{};
};

Json OpeningJson(const Openings::Line& line, int64_t number, const Sums& sums,
                 const GameInfo& game) {
  Json json = {{"number", number},
               {"position", line.position.empty() ? Json(nullptr) : Json(line.position)},
               {"moves", absl::StrJoin(line.moves, " ")},
               {"games", sums.games},
               {"points", Json::array()}};
  for (size_t i = 0; i < game.seats; ++i) json["points"].push_back(sums.points[SeatAt(i)]);
  return json;
}

}  // namespace

OpeningOfMatch OpeningNumbers(const TournamentSpec& spec) {
  const auto none = [](int64_t) { return std::optional<int64_t>(); };
  if (spec.openings.lines.empty()) return none;
  absl::StatusOr<Schedule> made = Schedule::Make(spec);
  if (!made.ok()) return none;  // it was recorded under other rules
  return [schedule = std::make_shared<const Schedule>(*std::move(made))](int64_t match) {
    return std::optional<int64_t>(static_cast<int64_t>(schedule->LineOf(match)) + 1);
  };
}

absl::StatusOr<Json> OpeningsJson(Store& store, const StoredTournament& tournament) {
  const TournamentSpec& spec = tournament.spec;
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(spec.game));
  Json json = {{"seats", Json::array()}, {"openings", Json::array()}};
  for (size_t i = 0; i < game->seats; ++i) json["seats"].push_back(game->seat_name(SeatAt(i)));
  const OpeningOfMatch opening_of = OpeningNumbers(spec);
  std::vector<Sums> sums(spec.openings.lines.size());
  const auto add = [&](const GameSummary& summary) {
    const std::optional<int64_t> number = opening_of(summary.match);
    if (!number) return absl::OkStatus();
    Sums& of = sums[static_cast<size_t>(*number) - 1];
    ++of.games;
    const PerSeat<double> points = Points(summary.outcome.place, game->seats);
    for (size_t i = 0; i < game->seats; ++i) of.points[SeatAt(i)] += points[SeatAt(i)];
    return absl::OkStatus();
  };
  if (!sums.empty()) RETURN_IF_ERROR(store.VisitResults(tournament.id, add).status());
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].games == 0) continue;
    json["openings"].push_back(
        OpeningJson(spec.openings.lines[i], static_cast<int64_t>(i) + 1, sums[i], *game));
  }
  return json;
}

}  // namespace triarch::site
