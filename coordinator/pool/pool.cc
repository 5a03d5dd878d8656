#include "coordinator/pool/pool.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/record/bot_manifest.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

std::string Shown(const PoolTournament& tournament) {
  return absl::StrFormat("tournament %d of %s", tournament.stored.id, tournament.db);
}

absl::Status CheckHasGames(const std::vector<PoolTournament>& tournaments,
                           const std::string& game) {
  if (!tournaments.empty()) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrFormat("there are no rated games%s", game.empty() ? "" : " of " + game));
}

absl::Status CheckOneGame(const std::vector<PoolTournament>& tournaments) {
  std::map<std::string, const PoolTournament*> games;
  for (const PoolTournament& tournament : tournaments) {
    games.emplace(tournament.stored.spec.game, &tournament);
  }
  if (games.size() == 1) return absl::OkStatus();
  std::vector<std::string> parts;
  for (const auto& [game, tournament] : games) parts.push_back(game + " in " + Shown(*tournament));
  return absl::FailedPreconditionError("different games cannot be rated together: " +
                                       absl::StrJoin(parts, ", ") + "; choose one with --game");
}

// Returns only what limits or ends games.
TournamentSpec LimitsOnly(const TournamentSpec& spec) {
  TournamentSpec limits;
  limits.start = spec.start;
  limits.time_control = spec.time_control;
  limits.adjudication = spec.adjudication;
  limits.draw_rules = spec.draw_rules;
  return limits;
}

// Returns how the limits of two tournaments differ; empty if they are the same everywhere.
std::string LimitsDifference(const std::vector<PoolTournament>& tournaments) {
  const PoolTournament& first = tournaments.front();
  const TournamentSpec limits = LimitsOnly(first.stored.spec);
  for (const PoolTournament& tournament : tournaments) {
    const std::string difference = SpecDifference(LimitsOnly(tournament.stored.spec), limits);
    if (difference.empty()) continue;
    return absl::StrFormat("%s differs from %s: %s", Shown(tournament), Shown(first), difference);
  }
  return {};
}

bool HaveSameGames(const PoolTournament& one, const PoolTournament& other) {
  const StoredTournament& a = one.stored;
  const StoredTournament& b = other.stored;
  const bool may_be_copy = one.source != other.source && a.created == b.created;
  if (!a.spec.time_control.is_deterministic() && !may_be_copy) return false;
  return a.bot_digests == b.bot_digests && SpecIdentity(a.spec) == SpecIdentity(b.spec);
}

// Of tournaments with the same games, keeps the one that has most of them.
void MarkRepeats(std::vector<PoolTournament>* tournaments) {
  for (size_t i = 0; i < tournaments->size(); ++i) {
    PoolTournament& later = (*tournaments)[i];
    for (size_t j = 0; j < i && !later.repeats; ++j) {
      PoolTournament& earlier = (*tournaments)[j];
      if (earlier.repeats || !HaveSameGames(earlier, later)) continue;
      if (earlier.stored.games_recorded >= later.stored.games_recorded) {
        later.repeats = j;
      } else {
        earlier.repeats = i;
      }
    }
  }
}

// Returns the indices of the tournaments whose games count, by creation.
std::vector<size_t> ByCreation(const std::vector<PoolTournament>& tournaments) {
  std::vector<size_t> order;
  for (size_t i = 0; i < tournaments.size(); ++i) {
    if (!tournaments[i].repeats) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tournaments[a].stored.created < tournaments[b].stored.created;
  });
  return order;
}

// Finds the bots of a pool, and collects their names.
class BotFinder {
 public:
  explicit BotFinder(const IdentityRules& rules) : rules_(rules) {}

  // Must see every tournament before Find sees the first.
  void NoteCopies(const StoredTournament& tournament) {
    std::set<BotIdentity> seen;
    for (size_t i = 0; i < tournament.spec.bots.size(); ++i) {
      const BotIdentity identity = IdentityOf(tournament, i, rules_);
      if (!seen.insert(identity).second) copies_.insert(identity);
    }
  }

  // Returns the pool's bot for a bot of the tournament. Must see tournaments by creation.
  size_t Find(const StoredTournament& tournament, size_t number) {
    const BotSpec& spec = tournament.spec.bots[number];
    const BotIdentity identity = IdentityOf(tournament, number, rules_);
    const std::string copy = copies_.contains(identity) ? spec.name : "";
    const auto [found, is_new] = indices_.emplace(std::pair(identity, copy), bots_.size());
    if (is_new) {
      bots_.push_back({.name = "", .first_played = tournament.created, .identity = identity});
      names_.emplace_back();
      bundle_versions_.emplace_back();
    }
    const size_t bot = found->second;
    bots_[bot].last_name = GivenBotName(spec.name);
    names_[bot].insert(bots_[bot].last_name);
    if (const size_t at = spec.bundle.rfind('@'); at != std::string::npos) {
      bundle_versions_[bot] = spec.bundle.substr(at + 1);
    }
    return bot;
  }

  // Returns the bots with their names.
  std::vector<PoolBot> Finish() {
    std::map<std::string, std::vector<size_t>> versions;  // by last name
    for (size_t i = 0; i < bots_.size(); ++i) {
      PoolBot& bot = bots_[i];
      versions[bot.last_name].push_back(i);
      names_[i].erase(bot.last_name);
      bot.other_names.assign(names_[i].begin(), names_[i].end());
      bot.name = bot.last_name;
    }
    for (const auto& [name, indices] : versions) {
      if (indices.size() > 1) NameVersions(indices);
    }
    return std::move(bots_);
  }

 private:
  void NameVersions(const std::vector<size_t>& indices) {
    std::vector<BotRelease> releases;
    for (const size_t i : indices) releases.push_back({bots_[i].identity, bundle_versions_[i]});
    const std::vector<std::string> labels = VersionLabels(releases);
    for (size_t i = 0; i < indices.size(); ++i) {
      PoolBot& bot = bots_[indices[i]];
      bot.version = labels[i];
      bot.name = bot.last_name + "@" + bot.version;
    }
  }

  const IdentityRules& rules_;
  std::set<BotIdentity> copies_;  // that some tournament seats under several names
  std::map<std::pair<BotIdentity, std::string>, size_t> indices_;  // by identity and copy's name
  // By index:
  std::vector<PoolBot> bots_;
  std::vector<std::set<std::string>> names_;
  std::vector<std::string> bundle_versions_;
};

}  // namespace

absl::StatusOr<Pool> MakePool(std::vector<PoolTournament> tournaments, const PoolOptions& options) {
  std::erase_if(tournaments, [&](const PoolTournament& tournament) {
    const TournamentSpec& spec = tournament.stored.spec;
    // The options of a tuned bot change from match to match.
    return spec.selfplay != nullptr || spec.tune != nullptr ||
           tournament.stored.games_recorded == 0 ||
           (!options.game.empty() && spec.game != options.game);
  });
  RETURN_IF_ERROR(CheckHasGames(tournaments, options.game));
  RETURN_IF_ERROR(CheckOneGame(tournaments));
  const std::string difference = LimitsDifference(tournaments);
  if (!difference.empty() && !options.mixes_limits) {
    return absl::FailedPreconditionError(difference + "; --mix-limits pools them anyway");
  }
  MarkRepeats(&tournaments);
  const std::vector<size_t> order = ByCreation(tournaments);
  BotFinder finder(options.identity);
  for (const size_t i : order) finder.NoteCopies(tournaments[i].stored);
  for (const size_t i : order) {
    PoolTournament& tournament = tournaments[i];
    for (size_t bot = 0; bot < tournament.stored.spec.bots.size(); ++bot) {
      tournament.bots.push_back(finder.Find(tournament.stored, bot));
    }
  }
  return Pool{.tournaments = std::move(tournaments),
              .bots = finder.Finish(),
              .has_mixed_limits = !difference.empty()};
}

}  // namespace triarch
