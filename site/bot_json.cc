#include "site/bot_json.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "coordinator/ratings/standings_json.h"
#include "coordinator/service/stored_standings.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/spec_json.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

// A program: what plays, whatever it is called.
struct Version {
  std::string word;    // as --bots takes it
  std::string digest;  // of its program; empty if it has not played

  friend auto operator<=>(const Version&, const Version&) = default;
};

Version VersionOf(const StoredTournament& tournament, size_t bot) {
  const bool has_digest = bot < tournament.bot_digests.size();
  return {.word = BotText(tournament.spec.bots[bot]),
          .digest = has_digest ? tournament.bot_digests[bot] : ""};
}

std::optional<size_t> NumberOf(const StoredTournament& tournament, const std::string& name) {
  const std::vector<BotSpec>& bots = tournament.spec.bots;
  const auto found =
      std::find_if(bots.begin(), bots.end(), [&](const BotSpec& bot) { return bot.name == name; });
  if (found == bots.end()) return std::nullopt;
  return static_cast<size_t>(found - bots.begin());
}

// What the ratings of such tournaments would say: their games were chosen or stopped by results.
bool HasRatings(const TournamentSpec& spec) {
  return !spec.selfplay && !spec.test && !spec.best_of && !spec.tune;
}

std::string KindOf(const TournamentSpec& spec) {
  if (spec.selfplay) return "self-play";
  if (spec.test) return "test";
  if (spec.best_of) return "best-of";
  return spec.tune ? "tuning" : "tournament";
}

Json FaultsJson(const Faults& faults) {
  return {{"time_forfeit", faults.time_forfeit},
          {"illegal_move", faults.illegal_move},
          {"crash", faults.crash}};
}

// The results that can be added up.
Json ResultsJson(const BotStanding& bot) {
  return {{"games", bot.games},
          {"points", bot.points},
          {"firsts", bot.firsts},
          {"draws", bot.draws},
          {"seconds", bot.seconds},
          {"thirds", bot.thirds},
          {"faults", FaultsJson(bot.faults)},
          {"fallbacks", bot.fallbacks}};
}

void AddResults(const BotStanding& more, BotStanding& sum) {
  sum.games += more.games;
  sum.points += more.points;
  sum.firsts += more.firsts;
  sum.draws += more.draws;
  sum.seconds += more.seconds;
  sum.thirds += more.thirds;
  sum.faults.time_forfeit += more.faults.time_forfeit;
  sum.faults.illegal_move += more.faults.illegal_move;
  sum.faults.crash += more.faults.crash;
  sum.fallbacks += more.fallbacks;
}

// Collects what is known of one bot.
class BotBook {
 public:
  explicit BotBook(std::string name) : name_(std::move(name)) {}

  absl::Status Add(const StoredTournament& tournament, const StandingsOf& standings_of) {
    const std::optional<size_t> number = NumberOf(tournament, name_);
    if (!number) return absl::OkStatus();
    const Version version = VersionOf(tournament, *number);
    versions_[version].push_back(tournament.id);
    Json json = {{"id", tournament.id},
                 {"name", tournament.spec.name},
                 {"game", tournament.spec.game},
                 {"kind", KindOf(tournament.spec)},
                 {"state", std::string(ToString(tournament.state))},
                 {"created", tournament.created},
                 {"bot", version.word},
                 {"digest", version.digest},
                 {"bots", tournament.spec.bots.size()},
                 {"rank", nullptr},
                 {"rating", nullptr},
                 {"one_sided", false},
                 {"results", nullptr}};
    ASSIGN_OR_RETURN(const std::shared_ptr<const Standings> standings, standings_of(tournament));
    if (standings != nullptr) {
      AddStandings(tournament.spec, *standings, static_cast<int>(*number), &json);
    }
    tournaments_.push_back(std::move(json));
    return absl::OkStatus();
  }

  // Notes other names of the same programs. Call it after all tournaments are added.
  void NoteOtherNames(const StoredTournament& tournament) {
    for (size_t i = 0; i < tournament.spec.bots.size(); ++i) {
      const std::string& name = tournament.spec.bots[i].name;
      if (name == name_) continue;
      const Version version = VersionOf(tournament, i);
      if (!version.digest.empty() && versions_.contains(version)) {
        other_names_[version].insert(name);
      }
    }
  }

  bool is_empty() const { return versions_.empty(); }

  Json Finish() && {
    Json versions = Json::array();
    for (const auto& [version, ids] : versions_) {
      versions.push_back({{"bot", version.word},
                          {"digest", version.digest},
                          {"other_names", other_names_[version]},
                          {"tournaments", ids}});
    }
    Json totals = Json::array();
    for (const auto& [game, sum] : totals_) {
      Json total = {{"game", game}};
      total.update(ResultsJson(sum));
      totals.push_back(std::move(total));
    }
    Json opponents = Json::array();
    for (const auto& [key, score] : opponents_) {
      opponents.push_back({{"game", key.first},
                           {"name", key.second},
                           {"games", score.games},
                           {"score", score.score}});
    }
    return {{"name", name_},
            {"versions", std::move(versions)},
            {"totals", std::move(totals)},
            {"tournaments", std::move(tournaments_)},
            {"opponents", std::move(opponents)}};
  }

 private:
  void AddStandings(const TournamentSpec& spec, const Standings& standings, int number,
                    Json* json) {
    const size_t row = standings.RowOf(number);
    const BotStanding& bot = standings.bots[row];
    (*json)["results"] = ResultsJson(bot);
    if (HasRatings(spec) && bot.rating) {
      (*json)["rank"] = bot.rank;
      (*json)["rating"] = EstimateJson(*bot.rating);
      (*json)["one_sided"] = bot.is_one_sided;
    }
    AddResults(bot, totals_[spec.game]);
    if (row >= standings.cross.size()) return;  // self-play
    for (size_t i = 0; i < standings.bots.size(); ++i) {
      const CrossScore& score = standings.cross[row][i];
      if (i == row || score.games == 0) continue;
      CrossScore& sum = opponents_[{spec.game, standings.bots[i].name}];
      sum.games += score.games;
      sum.score += score.score;
    }
  }

  const std::string name_;
  std::map<Version, std::vector<int64_t>> versions_;  // with the ids of tournaments
  std::map<Version, std::set<std::string>> other_names_;
  std::map<std::string, BotStanding> totals_;                            // by game
  std::map<std::pair<std::string, std::string>, CrossScore> opponents_;  // by game and name
  Json tournaments_ = Json::array();
};

// Returns pointers to the tournaments, the newest first.
std::vector<const StoredTournament*> NewestFirst(std::span<const StoredTournament> tournaments) {
  std::vector<const StoredTournament*> order;
  for (const StoredTournament& tournament : tournaments) order.push_back(&tournament);
  std::sort(order.begin(), order.end(),
            [](const StoredTournament* a, const StoredTournament* b) { return a->id > b->id; });
  return order;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Standings>> StandingsForBots(Store& store,
                                                                  int64_t tournament) {
  absl::StatusOr<Standings> standings =
      StoredStandings(store, tournament, StandingsParts::kWithoutStyles);
  if (absl::IsInvalidArgument(standings.status())) return nullptr;
  if (!standings.ok()) return standings.status();
  standings->fit.reset();  // its matrices are large
  return std::make_shared<const Standings>(*std::move(standings));
}

Json BotsJson(std::span<const StoredTournament> tournaments) {
  struct Listed {
    std::set<std::string> games;
    std::set<Version> versions;
    int64_t tournaments = 0;
    std::string last;  // when the newest tournament was created
  };
  std::map<std::string, Listed> bots;
  for (const StoredTournament& tournament : tournaments) {
    for (size_t i = 0; i < tournament.spec.bots.size(); ++i) {
      Listed& bot = bots[tournament.spec.bots[i].name];
      bot.games.insert(tournament.spec.game);
      bot.versions.insert(VersionOf(tournament, i));
      ++bot.tournaments;
      bot.last = std::max(bot.last, tournament.created);
    }
  }
  Json json = Json::array();
  for (const auto& [name, bot] : bots) {
    json.push_back({{"name", name},
                    {"games", bot.games},
                    {"versions", bot.versions.size()},
                    {"tournaments", bot.tournaments},
                    {"last", bot.last}});
  }
  return json;
}

absl::StatusOr<Json> BotJson(const std::string& name, std::span<const StoredTournament> tournaments,
                             const StandingsOf& standings_of) {
  const std::vector<const StoredTournament*> order = NewestFirst(tournaments);
  BotBook book(name);
  for (const StoredTournament* tournament : order) {
    RETURN_IF_ERROR(book.Add(*tournament, standings_of));
  }
  if (book.is_empty()) return absl::NotFoundError("there is no bot " + Quote(name));
  for (const StoredTournament* tournament : order) book.NoteOtherNames(*tournament);
  return std::move(book).Finish();
}

}  // namespace triarch::site
