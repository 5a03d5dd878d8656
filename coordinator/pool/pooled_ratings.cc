#include "coordinator/pool/pooled_ratings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

absl::StatusOr<std::vector<PoolTournament>> ReadTournaments(std::span<const PoolSource> sources,
                                                            std::optional<int64_t> id) {
  std::vector<PoolTournament> tournaments;
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<StoredTournament> all;
    if (id) {
      ASSIGN_OR_RETURN(StoredTournament one, sources[i].store->Tournament(*id));
      all.push_back(std::move(one));
    } else {
      ASSIGN_OR_RETURN(all, sources[i].store->Tournaments());
    }
    for (StoredTournament& stored : all) {
      tournaments.push_back({.source = i, .db = sources[i].name, .stored = std::move(stored)});
    }
  }
  return tournaments;
}

absl::StatusOr<Pool> ReadPool(std::span<const PoolSource> sources, const PooledOptions& options) {
  ASSIGN_OR_RETURN(std::vector<PoolTournament> tournaments,
                   ReadTournaments(sources, options.tournament));
  absl::StatusOr<Pool> pool = MakePool(std::move(tournaments), options.pool);
  if (!absl::IsNotFound(pool.status())) return pool;
  std::vector<std::string> names;
  for (const PoolSource& source : sources) names.push_back(source.name);
  return absl::NotFoundError(absl::StrJoin(names, ", ") + ": " +
                             std::string(pool.status().message()));
}

// Describes the pool as one tournament.
TournamentSpec SpecOf(const Pool& pool, const GameInfo& game, const std::string& anchor) {
  TournamentSpec spec;
  spec.name = std::string(game.variant) + " ratings";
  spec.game = game.name;
  for (const PoolBot& bot : pool.bots) {
    spec.bots.push_back({.name = bot.name, .bot = bot.identity.type});
  }
  spec.anchor = anchor;
  return spec;
}

// Adds a tournament's games. Their matches get numbers from `first_match` on, which then becomes
// the next number.
absl::Status AddGames(Store& store, const PoolTournament& tournament, size_t seats,
                      StandingsBuilder& builder, int64_t* first_match) {
  const int64_t first = *first_match;
  const auto add = [&](const GameSummary& game) {
    GameSummary pooled = game;
    pooled.match += first;
    *first_match = std::max(*first_match, pooled.match + 1);
    for (size_t i = 0; i < seats; ++i) {
      const auto number = static_cast<size_t>(game.bots[SeatAt(i)]);
      pooled.bots[SeatAt(i)] = static_cast<int>(tournament.bots[number]);
    }
    return builder.Add(pooled);
  };
  ASSIGN_OR_RETURN(const GameCosts costs, store.VisitResults(tournament.stored.id, add));
  GameCosts pooled{.plies = costs.plies};
  for (const auto& [bot, sums] : costs.bots) {
    pooled.bots[static_cast<int>(tournament.bots[static_cast<size_t>(bot)])].Add(sums);
  }
  return builder.AddCosts(pooled);
}

std::optional<ratings::Estimate> ChangeOf(const ratings::RatingFit& fit, size_t before,
                                          size_t after) {
  const std::vector<int>& group = fit.connections().group;
  if (group[before] != group[after]) return std::nullopt;
  return fit.Difference(static_cast<int>(after), static_cast<int>(before));
}

std::vector<BotHistory> HistoriesOf(const Pool& pool, const ratings::RatingFit& fit) {
  std::map<std::string, BotHistory> by_name;
  for (size_t i = 0; i < pool.bots.size(); ++i) {
    if (pool.bots[i].version.empty()) continue;
    BotHistory& history = by_name[pool.bots[i].last_name];
    history.name = pool.bots[i].last_name;
    BotHistory::Version version{.bot = i};
    if (!history.versions.empty()) version.change = ChangeOf(fit, history.versions.back().bot, i);
    history.versions.push_back(version);
  }
  std::vector<BotHistory> histories;
  for (auto& [name, history] : by_name) histories.push_back(std::move(history));
  return histories;
}

}  // namespace

absl::StatusOr<PooledRatings> RatePool(std::span<const PoolSource> sources,
                                       const PooledOptions& options) {
  ASSIGN_OR_RETURN(Pool pool, ReadPool(sources, options));
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(pool.tournaments.front().stored.spec.game));
  TournamentSpec spec = SpecOf(pool, *game, options.anchor);
  RETURN_IF_ERROR(CheckBotsToRate(spec));
  StandingsBuilder builder(spec, *game);
  int64_t next_match = 0;
  for (const PoolTournament& tournament : pool.tournaments) {
    if (tournament.repeats) continue;
    Store& store = *sources[tournament.source].store;
    RETURN_IF_ERROR(AddGames(store, tournament, game->seats, builder, &next_match));
  }
  ASSIGN_OR_RETURN(Standings standings, builder.Compute());
  standings.games_asked = standings.games_recorded;
  std::vector<BotHistory> histories = HistoriesOf(pool, *standings.fit);
  return PooledRatings{.pool = std::move(pool),
                       .standings = std::move(standings),
                       .histories = std::move(histories)};
}

}  // namespace triarch
