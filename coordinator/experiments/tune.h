// Plans the games in which a bot's options are tuned by SPSA.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/experiments/planner.h"
#include "coordinator/experiments/spsa.h"
#include "core/record/game_spec.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// The bots of a tuning: the copies with the options plus and minus the perturbation.
inline constexpr int kPlusCopy = 0;
inline constexpr int kMinusCopy = 1;

// Each iteration is one unit of the mirror: a match of `plus` against two of `minus`, and one of
// `minus` against two of `plus`; with two seats, one match. The options of a match are the values
// that were played. The results are applied along SPSA's own directions, so rounded values do no
// harm.
class Tune : public Planner {
 public:
  // Requires: spec.tune is set, and Schedule::Make accepts the spec.
  Tune(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& match) override;
  std::vector<PlannedMatch> Next() override;
  bool is_over() const override { return spsa_.applied() == spsa_.iterations(); }
  PlanState State() const override;

  // Returns "1200 of 5000 iterations".
  std::string Progress() const;
  const Spsa& spsa() const { return spsa_; }
  const std::vector<TunedOption>& options() const { return options_; }
  // Returns how many steps a value of an option lies above its start.
  double StepsFromStart(size_t option, double value) const;

 private:
  int64_t MatchesPerIteration() const { return seats_ == 2 ? 1 : 2; }
  void PlanIteration(int64_t iteration, std::vector<PlannedMatch>* matches) const;

  const std::vector<TunedOption> options_;
  const size_t seats_;
  Spsa spsa_;
  int64_t planned_ = 0;   // matches
  int64_t finished_ = 0;  // matches
  double result_ = 0;     // of the finished matches of the iteration under way
};

// Returns TuneSpec::rate or, if that is 0, the rate for this number of games: 0.008 up to 30 000,
// 0.002 from 100 000 on.
double FinalRate(const TournamentSpec& spec);

// Return the bot with the start values, and with the result: the means of Spsa::Mean(), to at least
// a tenth of a step. Their names are "smart" and "smart-tuned".
BotSpec BotAtStart(const TournamentSpec& spec);
BotSpec TunedBot(const TournamentSpec& spec, const Tune& tune);

// Whether the result is the start, so that there is nothing to confirm.
bool IsUnchanged(const TournamentSpec& spec, const Tune& tune);

// Returns the test of the tuned bot against the bot with the start values, with another seed and
// therefore other openings. The values of a tuning alone are no evidence.
TournamentSpec ConfirmingTest(const TournamentSpec& spec, const Tune& tune);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_H_
