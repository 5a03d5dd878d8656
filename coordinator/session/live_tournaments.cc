#include "coordinator/session/live_tournaments.h"

#include <algorithm>

#include "core/record/tournament_state.h"

namespace triarch {

void LiveTournaments::Add(StoredTournament stored, const RangeSet& recorded,
                          const std::vector<ShardEntry>& shards, EarlierResults earlier) {
  const int64_t id = stored.id;
  Ledger ledger(stored.spec.games, recorded);
  LiveTournament& added =
      tournaments_.emplace(id, LiveTournament(std::move(stored), shards, std::move(earlier)))
          .first->second;
  TournamentState state = added.stored().state;
  // More games may have been requested since the tournament was done. But results can end one
  // before all of its games are played.
  if (state == TournamentState::kDone && !added.has_own_end() && !ledger.is_complete()) {
    state = TournamentState::kActive;
  }
  if (state == TournamentState::kActive && ledger.is_complete()) state = TournamentState::kDone;
  added.set_state(state);
  book_.AddTournament(id, std::move(ledger), added.Needs(build_), state, added.stored().precedence);
  Advance(added, Time());
  // An earlier coordinator may have stopped before it added the tournament that follows.
  if (state == TournamentState::kDone && added.stored().spec.tune) ended_.push_back(id);
  // An earlier coordinator may have recorded shards that no manifest lists yet.
  NoteRun(added);
}

void LiveTournaments::Remove(int64_t id, Time now) {
  book_.RemoveTournament(id, now);
  tournaments_.erase(id);
  changed_runs_.erase(id);
  std::erase(ended_, id);
}

const LiveTournament* LiveTournaments::Find(int64_t id) const {
  const auto found = tournaments_.find(id);
  return found == tournaments_.end() ? nullptr : &found->second;
}

bool LiveTournaments::IsBusy(int64_t id) const {
  const LiveTournament& tournament = At(id);
  return !tournament.recording().empty() || tournament.auditing() > 0 || planning_.contains(id);
}

std::vector<int64_t> LiveTournaments::With(std::string_view digest) const {
  std::vector<int64_t> ids;
  for (const auto& [id, tournament] : tournaments_) {
    const std::vector<BotSpec>& bots = tournament.stored().spec.bots;
    const bool plays = std::any_of(bots.begin(), bots.end(),
                                   [&](const BotSpec& bot) { return bot.digest == digest; });
    if (plays && !IsOver(book_.View(id)->state)) ids.push_back(id);
  }
  return ids;
}

void LiveTournaments::Count(int64_t id, const std::vector<GameRecord>& games,
                            const ShardEntry* shard, bool completes, Time now) {
  LiveTournament& tournament = At(id);
  tournament.Count(games, now);
  if (completes) {
    tournament.set_state(TournamentState::kDone);
    if (tournament.stored().spec.tune) ended_.push_back(id);
  }
  Advance(tournament, now);
  if (shard == nullptr) return;
  tournament.CountShard(*shard);
  NoteRun(tournament);
}

void LiveTournaments::Advance(LiveTournament& tournament, Time now) {
  const int64_t id = tournament.stored().id;
  if (IsOver(tournament.stored().state)) return;
  if (!planning_.contains(id)) {
    std::vector<PlannedMatch> next = tournament.NextMatches();
    if (!next.empty()) {
      planning_.insert(id);
      batches_.push_back({.tournament = id, .matches = std::move(next)});
    }
  }
  if (const auto horizon = tournament.horizon()) book_.SetHorizon(id, *horizon);
  if (!tournament.is_decided() || !book_.Finish(id, now)) return;
  tournament.set_state(TournamentState::kDone);
  held_.Drop(id);
  ended_.push_back(id);
}

void LiveTournaments::Tick(Time now) {
  for (auto& [id, tournament] : tournaments_) {
    tournament.Tick(now);
    Advance(tournament, now);
  }
}

void LiveTournaments::OnBatchStored(const MatchBatch& batch, const absl::Status& status) {
  planning_.erase(batch.tournament);
  if (!status.ok()) return;  // Tick plans again
  LiveTournament& tournament = At(batch.tournament);
  tournament.AddMatches(batch.matches);
  book_.SetHorizon(batch.tournament, *tournament.horizon());
}

void LiveTournaments::OnEndStored(int64_t id, const absl::Status& status) {
  if (!status.ok() && !absl::IsFailedPrecondition(status) && Has(id)) ended_.push_back(id);
}

void LiveTournaments::NoteRun(const LiveTournament& tournament) {
  if (tournament.is_selfplay()) changed_runs_.insert(tournament.stored().id);
}

std::vector<int64_t> LiveTournaments::TakeChangedRuns() {
  const std::set<int64_t> runs = std::exchange(changed_runs_, {});
  return {runs.begin(), runs.end()};
}

}  // namespace triarch
