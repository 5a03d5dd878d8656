#include "coordinator/experiments/event_text.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/adaptive_pairing.h"
#include "coordinator/experiments/adaptive_planner.h"
#include "coordinator/experiments/event_planners.h"
#include "coordinator/experiments/event_ranking.h"
#include "coordinator/ratings/figures.h"
#include "coordinator/ratings/standings_text.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/check.h"

namespace triarch::experiments {
namespace {

constexpr size_t kEventWidth = 100;

const std::string& BotName(const TournamentSpec& spec, int bot) {
  return spec.bots[static_cast<size_t>(bot)].name;
}

// ---- Tables of ranks.

// Returns whether bots with equal points and opponents are ranked by their mutual points.
bool NeedsMutualPoints(const std::vector<EventStanding>& ranked) {
  return std::any_of(ranked.begin(), ranked.end(),
                     [](const EventStanding& bot) { return bot.mutual_points != 0; });
}

// Adds columns to a table of ranks.
using RankCells = std::function<std::vector<std::string>(const EventStanding&)>;

std::string RenderRanks(const std::vector<EventStanding>& ranked, const TournamentSpec& spec,
                        const std::vector<std::string>& headings, const RankCells& cells_of) {
  const bool has_mutual = NeedsMutualPoints(ranked);
  TextTable table;
  table.AddColumn("#");
  table.AddColumn("bot", TextTable::Align::kLeft);
  for (const char* heading : {"points", "opponents"}) table.AddColumn(heading);
  if (has_mutual) table.AddColumn("mutual");
  for (const std::string& heading : headings) table.AddColumn(heading);
  for (size_t i = 0; i < ranked.size(); ++i) {
    const EventStanding& bot = ranked[i];
    std::vector<std::string> cells = {std::to_string(i + 1), BotName(spec, bot.bot),
                                      absl::StrFormat("%g", bot.points),
                                      absl::StrFormat("%.2f", bot.opponents_points)};
    if (has_mutual) cells.push_back(absl::StrFormat("%+g", bot.mutual_points));
    for (std::string& cell : cells_of(bot)) cells.push_back(std::move(cell));
    table.AddRow(std::move(cells));
  }
  return table.Render(kEventWidth, 1);
}

// ---- Swiss.

std::string RenderSwiss(const TournamentSpec& spec, const SwissPlanner& planner,
                        const Standings& standings) {
  const std::vector<EventStanding> ranked = RankSwiss(planner, standings);
  const std::vector<RoundResult>& rounds = planner.event().rounds;
  const auto cells_of = [&](const EventStanding& bot) -> std::vector<std::string> {
    const auto byes = std::count_if(rounds.begin(), rounds.end(), [&bot](const RoundResult& round) {
      return std::count(round.byes.begin(), round.byes.end(), bot.bot) > 0;
    });
    const BotStanding& standing = standings.bots[standings.RowOf(bot.bot)];
    return {byes == 0 ? "" : std::to_string(byes), RatingText(standing),
            standing.rating ? Margin(*standing.rating) : "–"};
  };
  return absl::StrFormat("Swiss event, %d of %d rounds\n", rounds.size(), planner.rounds()) +
         RenderRanks(ranked, spec, {"byes", "Elo", "±95%"}, cells_of);
}

// ---- Knock-out.

std::string TableLine(const TournamentSpec& spec, const KnockoutTable& table, size_t number) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < table.bots.size(); ++i) {
    std::string part = BotName(spec, table.bots[i]);
    if (table.matches > 0) part += absl::StrFormat(" %g", table.points[i]);
    if (i < table.advancing) part += " ✓";
    parts.push_back(std::move(part));
  }
  if (table.matches > 1) parts.push_back(absl::StrFormat("%d matches", table.matches));
  if (table.advancing == 0) parts.push_back("undecided");
  return WrapParts(absl::StrFormat("  table %d", number), 12, parts, kEventWidth);
}

std::string RenderKnockout(const TournamentSpec& spec, const KnockoutPlanner& planner) {
  std::string text = "Knock-out (points; ✓ advances)\n";
  const KnockoutState& state = planner.state();
  for (size_t round = 0; round < state.rounds.size(); ++round) {
    const std::vector<KnockoutTable>& tables = state.rounds[round].tables;
    const bool is_final = round + 1 == state.rounds.size() && !state.ranking.empty();
    text += is_final ? "final\n" : absl::StrFormat("round %d\n", round + 1);
    for (size_t i = 0; i < tables.size(); ++i) text += TableLine(spec, tables[i], i + 1);
    std::vector<std::string> byes;
    for (const int bot : state.rounds[round].byes) byes.push_back(BotName(spec, bot));
    if (!byes.empty()) text += WrapParts("  bye", 12, byes, kEventWidth);
  }
  if (state.ranking.empty()) return text;
  std::vector<std::string> ranking;
  for (size_t i = 0; i < state.ranking.size(); ++i) {
    ranking.push_back(absl::StrFormat("%d. %s", i + 1, BotName(spec, state.ranking[i])));
  }
  return text + WrapParts("ranking", 12, ranking, kEventWidth);
}

// ---- League.

// Divisions do not meet, so their bots have no comparable ratings.
std::string RenderLeague(const TournamentSpec& spec, const LeaguePlanner& planner,
                         const Standings& standings) {
  const std::vector<std::vector<EventStanding>> divisions = RankLeague(planner, standings);
  const std::vector<int> next = DivisionsByBot(NextDivisions(planner, standings));
  std::string text = absl::StrFormat("League, %s\n", planner.State().line);
  for (size_t i = 0; i < divisions.size(); ++i) {
    const auto move_of = [&](const EventStanding& bot) -> std::vector<std::string> {
      const int to = next[static_cast<size_t>(bot.bot)];
      const int from = static_cast<int>(i);
      return {to < from ? "up" : to > from ? "down" : ""};
    };
    text += absl::StrFormat("division %d\n", i + 1) +
            RenderRanks(divisions[i], spec, {"next"}, move_of);
  }
  if (!planner.is_over()) return text;
  return text + "next season: triarch standings --next-season FILE reorders the tournament file\n";
}

// ---- Adaptive.

std::string BestText(const TournamentSpec& spec, bool is_reached, const Leader& leader) {
  const std::string sure = triarch::Percent(ratings::NormalCdf(leader.deviates), true);
  if (is_reached) {
    return absl::StrFormat("The goal is reached: %s is the best bot (%s against the next).\n",
                           BotName(spec, leader.bot), sure);
  }
  return absl::StrFormat(
      "The goal is not reached: %s leads, but is the best with only %s; the goal is %s.\n",
      BotName(spec, leader.bot), sure, triarch::Percent(ratings::NormalCdf(kBestDeviates), true));
}

std::string ErrorText(const TournamentSpec& spec, bool is_reached, const Standings& standings) {
  const double goal = spec.format_options.adaptive_error;
  if (goal == 0) return "";
  if (is_reached) {
    return absl::StrFormat("The goal is reached: half of the ratings are within ±%g Elo.\n", goal);
  }
  if (!standings.next_margin) return "The goal is not reached.\n";
  return absl::StrFormat(
      "The goal is not reached: half of the ratings are within ±%.0f Elo; the goal is ±%g.\n",
      standings.next_margin->now_elo, goal);
}

std::string RenderAdaptive(const TournamentSpec& spec, const AdaptivePlanner& planner,
                           const Standings& standings) {
  if (spec.format_options.adaptive_goal == AdaptiveGoal::kRatings) {
    return ErrorText(spec, planner.is_goal_reached(), standings);
  }
  if (standings.games_recorded == 0) return "";
  return BestText(spec, planner.is_goal_reached(), LeaderOf(*standings.fit));
}

}  // namespace

std::string RenderEvent(const TournamentSpec& spec, const Plan& plan, const Standings& standings) {
  const Planner& planner = plan.planner();
  switch (spec.format) {
    case Format::kAdaptive:
      return RenderAdaptive(spec, static_cast<const AdaptivePlanner&>(planner), standings);
    case Format::kSwiss:
      return RenderSwiss(spec, static_cast<const SwissPlanner&>(planner), standings);
    case Format::kKnockout:
      return RenderKnockout(spec, static_cast<const KnockoutPlanner&>(planner));
    case Format::kLeague:
      return RenderLeague(spec, static_cast<const LeaguePlanner&>(planner), standings);
    default:
      CHECK(false);
      return "";
  }
}

}  // namespace triarch::experiments
