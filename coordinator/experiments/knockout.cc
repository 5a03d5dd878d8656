#include "coordinator/experiments/knockout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/schedule/format_games.h"

namespace triarch::experiments {
namespace {

// The matches of one table.
struct TableScore {
  size_t matches = 0;
  std::map<int, double> points;  // by bot
};
using TableScores = std::map<Table, TableScore>;  // by sorted bots, which meet in only one round

TableScores AddUp(std::span<const MatchResult> results) {
  TableScores scores;
  for (const MatchResult& result : results) {
    CHECK(result.points.size() == result.bots.size());
    Table key = result.bots;
    std::sort(key.begin(), key.end());
    TableScore& score = scores[key];
    ++score.matches;
    for (size_t i = 0; i < result.bots.size(); ++i) {
      score.points[result.bots[i]] += result.points[i];
    }
  }
  return scores;
}

// The tables of a round, and how many bots leave each.
struct RoundPlan {
  std::vector<int> byes;
  std::vector<Table> tables;    // from the highest seed
  std::vector<size_t> leaving;  // per table
};

// Returns how many bots the next round should leave.
size_t TargetOf(const Knockout& knockout, size_t bots) {
  if (bots == knockout.seats) return 1;
  if (knockout.advancing > 1) return bots - bots / knockout.seats;
  size_t power = 1;
  while (power * knockout.seats < bots) power *= knockout.seats;
  return power;
}

// `field` is sorted by seed.
RoundPlan PlanRound(const Knockout& knockout, std::span<const int> field) {
  const bool is_final = field.size() == knockout.seats;
  const size_t leaving_each = knockout.seats - (is_final ? 1 : knockout.advancing);
  size_t leaving = field.size() - TargetOf(knockout, field.size());
  const size_t needed = (leaving + leaving_each - 1) / leaving_each;
  const size_t tables = std::min(needed, field.size() / knockout.seats);
  RoundPlan plan;
  plan.tables.resize(tables);
  const size_t byes = field.size() - tables * knockout.seats;
  plan.byes.assign(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(byes));
  for (size_t i = 0; i < tables * knockout.seats; ++i) {
    // To and fro, so that the highest seed meets the lowest.
    const size_t column = i % tables;
    const bool is_back = i / tables % 2 == 1;
    plan.tables[is_back ? tables - 1 - column : column].push_back(field[byes + i]);
  }
  for (size_t i = 0; i < tables; ++i) {
    plan.leaving.push_back(std::min(leaving_each, leaving));
    leaving -= plan.leaving.back();
  }
  return plan;
}

// Returns the bots of a table, the best first; the bots of `table` are sorted by seed.
Table RankTable(const Table& table, const TableScore& score) {
  Table ranked = table;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](int a, int b) { return score.points.at(a) > score.points.at(b); });
  return ranked;
}

bool IsDecided(const Table& ranked, size_t leaving, const TableScore& score) {
  if (score.matches >= static_cast<size_t>(kKnockoutMatchesMax)) return true;
  const size_t cut = ranked.size() - leaving;
  return score.points.at(ranked[cut - 1]) > score.points.at(ranked[cut]);
}

// A bot that left, to be ranked among those of its round.
struct Leaver {
  int bot;
  double points;  // per match
};

// Collects how a round ends.
struct RoundEnd {
  KnockoutRound round;
  std::vector<Table> undecided;
  std::vector<int> advancing;
  std::vector<Leaver> leavers;
};

// Returns a table with its results so far.
KnockoutTable ScoreTable(const Table& table, size_t leaving, const TableScores& scores) {
  Table key = table;
  std::sort(key.begin(), key.end());
  const auto found = scores.find(key);
  KnockoutTable scored = {.bots = table};
  scored.points.resize(table.size(), 0);
  if (found == scores.end()) return scored;
  const TableScore& score = found->second;
  scored.bots = RankTable(table, score);
  for (size_t i = 0; i < table.size(); ++i) scored.points[i] = score.points.at(scored.bots[i]);
  scored.matches = score.matches;
  if (IsDecided(scored.bots, leaving, score)) scored.advancing = table.size() - leaving;
  return scored;
}

RoundEnd EndRound(const RoundPlan& plan, const TableScores& scores) {
  RoundEnd end{
      .round = {.byes = plan.byes}, .undecided = {}, .advancing = plan.byes, .leavers = {}};
  for (size_t i = 0; i < plan.tables.size(); ++i) {
    const KnockoutTable table = ScoreTable(plan.tables[i], plan.leaving[i], scores);
    end.round.tables.push_back(table);
    if (table.advancing == 0) {
      end.undecided.push_back(plan.tables[i]);
      continue;
    }
    for (size_t place = 0; place < table.bots.size(); ++place) {
      const int bot = table.bots[place];
      if (place < table.advancing) {
        end.advancing.push_back(bot);
      } else {
        end.leavers.push_back({bot, table.points[place] / static_cast<double>(table.matches)});
      }
    }
  }
  return end;
}

}  // namespace

KnockoutState StateOf(const Knockout& knockout, std::span<const MatchResult> results) {
  CHECK(knockout.starting_order.size() >= knockout.seats);
  CHECK(knockout.advancing >= 1 && knockout.advancing < knockout.seats);
  const TableScores scores = AddUp(results);
  std::vector<size_t> seed(knockout.starting_order.size());
  for (size_t i = 0; i < seed.size(); ++i) {
    seed[static_cast<size_t>(knockout.starting_order[i])] = i;
  }
  const auto by_seed = [&](int a, int b) {
    return seed[static_cast<size_t>(a)] < seed[static_cast<size_t>(b)];
  };
  KnockoutState state;
  std::vector<int> field = knockout.starting_order;
  std::vector<int> left;  // the first to leave last
  for (;; ++state.round) {
    const RoundPlan plan = PlanRound(knockout, field);
    RoundEnd end = EndRound(plan, scores);
    state.byes = plan.byes;
    state.rounds.push_back(end.round);
    state.tables = end.undecided;
    if (!state.tables.empty()) return state;
    std::sort(end.leavers.begin(), end.leavers.end(), [&](const Leaver& a, const Leaver& b) {
      return a.points != b.points ? a.points > b.points : by_seed(a.bot, b.bot);
    });
    std::vector<int> bots;
    for (const Leaver& leaver : end.leavers) bots.push_back(leaver.bot);
    left.insert(left.begin(), bots.begin(), bots.end());
    field = end.advancing;
    if (field.size() == 1) break;
    std::sort(field.begin(), field.end(), by_seed);
  }
  state.ranking = field;
  state.ranking.insert(state.ranking.end(), left.begin(), left.end());
  return state;
}

}  // namespace triarch::experiments
