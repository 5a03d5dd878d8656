// Decides from the games of two bots whether the new one is stronger.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SEQUENTIAL_TEST_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SEQUENTIAL_TEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordinator/experiments/log_likelihood_ratio.h"
#include "coordinator/experiments/score_curve.h"
#include "coordinator/experiments/stopped_walk.h"
#include "coordinator/experiments/test_state.h"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/standings.h"
#include "core/game/outcome.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// How a bot did. In a mirror with three seats, only the games count in which it sat alone.
struct TestSide {
  int bot = 0;
  int64_t games = 0;
  // Sums over these games. Those who share a place count in equal parts.
  double points = 0;
  double firsts = 0;
  double lasts = 0;
  // Points per game, with the standard error from the units.
  ratings::Estimate points_per_game;
  Faults faults;  // in all games
};

struct TestDetails {
  std::vector<TestSide> sides;  // the new bot, the base, then the bots of the pool
  // Units by score, in five equal bins from -1/2 to 1/2.
  std::array<int64_t, 5> bins = {};
  // In a mirror with three seats, how many standard errors lie between the two halves.
  std::optional<double> halves_z;
};

// A generalized sequential probability ratio test. Counts the longest run of complete units from
// the first, so the verdict is a function of the games and not of the order in which they arrive:
// short games arrive first and are no random sample. Looks after every unit from the
// kTestUnitsMin-th.
//
// The expected scores under the hypotheses come from the ratings of the first 20, 40, 80, … units.
class SequentialTest {
 public:
  // Requires: spec.test is set, and Schedule::Make accepts the spec. The test ends after
  // spec.games games.
  SequentialTest(const TournamentSpec& spec, size_t seats);

  // Adds a finished game. A game that was added before changes nothing.
  void Add(const GameSummary& game) { Add(game.index, game.outcome, game.endings); }
  void Add(const GameRecord& game) { Add(game.index, game.outcome, game.endings); }

  Verdict verdict() const { return verdict_; }
  // Returns the first game that is not worth playing for now: well beyond the expected end, or, at
  // the start, beyond the first look. Games beyond a gap would not decide anything.
  int64_t horizon() const;
  // Cheap after the verdict, too.
  TestState State() const { return end_ ? *end_ : CurrentState(); }
  TestDetails Details() const;
  const TestSpec& test() const { return test_; }
  size_t seats() const { return seats_; }

 private:
  struct Game {
    PerSeat<uint8_t> place;
    PerSeat<std::optional<Termination>> endings;
  };
  struct Unit {
    std::array<std::optional<Game>, 6> games;
    int64_t count = 0;
  };
  struct SideSums {
    TestSide side;
    ScoreSums per_unit;  // points per game of each unit
  };

  void Add(int64_t index, const Outcome& outcome,
           const PerSeat<std::optional<Termination>>& endings);
  void CountUnit(const Unit& unit);
  void CountGame(int64_t index, const PerSeat<int>& bots, const Game& game);
  // Counts the unit's games for a bot.
  void CountSide(const Unit& unit, SideSums& sums) const;
  bool CountsFor(int bot, const PerSeat<int>& bots) const;
  PerSeat<int> BotsOf(int64_t index) const;
  // Decides whether the test ends after the unit that was counted last.
  void Look();
  // Fits the expected scores to the games so far.
  void Refit();
  double Ratio() const;
  Hypotheses ExpectedScores() const;
  TestState CurrentState() const;
  // Returns the hypotheses on the expected score of a unit.
  Hypotheses CurrentScores() const;
  IntervalEstimate PlainMean() const;
  bool IsDecided() const;

  const TestSpec test_;
  const size_t seats_;
  const int64_t bots_;
  const int64_t games_per_unit_;
  const int64_t units_max_;
  const Bounds bounds_;
  std::map<int64_t, Unit> waiting_;              // units beyond the prefix
  std::optional<ratings::GameCounter> counter_;  // until there is a verdict
  ScoreCurve curve_;
  Hypotheses scores_;  // expected of a unit by the curve; unused for normalized Elo
  ScoreSums sums_;
  double llr_ = 0;
  Verdict verdict_ = Verdict::kUnderWay;
  std::optional<TestState> end_;  // once there is a verdict
  std::vector<SideSums> sides_;
  std::array<int64_t, 5> bins_ = {};
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SEQUENTIAL_TEST_H_
