// Renders pooled ratings as text.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "coordinator/pool/pooled_ratings.h"
#include "coordinator/ratings/figures.h"
#include "coordinator/ratings/standings_text.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/counted.h"

namespace triarch {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLabelWidth = 8;  // as below the table of standings
constexpr size_t kDateSize = 10;   // of 2026-11-21T10:00:00Z
constexpr std::string_view kNone = "–";

std::string Heading(const Pool& pool) {
  std::set<size_t> sources;
  size_t tournaments = 0;
  for (const PoolTournament& tournament : pool.tournaments) {
    if (tournament.repeats) continue;
    sources.insert(tournament.source);
    ++tournaments;
  }
  return absl::StrFormat("Pool of %s in %s\n", Counted(tournaments, "tournament"),
                         Counted(sources.size(), "database"));
}

std::string GamesCell(const Pool& pool, const PoolTournament& tournament) {
  if (!tournament.repeats) return Grouped(tournament.stored.games_recorded);
  const PoolTournament& same = pool.tournaments[*tournament.repeats];
  return absl::StrFormat("as %s %d", same.db, same.stored.id);
}

std::string TournamentTable(const Pool& pool) {
  TextTable table;
  table.AddColumn("Database", TextTable::Align::kLeft);
  table.AddColumn("ID");
  table.AddColumn("Tournament", TextTable::Align::kLeft);
  table.AddColumn("Created", TextTable::Align::kLeft);
  table.AddColumn("Games");
  for (const PoolTournament& tournament : pool.tournaments) {
    const StoredTournament& stored = tournament.stored;
    table.AddRow({tournament.db, std::to_string(stored.id), stored.spec.name,
                  stored.created.substr(0, kDateSize), GamesCell(pool, tournament)});
  }
  return table.Render(kWidth, 0);
}

// Names the bots that had several names.
std::string NamesLine(const Pool& pool) {
  std::vector<std::string> parts;
  for (const PoolBot& bot : pool.bots) {
    if (bot.other_names.empty()) continue;
    parts.push_back(bot.name + " was also " + absl::StrJoin(bot.other_names, ", "));
  }
  return parts.empty() ? "" : WrapParts("Names", kLabelWidth, parts, kWidth);
}

std::string BuildsLine(const Pool& pool) {
  std::set<std::string> builds;
  for (const PoolBot& bot : pool.bots) {
    if (!bot.identity.build.empty()) builds.insert(bot.identity.build);
  }
  if (builds.size() < 2) return "";
  return WrapParts(
      "Builds", kLabelWidth,
      {absl::StrFormat("bundled bots of %d builds of Triarch are different bots", builds.size()),
       "--any-build takes them as the same"},
      kWidth);
}

std::string LimitsLine(const Pool& pool) {
  if (!pool.has_mixed_limits) return "";
  return WrapParts("Limits", kLabelWidth, {"mixed: bots under different limits are different bots"},
                   kWidth);
}

std::string HistoryTable(const PooledRatings& ratings) {
  TextTable table;
  table.AddColumn("Version", TextTable::Align::kLeft);
  table.AddColumn("Since", TextTable::Align::kLeft);
  for (const std::string_view heading : {"Games", "Elo", "±95%", "Change", "±95%"}) {
    table.AddColumn(heading);
  }
  for (const BotHistory& history : ratings.histories) {
    for (const BotHistory::Version& version : history.versions) {
      const PoolBot& bot = ratings.pool.bots[version.bot];
      const Standings& standings = ratings.standings;
      const BotStanding& row = standings.bots[standings.RowOf(static_cast<int>(version.bot))];
      table.AddRow({bot.name, bot.first_played.substr(0, kDateSize), Grouped(row.games),
                    RatingText(row), row.rating ? Margin(*row.rating) : std::string(kNone),
                    version.change ? Signed(*version.change) : std::string(kNone),
                    version.change ? Margin(*version.change) : std::string(kNone)});
    }
  }
  return table.Render(kWidth, 0);
}

}  // namespace

std::string RenderPooled(const PooledRatings& ratings) {
  std::string text = Heading(ratings.pool) + '\n' + TournamentTable(ratings.pool);
  const std::string notes =
      NamesLine(ratings.pool) + BuildsLine(ratings.pool) + LimitsLine(ratings.pool);
  if (!notes.empty()) text += '\n' + notes;
  text += '\n' + RenderStandings(ratings.standings);
  if (!ratings.histories.empty()) text += '\n' + HistoryTable(ratings);
  return text;
}

}  // namespace triarch
