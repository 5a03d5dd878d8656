#include "coordinator/session/live_tournament.h"

#include <algorithm>
#include <set>
#include <utility>

#include "coordinator/experiments/tune.h"
#include "core/any_state.h"
#include "core/record/audit_text.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard.h"
#include "spec/spec_json.h"

namespace triarch {

LiveTournament::LiveTournament(StoredTournament stored, const std::vector<ShardEntry>& shards,
                               EarlierResults earlier)
    : stored_(std::move(stored)),
      spec_json_(SpecToJson(stored_.spec)),
      spec_digest_(is_selfplay() ? SpecDigest(stored_.spec) : ""),
      label_(std::to_string(stored_.id) + " " + stored_.spec.name),
      is_reproducible_(IsReproducible(stored_.spec)),
      leaderboard_(stored_.spec.bots),
      test_(std::move(earlier.test)),
      plan_(std::move(earlier.plan)) {
  if (stored_.spec.test && !test_) {
    test_.emplace(stored_.spec, (*FindGame(stored_.spec.game))->seats);
  }
  if (IsPlanned(stored_.spec) && !plan_) {
    plan_ = std::make_unique<experiments::Plan>(stored_.spec);
  }
  for (const ShardEntry& shard : shards) CountShard(shard);
}

std::optional<int64_t> LiveTournament::horizon() const {
  if (test_) return test_->horizon();
  return plan_ ? std::optional(plan_->games()) : std::nullopt;
}

bool LiveTournament::is_decided() const {
  if (test_) return test_->verdict() != experiments::Verdict::kUnderWay;
  return plan_ && plan_->is_over();
}

std::vector<PlannedMatch> LiveTournament::NextMatches() {
  return plan_ ? plan_->Next() : std::vector<PlannedMatch>();
}

std::optional<TournamentSpec> LiveTournament::FollowUp() const {
  if (!stored_.spec.tune) return std::nullopt;
  const auto& tune = static_cast<const experiments::Tune&>(plan_->planner());
  if (IsUnchanged(stored_.spec, tune)) return std::nullopt;
  return ConfirmingTest(stored_.spec, tune);
}

std::vector<PlannedMatch> LiveTournament::MatchesOf(const Range& games) const {
  return plan_ ? triarch::MatchesOf(plan_->matches(), games) : std::vector<PlannedMatch>();
}

TournamentNeeds LiveTournament::Needs(const std::string& build) const {
  TournamentNeeds needs{.game = stored_.spec.game, .bots = {}, .digests = {}};
  needs.is_selfplay = is_selfplay();
  std::set<std::string> types;
  for (const BotSpec& bot : stored_.spec.bots) types.insert(bot.bot);
  needs.bots.assign(types.begin(), types.end());
  const std::vector<std::string> digests = BotDigests(build);
  for (size_t i = 0; i < digests.size(); ++i) {
    if (!digests[i].empty()) needs.digests[stored_.spec.bots[i].bot] = digests[i];
  }
  return needs;
}

absl::Status LiveTournament::CheckShard(const Report& report) const {
  if (!is_selfplay()) {
    if (!report.shard) return absl::OkStatus();
    return absl::InvalidArgumentError("a shard of a tournament that is not self-play");
  }
  if (report.games.empty()) return absl::OkStatus();
  if (!report.shard) return absl::InvalidArgumentError("self-play games without their shard");
  if (report.shard->format == kShardFormat) return absl::OkStatus();
  return absl::InvalidArgumentError("a shard of format " + std::to_string(report.shard->format) +
                                    "; expected " + std::to_string(kShardFormat));
}

void LiveTournament::CompleteShard(ShardEntry* shard) const {
  shard->game = stored_.spec.game;
  shard->spec = spec_digest_;
}

std::vector<std::string> LiveTournament::BotDigests(const std::string& build) const {
  std::vector<std::string> digests = stored_.bot_digests;
  digests.resize(stored_.spec.bots.size());
  std::replace(digests.begin(), digests.end(), std::string(), build);
  return digests;
}

void LiveTournament::Count(const std::vector<GameRecord>& games, Time now) {
  int64_t plies = 0;
  for (const GameRecord& game : games) {
    leaderboard_.Add(game);
    if (test_) test_->Add(game);
    if (plan_) plan_->Add(game.index, game.outcome, game.endings);
    plies += game.plies;
  }
  plies_ += plies;
  ply_rate_.Add(plies, now);
}

void LiveTournament::CountEarlier(const GameSummary& game) {
  leaderboard_.Add(game);
  if (test_) test_->Add(game);
}

void LiveTournament::CountShard(const ShardEntry& shard) {
  ++shards_;
  samples_ += shard.samples;
  sample_bytes_ += shard.bytes;
}

TournamentCounts LiveTournament::Counts(const LeaseBook::TournamentView& view) const {
  TournamentCounts counts{.id = stored_.id,
                          .label = label_,
                          .game = stored_.spec.game,
                          .state = view.state,
                          .is_selfplay = is_selfplay(),
                          .games = stored_.spec.games,
                          .open = view.open,
                          .leased = view.leased,
                          .held = view.held,
                          .done = view.done};
  if (test_) counts.test = test_->State();
  // The plan of a tournament that was done before this coordinator led has counted no games.
  if (plan_ && (plan_->is_over() || !IsOver(view.state))) counts.plan = plan_->State();
  return counts;
}

TournamentStatus LiveTournament::Status(const LeaseBook::TournamentView& view) const {
  TournamentStatus status;
  static_cast<TournamentCounts&>(status) = Counts(view);
  status.spec = stored_.spec;
  status.created = stored_.created;
  status.precedence = stored_.precedence;
  status.plies = plies_;
  status.games_per_second = view.games_per_second;
  status.plies_per_second = ply_rate_.per_second().value_or(0);
  status.shards = shards_;
  status.samples = samples_;
  status.sample_bytes = sample_bytes_;
  status.leaderboard = leaderboard_.Rows();
  return status;
}

}  // namespace triarch
