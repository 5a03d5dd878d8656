#include "site/site_export.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "arena/api/body.h"
#include "arena/api/position_json.h"
#include "arena/api/rules.h"
#include "coordinator/service/stored_standings.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "site/bot_json.h"
#include "site/openings_json.h"
#include "site/progress_json.h"
#include "site/site_games.h"
#include "site/tournament_json.h"
#include "site/web_page.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

// The games in a file: so many that there are not too many files, and so few that one game is
// loaded fast.
constexpr int64_t kGamesInFile = 10;

// Returns index.html with the policy, for servers that send none, and with the script that tells
// the page where its data is.
absl::StatusOr<std::string> StaticIndex(std::string_view html) {
  constexpr std::string_view kHead = "<head>";
  const size_t head = html.find(kHead);
  if (head == html.npos) return absl::InternalError("index.html of the page has no <head>");
  std::string made(html);
  made.insert(head + kHead.size(),
              "\n    <meta http-equiv=\"Content-Security-Policy\" "
              "content=\"" +
                  std::string(kPagePolicy) + "\">\n    <script src=\"data/site.js\"></script>");
  return made;
}

// Returns the error of a game, which the message names, with the tournament.
absl::Status InTournament(const StoredTournament& tournament, const absl::Status& error) {
  return {error.code(),
          "tournament " + Quote(tournament.spec.name) + ": " + std::string(error.message())};
}

}  // namespace

std::string DataScript(std::string_view key, std::string_view json) {
  return absl::StrFormat("triarchData(\"%s\", %s);\n", std::string(key),
                         // No script in HTML could contain the first; the others end lines in old
                         // browsers.
                         absl::StrReplaceAll(std::string(json), {{"</", "<\\/"},
                                                                 {"\xE2\x80\xA8", "\\u2028"},
                                                                 {"\xE2\x80\xA9", "\\u2029"}}));
}

absl::Status SiteExport::WritePage(std::span<const PageFile> files) {
  if (files.empty()) {
    return absl::UnimplementedError(
        "this program was built without its web page; to get it, run ./run.sh --web in Triarch's "
        "folder");
  }
  for (const PageFile& file : files) {
    std::string content(file.content);
    if (file.path == "/index.html") {
      ASSIGN_OR_RETURN(content, StaticIndex(content));
    }
    RETURN_IF_ERROR(folder_.Write(file.path.substr(1), content));
  }
  const Json site = {{"listed", kListedMax}, {"games_in_file", kGamesInFile}};
  RETURN_IF_ERROR(
      folder_.Write("data/site.js", "var triarchSite = " + arena::ToText(site) + ";\n"));
  return WriteGameKinds();
}

absl::Status SiteExport::WriteGameKinds() {
  for (const GameInfo* const info : AllGames()) {
    const std::string name(info->name);
    ASSIGN_OR_RETURN(const std::string geometry, arena::GeometryText(*info));
    ASSIGN_OR_RETURN(const Json start, arena::StartJson(*info));
    RETURN_IF_ERROR(WriteData("geometry/" + name, geometry));
    RETURN_IF_ERROR(WriteData("start/" + name, arena::ToText(start)));
    RETURN_IF_ERROR(
        WriteData("rules/" + name, arena::ToText(std::string(arena::RulesOf(info->name)))));
  }
  return absl::OkStatus();
}

absl::Status SiteExport::AddStore(Store& store) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  std::sort(tournaments.begin(), tournaments.end(),
            [](const StoredTournament& a, const StoredTournament& b) { return a.id < b.id; });
  for (const StoredTournament& tournament : tournaments) {
    if (IsOver(tournament.state)) {
      RETURN_IF_ERROR(AddTournament(store, tournament));
    } else {
      left_out_.push_back(tournament);
    }
  }
  return absl::OkStatus();
}

absl::Status SiteExport::AddTournament(Store& store, const StoredTournament& tournament) {
  StoredTournament& added = tournaments_.emplace_back(tournament);
  added.id = std::ssize(tournaments_);
  const Source source = {.store = store,
                         .tournament = tournament,
                         .id = added.id,
                         .key = absl::StrFormat("tournaments/%d", added.id)};
  RETURN_IF_ERROR(WriteData(source.key, arena::ToText(TournamentJson(added))));
  ASSIGN_OR_RETURN(const StandingsReport standings, ReadStandings(store, tournament.id));
  RETURN_IF_ERROR(WriteData(source.key + "/standings", standings.json));
  ASSIGN_OR_RETURN(standings_.emplace_back(), StandingsForBots(store, tournament.id));
  ASSIGN_OR_RETURN(const Json progress, ProgressJson(store, tournament));
  RETURN_IF_ERROR(WriteData(source.key + "/progress", arena::ToText(progress)));
  ASSIGN_OR_RETURN(const Json openings, OpeningsJson(store, tournament));
  RETURN_IF_ERROR(WriteData(source.key + "/openings", arena::ToText(openings)));
  ASSIGN_OR_RETURN(const std::vector<int64_t> indices, WriteLists(source));
  return WriteGames(source, indices);
}

absl::StatusOr<std::vector<int64_t>> SiteExport::WriteLists(const Source& source) {
  std::vector<int64_t> indices;
  std::map<std::string, std::string> query = {{"limit", std::to_string(kListedMax)}};
  for (int64_t page = 0;; ++page) {
    RETURN_IF_ERROR(CheckGoesOn());
    ASSIGN_OR_RETURN(const Json json, ListGames(source.store, source.tournament, query));
    RETURN_IF_ERROR(
        WriteData(absl::StrFormat("%s/games/page-%d", source.key, page), arena::ToText(json)));
    for (const Json& game : json["games"]) indices.push_back(game["index"]);
    if (json["before"].is_null()) return indices;
    query["before"] = json["before"].dump();
  }
}

absl::Status SiteExport::WriteGames(const Source& source, std::span<const int64_t> indices) {
  for (size_t i = 0; i < indices.size();) {
    const int64_t file = indices[i] / kGamesInFile;
    std::string scripts;
    for (; i < indices.size() && indices[i] / kGamesInFile == file; ++i) {
      RETURN_IF_ERROR(CheckGoesOn());
      const absl::StatusOr<std::string> game = GameScripts(source, indices[i]);
      if (!game.ok()) return InTournament(source.tournament, game.status());
      scripts += *game;
    }
    RETURN_IF_ERROR(
        folder_.Write(absl::StrFormat("data/%s/games/file-%d.js", source.key, file), scripts));
  }
  games_ += std::ssize(indices);
  return absl::OkStatus();
}

absl::StatusOr<std::string> SiteExport::GameScripts(const Source& source, int64_t index) {
  ASSIGN_OR_RETURN(Json game, ShowGame(source.store, source.tournament, index));
  ASSIGN_OR_RETURN(const std::string tpgn, ShowTpgn(source.store, source.tournament, index));
  game["tournament"]["id"] = source.id;
  const std::string key = absl::StrFormat("%s/games/%d", source.key, index);
  return DataScript(key, arena::ToText(game)) + DataScript(key + "/tpgn", arena::ToText(tpgn));
}

absl::Status SiteExport::Finish() {
  if (tournaments_.empty())
    return absl::NotFoundError("there is no finished tournament in these databases");
  RETURN_IF_ERROR(WriteBots());
  return WriteData("tournaments", arena::ToText(TournamentsJson(tournaments_)));
}

absl::Status SiteExport::WriteBots() {
  const Json bots = BotsJson(tournaments_);
  RETURN_IF_ERROR(WriteData("bots", arena::ToText(bots)));
  const auto standings_of =
      [this](
          const StoredTournament& tournament) -> absl::StatusOr<std::shared_ptr<const Standings>> {
    return standings_[static_cast<size_t>(tournament.id) - 1];
  };
  // No file can have every name, so the place in the list names it.
  for (size_t i = 0; i < bots.size(); ++i) {
    RETURN_IF_ERROR(CheckGoesOn());
    ASSIGN_OR_RETURN(const Json bot, BotJson(bots[i]["name"], tournaments_, standings_of));
    RETURN_IF_ERROR(WriteData(absl::StrFormat("bots/%d", i), arena::ToText(bot)));
  }
  return absl::OkStatus();
}

absl::Status SiteExport::WriteData(std::string_view key, std::string_view json) {
  return folder_.Write(absl::StrFormat("data/%s.js", std::string(key)), DataScript(key, json));
}

absl::Status SiteExport::CheckGoesOn() const {
  if (is_ending_()) return absl::CancelledError("interrupted; nothing was written");
  return absl::OkStatus();
}

}  // namespace triarch::site
