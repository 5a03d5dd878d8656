#include "coordinator/store/store_rules.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_manifest.h"
#include "spec/spec_json.h"

namespace triarch {

size_t SeatCount(const GameRecord& record) {
  size_t seats = 0;
  for (const std::string& bot : record.bots) seats += bot.empty() ? 0 : 1;
  return seats;
}

absl::StatusOr<GameSummary> Summarize(const TournamentSpec& spec, const GameRecord& record) {
  const auto refused = [&record](const absl::Status& why) {
    return absl::InvalidArgumentError(
        absl::StrFormat("game %d cannot be recorded: %s", record.index, why.message()));
  };
  if (record.index < 0) return refused(absl::InvalidArgumentError("its index is negative"));
  if (!record.is_finished) return refused(absl::InvalidArgumentError("it is not finished"));
  if (record.game != spec.game) {
    return refused(absl::InvalidArgumentError("its game is not that of the tournament"));
  }
  GameSummary summary;
  summary.index = record.index;
  summary.match = record.match;
  for (size_t i = 0; i < SeatCount(record); ++i) {
    const absl::StatusOr<int> bot = FindBot(spec, record.bots[SeatAt(i)]);
    if (!bot.ok()) return refused(bot.status());
    summary.bots[SeatAt(i)] = *bot;
  }
  summary.outcome = record.outcome;
  summary.endings = record.endings;
  summary.plies = record.plies;
  summary.costs = record.costs;
  for (size_t i = 0; i < SeatCount(record); ++i) {
    summary.fallbacks[SeatAt(i)] = FallbacksOf(record, SeatAt(i));
  }
  return summary;
}

TournamentSpec ArenaSpec(const ArenaGame& game) {
  TournamentSpec spec;
  spec.name = game.tournament;
  spec.game = game.record.game;
  spec.draw_rules = game.record.draw_rules;
  return spec;
}

AddedGame AddToSpec(const ArenaGame& game, int64_t games_recorded, TournamentSpec* spec) {
  AddedGame added{.record = game.record, .bots_before = spec->bots.size()};
  std::set<std::string_view> names;
  for (const BotSpec& bot : spec->bots) names.insert(bot.name);
  std::vector<BotSpec> missing;
  for (size_t i = 0; i < SeatCount(game.record); ++i) {
    const BotSpec& bot = game.bots[SeatAt(i)];
    if (!names.contains(bot.name)) missing.push_back(bot);
  }
  spec->bots.insert(spec->bots.end(), missing.begin(), missing.end());
  added.record.event = spec->name;
  added.record.index = games_recorded;
  added.record.match = games_recorded;
  spec->games = games_recorded + 1;
  return added;
}

absl::Status CheckContinues(std::string_view where, const TournamentSpec& stored,
                            const TournamentSpec& asked, int64_t games_end) {
  const std::string difference = SpecDifference(stored, asked);
  // A self-play run keeps its database next to its data, unless another is named.
  const std::string another =
      asked.selfplay ? "another --data (and --db, if you name one)" : "another --db";
  if (!difference.empty()) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s belongs to another tournament: %s; use %s", where, difference, another));
  }
  if (games_end > asked.games) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s already has %s of this tournament, but only %d %s requested; "
        "request at least as many, or use %s",
        where, Counted(games_end, "game"), asked.games, asked.games == 1 ? "is" : "are", another));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> FindBot(const TournamentSpec& spec, std::string_view name) {
  std::string names;
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    if (spec.bots[i].name == name) return static_cast<int>(i);
    names += (i == 0 ? "" : ", ") + spec.bots[i].name;
  }
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    const BotSpec& bot = spec.bots[i];
    if (!bot.bundle.empty() && GivenBotName(bot.name) == name) return static_cast<int>(i);
  }
  return absl::NotFoundError(
      absl::StrFormat("no bot %s in this tournament; expected one of %s", Quote(name), names));
}

absl::StatusOr<std::vector<PlannedMatch>> JoinBatches(std::span<const std::string> batches,
                                                      const TournamentSpec& spec) {
  std::vector<PlannedMatch> all;
  for (const std::string& batch : batches) {
    absl::StatusOr<std::vector<PlannedMatch>> matches = MatchesFromJson(batch, spec);
    if (!matches.ok()) return absl::DataLossError(matches.status().message());
    for (PlannedMatch& match : *matches) {
      const int64_t games = all.empty() ? 0 : EndOf(all.back());
      if (match.number != std::ssize(all) || match.first_game != games) {
        return absl::DataLossError(
            absl::StrFormat("matches: match %d begins with game %d; expected match %d with game %d",
                            match.number, match.first_game, std::ssize(all), games));
      }
      all.push_back(std::move(match));
    }
  }
  return all;
}

std::string_view TableOf(History what) {
  switch (what) {
    case History::kLeases:
      return "leases";
    case History::kWorkers:
      return "workers";
    default:
      return "ratings";
  }
}

absl::Status NoBundle(std::string_view digest) {
  return absl::NotFoundError(
      absl::StrFormat("there is no bundle with the digest %s", Quote(digest, 64)));
}

absl::Status NotHeld(int64_t id) {
  return absl::NotFoundError(absl::StrFormat("the store does not hold report %d", id));
}

std::string IndicesText(std::span<const int64_t> indices) { return absl::StrJoin(indices, ","); }

absl::StatusOr<std::vector<int64_t>> ParseIndices(std::string_view text) {
  std::vector<int64_t> indices;
  for (const std::string_view word : Split(text, ',')) {
    const std::optional<int64_t> index = ParseInt64(word);
    if (!index) return absl::DataLossError("the list of a held report's games is damaged");
    indices.push_back(*index);
  }
  return indices;
}

TournamentSpec WithoutOutput(TournamentSpec spec) {
  spec.slots = 0;
  spec.db.clear();
  spec.tpgn.clear();
  return spec;
}

TournamentSpec Continued(const TournamentSpec& stored, const TournamentSpec& asked) {
  TournamentSpec spec = WithoutOutput(asked);
  if (!stored.run.empty()) spec.run = stored.run;
  return spec;
}

absl::Status CheckIsSame(const ShardEntry& there, const ShardEntry& shard) {
  if (there.sha256 == shard.sha256 && there.games == shard.games && there.first == shard.first &&
      there.last == shard.last) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("another shard has the name " + shard.shard);
}

absl::Status RecordedWithout(const ShardEntry& shard) {
  return absl::AlreadyExistsError("games of the shard " + shard.shard +
                                  " are already recorded without it");
}

}  // namespace triarch
