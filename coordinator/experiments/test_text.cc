#include "coordinator/experiments/test_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/elo_text.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/counted.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

constexpr size_t kWidth = 100;
// Two halves of a mirror that differ by more standard errors are reported.
constexpr double kHalvesZ = 2.6;
// A share of games that a bot forfeits; more are reported with the verdict.
constexpr double kForfeitShare = 0.01;

// Formats a share as a percentage with one decimal.
std::string Percent(double share) { return absl::StrFormat("%.1f%%", 100 * share); }

std::string Rounded(double elo, const IntervalEstimate& interval) {
  return RoundedElo(elo, (interval.high - interval.low) / 2);
}

struct Names {
  std::string new_bot;
  std::string base;
};
Names NamesOf(const TournamentSpec& spec) {
  return {.new_bot = spec.bots[kNewBot].name, .base = spec.bots[kBaseBot].name};
}

// Returns the games that a verdict is about: " in mirror games". Empty with two seats.
std::string FieldText(const TournamentSpec& spec, const SequentialTest& test) {
  if (test.seats() == 2) return "";
  if (test.test().field == TestField::kMirror) return " in mirror games";
  std::string bots;
  for (size_t i = 2; i < spec.bots.size(); ++i) bots += (i == 2 ? "" : ", ") + spec.bots[i].name;
  return " at a table with " + (spec.bots.size() > 5 ? "one of the pool" : bots);
}

// Returns what a verdict must mention: ", with 12 time forfeits of smart".
std::string ForfeitText(const TournamentSpec& spec, const SequentialTest& test) {
  const auto games = static_cast<double>(test.State().games);
  std::string text;
  for (const TestSide& side : test.Details().sides) {
    if (side.bot > kBaseBot) continue;
    if (static_cast<double>(side.faults.total()) <= kForfeitShare * games) continue;
    const std::pair<int64_t, std::string_view> counts[] = {
        {side.faults.time_forfeit, "time forfeit"},
        {side.faults.illegal_move, "illegal move"},
        {side.faults.crash, "crash"}};
    for (const auto& [count, what] : counts) {
      if (count == 0) continue;
      text += absl::StrFormat("%s %s by %s", text.empty() ? ", with" : " and",
                              what == "crash" && count != 1 ? absl::StrFormat("%d crashes", count)
                                                            : Counted(count, what),
                              spec.bots[static_cast<size_t>(side.bot)].name);
    }
  }
  return text;
}

// Returns the lines about halves of the mirror that disagree on who is stronger; mostly none.
std::string HalvesText(const TournamentSpec& spec, const TestDetails& details) {
  if (!details.halves_z || std::abs(*details.halves_z) <= kHalvesZ) return "";
  const auto& [new_bot, base] = NamesOf(spec);
  const ratings::Estimate& alone = details.sides[kNewBot].points_per_game;
  const ratings::Estimate& base_alone = details.sides[kBaseBot].points_per_game;
  const double among_base = alone.value - 0.5;
  const double among_new = 0.5 - base_alone.value;
  const bool is_sure_of_both = std::abs(among_base) > alone.margin() &&
                               std::abs(among_new) > base_alone.margin() &&
                               (among_base > 0) == (among_new > 0);
  if (is_sure_of_both) return "";
  return absl::StrFormat(
      "The halves of the mirror differ by %.1f standard errors. Relative to an equal share, %s\n"
      "scores %+.3f points per game against two %s, and %s scores %+.3f against two %s.\n"
      "The advantage depends on who else plays; confirm it with the field pool.\n",
      std::abs(*details.halves_z), new_bot, among_base, base, base, -among_new, new_bot);
}

std::string SideName(const TournamentSpec& spec, const SequentialTest& test, int bot) {
  const auto& [new_bot, base] = NamesOf(spec);
  const std::string& name = spec.bots[static_cast<size_t>(bot)].name;
  if (test.seats() == 2 || test.test().field == TestField::kPool) return name;
  return name + " against two " + (bot == kNewBot ? base : new_bot);
}

std::string SideTable(const TournamentSpec& spec, const SequentialTest& test) {
  TextTable table;
  table.AddColumn("", TextTable::Align::kLeft);
  for (const std::string_view heading : {"Games", "Points", "±95%", "1st", "Last", "Faults"}) {
    table.AddColumn(heading);
  }
  for (const TestSide& side : test.Details().sides) {
    if (side.games == 0) continue;
    const auto games = static_cast<double>(side.games);
    table.AddRow({SideName(spec, test, side.bot), std::to_string(side.games),
                  Percent(side.points_per_game.value), Percent(side.points_per_game.margin()),
                  Percent(side.firsts / games), Percent(side.lasts / games),
                  std::to_string(side.faults.total())});
  }
  return table.Render(kWidth, 0);
}

std::string EloText(const TestState& state) {
  const IntervalEstimate& elo = *state.elo;
  std::string text = absl::StrFormat("%s, 95 %% interval %s to %s", Rounded(elo.value, elo),
                                     Rounded(elo.low, elo), Rounded(elo.high, elo));
  // A test that ends at its first look needs no adjustment.
  const bool is_plain =
      !state.is_adjusted && (state.units > kTestUnitsMin || state.verdict == Verdict::kUnderWay);
  return text + (is_plain ? ", not adjusted for looking" : "");
}

}  // namespace

std::string TestLine(const TestState& state) {
  std::string text = absl::StrFormat("LLR %.2f in [%.2f, %.2f]", state.llr, state.bounds.lower,
                                     state.bounds.upper);
  if (!state.elo || state.units < kTestUnitsMin) return text;
  return text + "  Elo " + Rounded(state.elo->value, *state.elo) + " (" +
         Rounded(state.elo->low, *state.elo) + " to " + Rounded(state.elo->high, *state.elo) + ")";
}

std::string VerdictText(const TournamentSpec& spec, const SequentialTest& test) {
  const auto& [new_bot, base] = NamesOf(spec);
  const std::string_view unit = test.test().is_normalized() ? "normalized Elo" : "Elo";
  const std::string field = FieldText(spec, test);
  const auto& [low, high] = test.test().bounds();
  const std::string tail = field + ForfeitText(spec, test);
  switch (test.verdict()) {
    case Verdict::kBetter:
      return absl::StrFormat("better: %s is %s than %s%s", new_bot, AtLeast(low, unit), base, tail);
    case Verdict::kNotShown:
      return absl::StrFormat("not shown: %s is %s than %s%s%s", new_bot, AtMost(high, unit), base,
                             high <= 0               ? ""
                             : tail.starts_with(' ') ? ", if at all,"
                                                     : ", if at all",
                             tail);
    case Verdict::kUndecided:
      return absl::StrFormat("undecided: the games do not show whether %s is %s than %s%s", new_bot,
                             AtLeast(low, unit), base, tail);
    case Verdict::kUnderWay:
      break;
  }
  return absl::StrFormat("under way: is %s %s than %s%s?", new_bot, AtLeast(low, unit), base,
                         field);
}

std::string RenderTest(const TournamentSpec& spec, const SequentialTest& test) {
  const TestState state = test.State();
  const TestDetails details = test.Details();
  const auto& [low, high] = test.test().bounds();
  std::string text = VerdictText(spec, test) + "\n";
  text += absl::StrFormat("  LLR    %.2f in [%.2f, %.2f], %g against %g %s, alpha %g, beta %g\n",
                          state.llr, state.bounds.lower, state.bounds.upper, low, high,
                          test.test().is_normalized() ? "normalized Elo" : "Elo", test.test().alpha,
                          test.test().beta);
  if (state.elo) text += "  Elo    " + EloText(state) + "\n";
  text += absl::StrFormat("  Games  %d in %s", state.games, Counted(state.units, "unit"));
  if (state.games_left) text += absl::StrFormat(", about %d left", *state.games_left);
  text += "\n";
  if (state.units == 0) return text;
  const auto& bins = details.bins;
  text += absl::StrFormat("  Units  %d %d %d %d %d, by score in fifths from worst to best\n",
                          bins[0], bins[1], bins[2], bins[3], bins[4]);
  return text + "\n" + SideTable(spec, test) + HalvesText(spec, details);
}

}  // namespace triarch::experiments
