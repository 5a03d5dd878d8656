#include "coordinator/service/stored_standings.h"

#include <memory>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/best_of_text.h"
#include "coordinator/experiments/event_text.h"
#include "coordinator/experiments/test_text.h"
#include "coordinator/experiments/tune_text.h"
#include "coordinator/ratings/figures.h"
#include "coordinator/ratings/standings_text.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "nlohmann/json.hpp"

namespace triarch {

absl::StatusOr<Standings> StoredStandings(Store& store, int64_t tournament, StandingsParts parts) {
  ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(tournament));
  RETURN_IF_ERROR(CheckBotsToRate(stored.spec));  // before reading the games
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(stored.spec.game));
  StandingsBuilder builder(stored.spec, *game);
  ASSIGN_OR_RETURN(const GameCosts costs,
                   store.VisitResults(tournament, [&builder](const GameSummary& summary) {
                     return builder.Add(summary);
                   }));
  RETURN_IF_ERROR(builder.AddCosts(costs));
  ASSIGN_OR_RETURN(Standings standings, builder.Compute(parts));
  if (!standings.samples) return standings;
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, store.Shards(tournament));
  for (const ShardEntry& shard : shards) {
    ++standings.samples->shards;
    standings.samples->samples += shard.samples;
    standings.samples->bytes += shard.bytes;
  }
  return standings;
}

absl::StatusOr<experiments::SequentialTest> StoredTest(Store& store,
                                                       const StoredTournament& stored) {
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(stored.spec.game));
  experiments::SequentialTest test(stored.spec, game->seats);
  const auto add = [&test](const GameSummary& summary) {
    test.Add(summary);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(store.VisitResults(stored.id, add).status());
  return test;
}

absl::StatusOr<std::unique_ptr<experiments::Plan>> StoredPlan(Store& store,
                                                              const StoredTournament& stored,
                                                              bool has_games) {
  auto plan = std::make_unique<experiments::Plan>(stored.spec);
  ASSIGN_OR_RETURN(const std::vector<PlannedMatch> matches, store.Matches(stored.id));
  plan->Add(matches);
  if (!has_games) return plan;
  const auto add = [&plan](const GameSummary& summary) {
    plan->Add(summary);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(store.VisitResults(stored.id, add).status());
  return plan;
}

namespace {

// For a tournament whose matches are planned: the report of its mode, or the standings with
// what its format adds.
absl::StatusOr<StandingsReport> ReadPlannedStandings(Store& store, const StoredTournament& stored) {
  const TournamentSpec& spec = stored.spec;
  ASSIGN_OR_RETURN(const auto plan, StoredPlan(store, stored));
  if (spec.tune) {
    const auto& tune = static_cast<const experiments::Tune&>(plan->planner());
    return StandingsReport{.text = RenderTune(spec, tune), .json = TuneJson(spec, tune)};
  }
  if (spec.best_of) {
    const auto& best_of = static_cast<const experiments::BestOf&>(plan->planner());
    return StandingsReport{.text = RenderBestOf(spec, best_of), .json = BestOfJson(spec, best_of)};
  }
  ASSIGN_OR_RETURN(Standings standings, StoredStandings(store, stored.id));
  if (plan->is_over()) standings.games_asked = standings.games_recorded;
  auto json = nlohmann::ordered_json::parse(StandingsJson(standings));
  json["event"] = EventJson(spec, *plan, standings);
  std::string text = RenderEvent(spec, *plan, standings);
  if (!text.empty()) text += "\n";
  return StandingsReport{.text = text + RenderStandings(standings), .json = json.dump(2) + "\n"};
}

absl::StatusOr<StandingsReport> ReadUncheckedStandings(Store& store,
                                                       const StoredTournament& stored) {
  if (stored.spec.test) {
    ASSIGN_OR_RETURN(const experiments::SequentialTest test, StoredTest(store, stored));
    return StandingsReport{.text = RenderTest(stored.spec, test),
                           .json = TestJson(stored.spec, test)};
  }
  if (IsPlanned(stored.spec)) return ReadPlannedStandings(store, stored);
  ASSIGN_OR_RETURN(const Standings standings, StoredStandings(store, stored.id));
  return StandingsReport{.text = RenderStandings(standings), .json = StandingsJson(standings)};
}

// Says what was audited, if workers that are audited played.
void AddChecks(const GameChecks& checks, StandingsReport* report) {
  const auto [trusted, audited, confirmed, unaudited] = checks;
  if (audited + confirmed + unaudited == 0) return;
  report->text += absl::StrFormat(
      "\nAudits: %s played again, %s confirmed by audits of other games of the same workers,\n"
      "        %s from trusted workers, %s that cannot be audited\n",
      Counted(audited, "game"), Grouped(confirmed), Grouped(trusted), Grouped(unaudited));
  auto json = nlohmann::ordered_json::parse(report->json);
  json["audits"] = {{"audited", audited},
                    {"confirmed", confirmed},
                    {"trusted", trusted},
                    {"unaudited", unaudited}};
  report->json = json.dump(2) + "\n";
}

}  // namespace

absl::StatusOr<StandingsReport> ReadStandings(Store& store, int64_t tournament) {
  ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(tournament));
  ASSIGN_OR_RETURN(StandingsReport report, ReadUncheckedStandings(store, stored));
  AddChecks(stored.checks, &report);
  return report;
}

}  // namespace triarch
