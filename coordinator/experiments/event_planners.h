// Plans Swiss events, knock-outs and leagues.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_PLANNERS_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_PLANNERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/experiments/knockout.h"
#include "coordinator/experiments/league.h"
#include "coordinator/experiments/planner.h"
#include "coordinator/experiments/swiss.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Plans a round when all matches of the round before are finished. The starting order is
// drawn by the seed of the spec.
class SwissPlanner : public Planner {
 public:
  SwissPlanner(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& match) override;
  std::vector<PlannedMatch> Next() override;
  bool is_over() const override { return std::ssize(event_.rounds) == rounds_; }
  PlanState State() const override;

  const SwissEvent& event() const { return event_; }  // with the finished rounds
  int64_t rounds() const { return rounds_; }

 private:
  SwissEvent event_;
  int64_t rounds_;
  size_t tables_;             // per round
  size_t planned_ = 0;        // matches
  RoundResult current_ = {};  // the finished matches of the round under way
};

// Plans the tables of a round, and further matches where bots are tied.
class KnockoutPlanner : public Planner {
 public:
  KnockoutPlanner(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& match) override;
  std::vector<PlannedMatch> Next() override;
  bool is_over() const override { return !state_.ranking.empty(); }
  PlanState State() const override;

  const Knockout& knockout() const { return knockout_; }
  const KnockoutState& state() const { return state_; }
  const std::vector<MatchResult>& results() const { return results_; }

 private:
  Knockout knockout_;
  std::vector<MatchResult> results_;
  size_t planned_ = 0;  // matches
  KnockoutState state_;
};

// Plans the matches of a season division by division, as often as the number of games allows; the
// results have no influence. The starting order is the order of the bots in the spec.
class LeaguePlanner : public Planner {
 public:
  LeaguePlanner(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& match) override;
  std::vector<PlannedMatch> Next() override;
  bool is_over() const override { return finished_ == matches_; }
  PlanState State() const override;

  size_t seats() const { return seats_; }
  int64_t finished() const { return finished_; }  // matches
  int64_t matches() const { return matches_; }    // of all cycles
  const std::vector<Division>& divisions() const { return divisions_; }
  // The finished matches of each division, as one round.
  const std::vector<RoundResult>& results() const { return results_; }

 private:
  struct Place {
    size_t division = 0;
    int64_t match = 0;  // of its season
  };

  Place PlaceOf(int64_t number) const;

  size_t seats_;
  std::vector<Division> divisions_;
  std::vector<RoundResult> results_;
  int64_t season_ = 0;  // its matches
  int64_t matches_;     // of all cycles
  int64_t planned_ = 0;
  int64_t finished_ = 0;
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_PLANNERS_H_
