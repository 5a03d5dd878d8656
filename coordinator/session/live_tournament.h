// Holds a coordinator's data on one tournament apart from its leases: spec, points, shards.

#ifndef TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENT_H_
#define TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/sequential_test.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/session/leaderboard.h"
#include "coordinator/session/tournament_status.h"
#include "coordinator/store/stored.h"
#include "core/base/range_set.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"
#include "core/record/planned_match.h"

namespace triarch {

// What the recorded games of a tournament decided before this coordinator led. A sequential test
// and a plan have counted them, unless the tournament is done and nothing depends on its result.
struct EarlierResults {
  std::optional<experiments::SequentialTest> test = {};
  std::unique_ptr<experiments::Plan> plan = nullptr;
};

class LiveTournament {
 public:
  using Time = RateMeter::Time;

  LiveTournament(StoredTournament stored, const std::vector<ShardEntry>& shards,
                 EarlierResults earlier);

  const StoredTournament& stored() const { return stored_; }  // with the store's digests
  const std::string& spec_json() const { return spec_json_; }
  const std::string& label() const { return label_; }  // label of its metrics: "12 quickstart"
  // Whether audits can tell a false game.
  bool is_reproducible() const { return is_reproducible_; }
  bool is_selfplay() const { return stored_.spec.selfplay != nullptr; }
  // The first game that is not needed for now, if the results decide that.
  std::optional<int64_t> horizon() const;
  // Whether the results decide when the tournament ends.
  bool has_own_end() const { return test_ || plan_; }
  // Whether it has_own_end(), and the results so far are enough.
  bool is_decided() const;
  // Returns matches to plan now, or none. They count once they are stored and added.
  std::vector<PlannedMatch> NextMatches();
  void AddMatches(const std::vector<PlannedMatch>& matches) { plan_->Add(matches); }
  // Returns the tournament that follows when this one is decided: the test that confirms a tuning.
  std::optional<TournamentSpec> FollowUp() const;
  // Returns the planned matches that have games among these.
  std::vector<PlannedMatch> MatchesOf(const Range& games) const;
  // `build` is the digest of bots for which the store has none.
  TournamentNeeds Needs(const std::string& build) const;

  // Checks that the report has a shard if and only if it must. Otherwise fails with
  // InvalidArgument.
  absl::Status CheckShard(const Report& report) const;
  // Fills in the fields that a worker does not set.
  void CompleteShard(ShardEntry* shard) const;
  // Returns the digest of each bot, by its number.
  std::vector<std::string> BotDigests(const std::string& build) const;

  // Indices of reported games that are neither recorded nor given up yet.
  RangeSet& recording() { return recording_; }
  const RangeSet& recording() const { return recording_; }

  void set_precedence(const Precedence& precedence) { stored_.precedence = precedence; }
  // The number of audits whose answers are being judged.
  int64_t& auditing() { return auditing_; }
  int64_t auditing() const { return auditing_; }

  void set_state(TournamentState state) { stored_.state = state; }
  void set_bot_digests(const std::vector<std::string>& digests) { stored_.bot_digests = digests; }
  // Counts recorded games, and games that were recorded before this coordinator led.
  void Count(const std::vector<GameRecord>& games, Time now);
  void CountEarlier(const GameSummary& game);
  void CountShard(const ShardEntry& shard);
  // Lets the rate fall while no games are recorded.
  void Tick(Time now) { ply_rate_.Add(0, now); }

  // `view` comes from LeaseBook.
  TournamentCounts Counts(const LeaseBook::TournamentView& view) const;
  TournamentStatus Status(const LeaseBook::TournamentView& view) const;

 private:
  StoredTournament stored_;
  const std::string spec_json_;
  const std::string spec_digest_;  // for self-play
  const std::string label_;
  const bool is_reproducible_;
  Leaderboard leaderboard_;
  std::optional<experiments::SequentialTest> test_;
  std::unique_ptr<experiments::Plan> plan_;  // null unless IsPlanned
  RangeSet recording_;
  int64_t auditing_ = 0;
  int64_t plies_ = 0;  // recorded by this coordinator
  RateMeter ply_rate_{std::chrono::seconds(5)};
  int64_t shards_ = 0;
  int64_t samples_ = 0;
  int64_t sample_bytes_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENT_H_
