#include "tests/simulation/sim_store.h"

#include <memory>

#include "core/base/status_macros.h"

namespace triarch::simulation {

std::optional<uint64_t> SimStore::TryLead(int node) {
  if (is_away() || (leader_ && *leader_ != node)) return std::nullopt;
  leader_ = node;
  return ++epoch_;
}

void SimStore::StepDown(int node) {
  if (leader_ == node) leader_.reset();
}

absl::Status SimStore::CheckLeads(uint64_t epoch) const {
  if (is_away()) return absl::UnavailableError("the store is away");
  if (epoch != epoch_) return absl::FailedPreconditionError("another coordinator leads");
  return absl::OkStatus();
}

StoredTournament SimStore::Stored(int64_t id) const {
  const Tournament& tournament = tournaments_.at(id);
  StoredTournament stored;
  stored.id = id;
  stored.spec.name = "simulated";
  stored.spec.game = kGame;
  stored.spec.games = tournament.games;
  for (const std::string_view name : kBotNames) {
    stored.spec.bots.push_back({.name = std::string(name), .bot = "bot"});
    stored.bot_digests.push_back(tournament.digest);
  }
  if (tournament.rounds > 0) stored.spec.format = Format::kSwiss;
  stored.spec.format_options.swiss_rounds = tournament.rounds;
  if (tournament.is_selfplay) stored.spec.selfplay = std::make_shared<const SelfplaySpec>();
  stored.state = tournament.state;
  stored.precedence = tournament.precedence;
  stored.games_recorded = tournament.done.size();
  return stored;
}

std::vector<ShardEntry> SimStore::Shards(int64_t tournament) const {
  std::vector<ShardEntry> shards;
  for (const auto& [name, shard] : tournaments_.at(tournament).shards) shards.push_back(shard);
  return shards;
}

std::vector<StoredLease> SimStore::LiveLeases() const {
  std::vector<StoredLease> leases;
  for (const auto& [token, lease] : leases_) leases.push_back(lease);
  return leases;
}

std::vector<StoredWorker> SimStore::Workers() const {
  std::vector<StoredWorker> workers;
  for (const auto& [name, why] : quarantine_) {
    workers.push_back({.name = name, .slots = 1, .build = "", .quarantine = why});
  }
  return workers;
}

absl::Status SimStore::Record(uint64_t epoch, const std::vector<RecordBatch>& batches) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  const int64_t id = batches.front().tournament;
  Tournament& tournament = tournaments_.at(id);
  // A separate transaction before the games.
  for (const RecordBatch& batch : batches) {
    if (!batch.bot_digests.empty() && tournament.digest.empty()) {
      tournament.digest = batch.bot_digests.front();
    }
  }
  const bool is_unknown = !world_.is_calm() && world_.Chance(world_.settings().unknown_share);
  if (is_unknown) ++world_.tally().unknown_commits;
  if (is_unknown && world_.Chance(0.5)) return absl::UnavailableError("the connection was lost");
  if (batches.front().held) {
    for (const RecordBatch& batch : batches) {
      held_.emplace(batch.held->id, HeldGames{*batch.held, batch.games, batch.shard});
    }
    return is_unknown ? absl::UnavailableError("the connection was lost") : absl::OkStatus();
  }
  if (const std::optional<ShardEntry>& shard = batches.front().shard) {
    world_.Expect(batches.size() == 1, "a shard shares a transaction");
    if (tournament.shards.contains(shard->shard)) return absl::OkStatus();
    for (const GameRecord& record : batches.front().games) {
      if (!tournament.done.contains(record.index)) continue;
      return absl::AlreadyExistsError("games are recorded already, without the shard");
    }
    tournament.shards[shard->shard] = *shard;
  }
  Commit(id, tournament, batches);
  return is_unknown ? absl::UnavailableError("the connection was lost") : absl::OkStatus();
}

void SimStore::Commit(int64_t id, Tournament& tournament, const std::vector<RecordBatch>& batches) {
  for (const RecordBatch& batch : batches) {
    world_.Expect(batch.tournament == id, "a transaction has games of two tournaments");
    world_.Expect(batch.shard.has_value() == tournament.is_selfplay,
                  "games of self-play without a shard, or others with one");
    for (const GameRecord& record : batch.games) Insert(id, tournament, record);
  }
  const bool is_open =
      tournament.state == TournamentState::kActive || tournament.state == TournamentState::kPaused;
  if (is_open && tournament.done.size() == tournament.games) {
    tournament.state = TournamentState::kDone;
  }
}

void SimStore::Insert(int64_t id, Tournament& tournament, const GameRecord& record) {
  world_.Expect(Range{0, tournament.games}.contains(record.index),
                "a game belongs to no tournament");
  const PlannedMatch* const match = FindMatch(tournament.matches, record.index);
  world_.Expect((match != nullptr) == (tournament.rounds > 0), "a game has no planned match");
  world_.Expect(IsTrue(id, record, match), "a false game is recorded");
  world_.Expect(record.costs[Seat::kFirst].nodes == 0, "a forged game counts");
  world_.Expect(record.event == tournament.digest, "a game of other bots is recorded");
  if (tournament.done.Add({record.index, record.index + 1}) == 0) return;
  world_.Expect(tournament.state != TournamentState::kDone, "a finished tournament gets a game");
  AddPoints(record, tournament.points);
  ++world_.tally().games_recorded;
}

std::vector<StoredReport> SimStore::HeldReports() const {
  std::vector<StoredReport> reports;
  for (const auto& [id, held] : held_) reports.push_back(held.report);
  return reports;
}

std::vector<StoredAuditCount> SimStore::AuditCounts() const {
  std::vector<StoredAuditCount> counts;
  for (const StoredAudit& one : audits_) {
    counts.push_back({one.tournament, one.worker, one.owner, one.outcome, 1});
  }
  return counts;
}

absl::StatusOr<SimStore::HeldGames> SimStore::HeldReport(int64_t id) const {
  if (is_away()) return absl::UnavailableError("the store is away");
  const auto held = held_.find(id);
  if (held == held_.end()) return absl::NotFoundError("the report is not held");
  return held->second;
}

absl::Status SimStore::DropReports(uint64_t epoch, const std::vector<int64_t>& ids) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  for (const int64_t id : ids) held_.erase(id);
  return absl::OkStatus();
}

absl::Status SimStore::AddAudits(uint64_t epoch, const std::vector<StoredAudit>& audits) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  audits_.insert(audits_.end(), audits.begin(), audits.end());
  return absl::OkStatus();
}

absl::Status SimStore::AddMatches(uint64_t epoch, int64_t id,
                                  const std::vector<PlannedMatch>& matches) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  std::vector<PlannedMatch>& there = tournaments_.at(id).matches;
  const bool is_unknown = !world_.is_calm() && world_.Chance(world_.settings().unknown_share);
  if (is_unknown && world_.Chance(0.5)) return absl::UnavailableError("the connection was lost");
  for (const PlannedMatch& match : matches) {
    const auto number = static_cast<size_t>(match.number);
    if (number == there.size()) there.push_back(match);
    world_.Expect(number < there.size() && there[number] == match,
                  "two coordinators plan different matches");
  }
  return is_unknown ? absl::UnavailableError("the connection was lost") : absl::OkStatus();
}

absl::Status SimStore::SetState(uint64_t epoch, int64_t id, TournamentState state) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  Tournament& tournament = tournaments_.at(id);
  if (tournament.state == TournamentState::kDone) {
    return absl::InvalidArgumentError("the tournament is done");
  }
  tournament.state = state;
  return absl::OkStatus();
}

absl::Status SimStore::SetPrecedence(uint64_t epoch, int64_t id, const Precedence& precedence) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  tournaments_.at(id).precedence = precedence;
  return absl::OkStatus();
}

absl::Status SimStore::SaveWorkers(uint64_t epoch, const std::vector<StoredWorker>& workers) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  for (const StoredWorker& worker : workers) {
    if (worker.quarantine.empty()) {
      world_.Expect(!IsQuarantined(worker.name), "a quarantine is overwritten");
      quarantine_.erase(worker.name);
    } else if (quarantine_.emplace(worker.name, worker.quarantine).second) {
      ++world_.tally().quarantined;
    }
  }
  return absl::OkStatus();
}

absl::Status SimStore::SaveLeases(uint64_t epoch, const std::vector<StoredLease>& leases) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  // Nothing may depend on stored leases.
  if (!world_.settings().keeps_lease_rows && world_.Chance(0.5)) return absl::OkStatus();
  for (const StoredLease& lease : leases) {
    if (lease.ended.empty()) {
      leases_[lease.lease.token] = lease;
    } else {
      leases_.erase(lease.lease.token);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SimStore::BundleTar(const std::string& digest) const {
  if (is_away()) return absl::UnavailableError("the store is away");
  const auto bundle = bundles_.find(digest);
  if (bundle == bundles_.end()) return absl::NotFoundError("there is no bundle " + digest);
  return bundle->second;
}

}  // namespace triarch::simulation
