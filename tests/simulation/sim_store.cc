#include "tests/simulation/sim_store.h"

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

absl::Status SimStore::Record(uint64_t epoch, int64_t id, const std::string& digest,
                              std::span<const GameRecord> records) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  const bool is_unknown = !world_.is_calm() && world_.Chance(world_.settings().unknown_share);
  if (is_unknown) ++world_.tally().unknown_commits;
  if (is_unknown && world_.Chance(0.5)) return absl::UnavailableError("the connection was lost");
  Tournament& tournament = tournaments_.at(id);
  if (tournament.digest.empty()) tournament.digest = digest;
  for (const GameRecord& record : records) Insert(id, tournament, record);
  const bool is_open =
      tournament.state == TournamentState::kActive || tournament.state == TournamentState::kPaused;
  if (is_open && tournament.done.size() == tournament.games) {
    tournament.state = TournamentState::kDone;
  }
  if (is_unknown) return absl::UnavailableError("the connection was lost");
  return absl::OkStatus();
}

void SimStore::Insert(int64_t id, Tournament& tournament, const GameRecord& record) {
  world_.Expect(Range{0, tournament.games}.contains(record.index), "a game of no tournament");
  world_.Expect(IsTrue(id, record), "a false game is recorded");
  world_.Expect(record.event == tournament.digest, "a game of other bots is recorded");
  if (tournament.done.Add({record.index, record.index + 1}) == 0) return;
  world_.Expect(tournament.state != TournamentState::kDone, "a finished tournament gets a game");
  AddPoints(record, tournament.points);
  ++world_.tally().games_recorded;
}

absl::Status SimStore::SetState(uint64_t epoch, int64_t id, TournamentState state) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  Tournament& tournament = tournaments_.at(id);
  if (tournament.state == TournamentState::kDone ||
      tournament.state == TournamentState::kCancelled) {
    return absl::InvalidArgumentError("it is over");
  }
  tournament.state = state;
  return absl::OkStatus();
}

absl::Status SimStore::SaveLeases(uint64_t epoch, const std::vector<LeaseRow>& live,
                                  const std::vector<uint64_t>& ended) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  for (const LeaseRow& row : live) {
    leases_[row.lease.token] = row;
    Tournament& tournament = tournaments_.at(row.lease.tournament);
    if (tournament.digest.empty()) tournament.digest = row.digest;
  }
  for (const uint64_t token : ended) leases_.erase(token);
  return absl::OkStatus();
}

absl::Status SimStore::Quarantine(uint64_t epoch, const std::string& worker,
                                  const std::string& why) {
  RETURN_IF_ERROR(CheckLeads(epoch));
  quarantine_[worker] = why;
  return absl::OkStatus();
}

}  // namespace triarch::simulation
