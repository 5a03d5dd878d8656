#include "coordinator/ratings/standings_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/display_width.h"
#include "coordinator/ratings/figures.h"
#include "coordinator/ratings/short_names.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLabelWidth = 8;     // labels of the lines below the table
constexpr size_t kProseNameMax = 24;  // of a bot's name below the table
constexpr std::string_view kNone = "–";

// A column of the main table: its heading, and its cell for a bot.
struct Column {
  std::string_view heading;
  std::function<std::string(const BotStanding&)> cell;
};

// Points are multiples of 1/2, or of 1/4 if two of three tie.
std::string OfPoints(const BotStanding& bot) { return absl::StrFormat("%.2f", bot.points); }

std::string OfFigure(const std::optional<double>& figure) {
  return figure ? Short(*figure) : std::string(kNone);
}

bool AnyBot(const Standings& standings, const std::function<bool(const BotStanding&)>& is_so) {
  return std::any_of(standings.bots.begin(), standings.bots.end(), is_so);
}

// For a bot that has a core to itself and thinks only in its own turn, both times are equal, so one
// column is enough.
bool HasOtherCpuTime(const BotStanding& bot) {
  constexpr double kTimeMin = 0.1;  // ms; shorter times do not matter
  constexpr double kShare = 0.2;
  const double time = bot.time_per_move_ms.value_or(0);
  if (!bot.cpu_per_move_ms || std::max(time, *bot.cpu_per_move_ms) < kTimeMin) return false;
  return std::abs(*bot.cpu_per_move_ms - time) > kShare * time;
}

void AddRatingColumns(std::vector<Column>* columns) {
  columns->push_back({"Elo", RatingText});
  columns->push_back({"±95%", [](const BotStanding& b) {
                        return b.rating ? Margin(*b.rating) : std::string(kNone);
                      }});
  columns->push_back({"> next", [](const BotStanding& b) {
                        return b.superiority ? Percent(*b.superiority, true) : std::string(kNone);
                      }});
}

// Adds the cost of a move, for columns that have content.
void AddCostColumns(const Standings& standings, std::vector<Column>* columns) {
  if (AnyBot(standings, [](const BotStanding& b) { return b.time_per_move_ms.value_or(0) > 0; })) {
    columns->push_back({"ms", [](const BotStanding& b) { return OfFigure(b.time_per_move_ms); }});
  }
  if (AnyBot(standings, HasOtherCpuTime)) {
    columns->push_back(
        {"cpu ms", [](const BotStanding& b) { return OfFigure(b.cpu_per_move_ms); }});
  }
  if (AnyBot(standings, [](const BotStanding& b) { return b.nodes_per_move.value_or(0) > 0; })) {
    columns->push_back({"nodes", [](const BotStanding& b) { return OfFigure(b.nodes_per_move); }});
  }
}

std::vector<Column> ColumnsFor(const Standings& standings) {
  std::vector<Column> columns;
  if (standings.is_rated()) AddRatingColumns(&columns);
  columns.push_back({standings.is_rated() ? "Games" : "Seats",
                     [](const BotStanding& b) { return Grouped(b.games); }});
  columns.push_back({"Points", OfPoints});
  columns.push_back({"1st", [](const BotStanding& b) { return std::to_string(b.firsts); }});
  columns.push_back({"Drawn", [](const BotStanding& b) { return std::to_string(b.draws); }});
  columns.push_back({"2nd", [](const BotStanding& b) { return std::to_string(b.seconds); }});
  if (standings.seats.size() > 2) {
    columns.push_back({"3rd", [](const BotStanding& b) { return std::to_string(b.thirds); }});
  }
  columns.push_back({"Faults", [](const BotStanding& b) { return Grouped(b.faults.total()); }});
  if (AnyBot(standings, [](const BotStanding& b) { return b.fallbacks > 0; })) {
    columns.push_back({"Fallbacks", [](const BotStanding& b) { return Grouped(b.fallbacks); }});
  }
  AddCostColumns(standings, &columns);
  return columns;
}

// Returns the bots' names by row, shortened together.
std::vector<std::string> NamesByRow(const Standings& standings, size_t width) {
  std::vector<std::string> names;
  for (const BotStanding& bot : standings.bots) names.push_back(bot.name);
  return ShortNames(names, width);
}

std::string MainTable(const Standings& standings) {
  const std::vector<Column> columns = ColumnsFor(standings);
  TextTable table;
  if (standings.is_rated()) table.AddColumn("#");
  table.AddColumn("Bot", TextTable::Align::kLeft);
  for (const Column& column : columns) table.AddColumn(column.heading);
  for (const BotStanding& bot : standings.bots) {
    std::vector<std::string> cells;
    if (standings.is_rated()) cells.push_back(std::to_string(bot.rank));
    cells.push_back(bot.name);
    for (const Column& column : columns) cells.push_back(column.cell(bot));
    table.AddRow(std::move(cells));
  }
  return table.Render(kWidth, standings.is_rated() ? 1 : 0);
}

std::string NamesWhere(const Standings& standings, bool BotStanding::*is_so) {
  const std::vector<std::string> names = NamesByRow(standings, kProseNameMax);
  std::string text;
  for (size_t row = 0; row < names.size(); ++row) {
    if (standings.bots[row].*is_so) text += (text.empty() ? "" : ", ") + names[row];
  }
  return text;
}

// Explains the marks used in the table.
std::string Caveats(const Standings& standings) {
  std::string text;
  const auto add = [&](std::string_view mark, std::string names, std::string meaning) {
    if (names.empty()) return;
    text += WrapParts(mark, kLabelWidth, {std::move(names), std::move(meaning)}, kWidth);
  };
  add("  ?", NamesWhere(standings, &BotStanding::is_unconnected),
      "not connected to most others by games");
  add("  *", NamesWhere(standings, &BotStanding::is_one_sided),
      "won or lost everything against most others: the rating is only a bound");
  return text;
}

std::string CostsText(const Standings& standings) {
  std::vector<Column> columns;
  AddCostColumns(standings, &columns);
  std::string text;
  for (const Column& column : columns) {
    text += (text.empty() ? "" : ", ") + std::string(column.heading);
  }
  return text.empty() ? text : text + ": per move";
}

std::string RatingLine(const Standings& standings) {
  std::vector<std::string> parts;
  if (standings.anchor) {
    const std::string& name = standings.bots[standings.RowOf(*standings.anchor)].name;
    parts.push_back(name + " is 0");
  } else {
    parts.emplace_back("the mean is 0");
  }
  parts.emplace_back("± spans 95%");
  parts.emplace_back("> next: probability of being stronger, valid for one look");
  if (standings.next_margin) {
    parts.push_back(absl::StrFormat("±%g for most takes about %s more games",
                                    standings.next_margin->next_elo,
                                    Grouped(Roughly(standings.next_margin->games))));
  }
  if (const std::string costs = CostsText(standings); !costs.empty()) parts.push_back(costs);
  return WrapParts("Elo", kLabelWidth, parts, kWidth);
}

std::string SeatLine(const Standings& standings) {
  std::vector<std::string> parts;
  for (const SeatStanding& seat : standings.seats) {
    std::string text = seat.name;
    if (standings.is_rated()) text += " " + Signed(seat.effect) + " " + Margin(seat.effect) + ",";
    parts.push_back(absl::StrFormat("%s %.3f points", text, seat.points_per_game.value_or(0)));
  }
  return WrapParts("Seats", kLabelWidth, parts, kWidth);
}

// Names the bots that survive better or worse than they win duels.
std::string StyleLine(const Standings& standings) {
  const std::vector<std::string> names = NamesByRow(standings, kProseNameMax);
  std::vector<std::string> parts;
  for (size_t row = 0; row < names.size(); ++row) {
    const BotStanding& bot = standings.bots[row];
    if (!bot.has_style) continue;
    const std::string_view verb = bot.style->value > 0 ? "above" : "below";
    const ratings::Estimate size = {std::abs(bot.style->value), bot.style->error};
    parts.push_back(absl::StrFormat("%s survives %d %s Elo %s its duels", names[row],
                                    Rounded(size.value, size), Margin(size), verb));
  }
  return parts.empty() ? "" : WrapParts("Style", kLabelWidth, parts, kWidth);
}

std::string TieLine(const Standings& standings) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, const ratings::TieRate& rate) {
    parts.push_back(
        absl::StrFormat("%s %s (model %s)", what, Percent(rate.observed), Percent(rate.model)));
  };
  if (standings.seats.size() == 2) {
    add("drawn", standings.ties.first_of_two);
  } else {
    add("first shared by two", standings.ties.first_of_two);
    add("by three", standings.ties.first_of_three);
    add("second shared", standings.ties.second);
  }
  return WrapParts("Ties", kLabelWidth, parts, kWidth);
}

std::string EndLine(const Standings& standings) {
  std::vector<std::pair<int64_t, std::string_view>> counts;
  for (const auto& [termination, games] : standings.terminations) {
    counts.emplace_back(games, ToString(termination));
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> parts;
  for (const auto& [games, word] : counts) {
    parts.push_back(absl::StrFormat("%s %s", word, Grouped(games)));
  }
  parts.push_back(absl::StrFormat("%s plies a game", Short(standings.plies_per_game.value_or(0))));
  return WrapParts("Ends", kLabelWidth, parts, kWidth);
}

std::string FaultLine(const Standings& standings) {
  const std::vector<std::string> names = NamesByRow(standings, kProseNameMax);
  std::vector<std::string> parts;
  for (size_t row = 0; row < names.size(); ++row) {
    const BotStanding& bot = standings.bots[row];
    const std::array<std::pair<int64_t, std::string_view>, 3> kinds = {
        {{bot.faults.time_forfeit, "time"},
         {bot.faults.illegal_move, "illegal move"},
         {bot.faults.crash, "crash"}}};
    std::string text;
    for (const auto& [count, word] : kinds) {
      if (count > 0) text += absl::StrFormat("%s%s %d", text.empty() ? " " : ", ", word, count);
    }
    if (!text.empty()) parts.push_back(names[row] + text);
  }
  return parts.empty() ? "" : WrapParts("Faults", kLabelWidth, parts, kWidth);
}

// Formats a corrected p-value: "p 0.003".
std::string PText(double p_value) {
  return p_value < 0.001 ? "p < 0.001" : absl::StrFormat("p %.3f", p_value);
}

// A line of the report with its p-value.
struct Finding {
  double p_value = 1;
  std::string text;
};

// Renders the three most significant findings after `heading`.
std::string FindingsLine(std::string_view label, std::string_view heading,
                         std::vector<Finding> findings) {
  if (findings.empty()) return "";
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.p_value < b.p_value; });
  constexpr size_t kFindingsMax = 3;
  std::vector<std::string> parts = {std::string(heading)};
  for (size_t i = 0; i < std::min(findings.size(), kFindingsMax); ++i) {
    parts.push_back(findings[i].text + ", " + PText(findings[i].p_value));
  }
  if (findings.size() > kFindingsMax) {
    parts.push_back(absl::StrFormat("%d more", findings.size() - kFindingsMax));
  }
  return WrapParts(label, kLabelWidth, parts, kWidth);
}

// Describes pairs whose results strengths do not explain.
std::string PairsLine(const Standings& standings) {
  const std::vector<std::string> names = NamesByRow(standings, 20);
  std::vector<Finding> findings;
  for (const ratings::PairCheck& pair : standings.coalitions.pairs) {
    const std::string& first = names[standings.RowOf(pair.bots[0])];
    const std::string& second = names[standings.RowOf(pair.bots[1])];
    const std::string games = Grouped(pair.games);
    if (pair.gang.is_significant) {
      findings.push_back(
          {pair.gang.p_holm,
           absl::StrFormat("%s and %s left the third bot %.1f points in %s games, %.1f expected",
                           first, second, pair.gang.observed, games, pair.gang.expected)});
    }
    if (pair.feed.is_significant) {
      const bool is_second_ahead = pair.feed.observed > pair.feed.expected;
      const double sign = is_second_ahead ? 1 : -1;
      findings.push_back(
          {pair.feed.p_holm,
           absl::StrFormat("%s finished %+.1f points ahead of %s in %s games, %+.1f expected",
                           is_second_ahead ? second : first, sign * pair.feed.observed,
                           is_second_ahead ? first : second, games, sign * pair.feed.expected)});
    }
  }
  return FindingsLine("Pairs", "style, copies or coalition: results cannot tell them apart",
                      std::move(findings));
}

std::string TriplesLine(const Standings& standings) {
  const std::vector<std::string> names = NamesByRow(standings, 12);
  const auto name_of = [&](int bot) { return names[standings.RowOf(bot)]; };
  std::vector<Finding> findings;
  for (const ratings::TripleCheck& triple : standings.coalitions.triples) {
    if (!triple.is_significant) continue;
    const auto& [a, b, c] = triple.bots;
    findings.push_back(
        {triple.p_holm,
         absl::StrFormat("%s, %s, %s: %.0f/%.0f/%.0f firsts, %.0f/%.0f/%.0f expected", name_of(a),
                         name_of(b), name_of(c), triple.firsts[0], triple.firsts[1],
                         triple.firsts[2], triple.expected[0], triple.expected[1],
                         triple.expected[2])});
  }
  return FindingsLine("Triples", "non-transitive", std::move(findings));
}

std::string CrossCell(const CrossScore& score, bool is_short) {
  if (score.games == 0) return std::string(kNone);
  const double percent = 100 * score.score / static_cast<double>(score.games);
  if (is_short) return absl::StrFormat("%.0f", percent);
  return absl::StrFormat("%.0f%% of %s", percent, Grouped(score.games));
}

// Shows the share of row against column (placed better 1, level 1/2). The short form numbers the
// columns by rank and shows percentages without the number of games.
std::string CrossTable(const Standings& standings, bool is_short) {
  const std::vector<std::string> names = NamesByRow(standings, 12);
  TextTable table;
  table.AddColumn("#");
  table.AddColumn(is_short ? "% ahead of #" : "ahead of", TextTable::Align::kLeft);
  for (size_t row = 0; row < names.size(); ++row) {
    table.AddColumn(is_short ? std::to_string(row + 1) : names[row]);
  }
  for (size_t row = 0; row < names.size(); ++row) {
    std::vector<std::string> cells = {std::to_string(row + 1), standings.bots[row].name};
    for (size_t column = 0; column < names.size(); ++column) {
      const bool is_self = row == column;
      cells.push_back(is_self ? "·" : CrossCell(standings.cross[row][column], is_short));
    }
    table.AddRow(std::move(cells));
  }
  return table.Render(kWidth, 1);
}

bool Fits(std::string_view table) {
  const std::vector<std::string_view> lines = Split(table, '\n');
  return std::all_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return DisplayWidth(line) <= kWidth; });
}

std::string WidestCrossTable(const Standings& standings) {
  for (const bool is_short : {false, true}) {
    const std::string table = CrossTable(standings, is_short);
    if (!Fits(table)) continue;
    return absl::StrFormat(
               "%s of games in which the row's bot placed above the column's (a tie is half)\n",
               is_short ? "Percentage" : "Share") +
           table;
  }
  return absl::StrFormat("The cross table of %d bots is too wide; see the JSON output.\n",
                         standings.bots.size());
}

std::string Heading(const Standings& standings) {
  std::string text = standings.name + ": " + Grouped(standings.games_recorded);
  if (standings.games_recorded < standings.games_asked) {
    text += " of " + Grouped(standings.games_asked);
  }
  text += standings.games_asked == 1 ? " game" : " games";
  return text + (standings.is_rated() ? "\n" : " of self-play (unrated)\n");
}

std::string DataLine(const Standings& standings) {
  const SampleCounts& counts = *standings.samples;
  const auto per = [](int64_t part, int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<int64_t>(whole, 1));
  };
  std::vector<std::string> parts = {
      absl::StrFormat("%s samples in %s %s", Grouped(counts.samples), Grouped(counts.shards),
                      counts.shards == 1 ? "shard" : "shards"),
      absl::StrFormat("%.1f MB", static_cast<double>(counts.bytes) / 1e6)};
  if (counts.samples > 0) {
    parts.push_back(
        absl::StrFormat("%s a game", Short(per(counts.samples, standings.games_recorded))));
    parts.push_back(absl::StrFormat("%s bytes each", Short(per(counts.bytes, counts.samples))));
  }
  if (const std::string costs = CostsText(standings); !costs.empty()) parts.push_back(costs);
  return WrapParts("Data", kLabelWidth, parts, kWidth);
}

}  // namespace

std::string RatingText(const BotStanding& bot) {
  if (!bot.rating) return std::string(kNone);
  const std::string_view mark = bot.is_unconnected ? "?" : bot.is_one_sided ? "*" : "";
  return Signed(*bot.rating) + std::string(mark);
}

std::string RenderStandings(const Standings& standings) {
  std::string text = Heading(standings) + '\n' + MainTable(standings);
  if (standings.games_recorded == 0) return text;
  if (!standings.is_rated()) {
    return text + '\n' + DataLine(standings) + SeatLine(standings) + EndLine(standings) +
           FaultLine(standings);
  }
  text += '\n' + RatingLine(standings) + Caveats(standings) + SeatLine(standings) +
          StyleLine(standings) + TieLine(standings) + EndLine(standings) + FaultLine(standings) +
          PairsLine(standings) + TriplesLine(standings);
  return text + '\n' + WidestCrossTable(standings);
}

}  // namespace triarch
