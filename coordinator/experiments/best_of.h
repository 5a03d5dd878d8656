// Finds the best of several variants of a bot by playing most with those that may be the best.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/experiments/log_likelihood_ratio.h"
#include "coordinator/experiments/planner.h"
#include "coordinator/experiments/score_curve.h"
#include "coordinator/experiments/stopped_walk.h"
#include "coordinator/experiments/test_state.h"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/standings.h"
#include "core/base/random.h"
#include "core/record/best_of_spec.h"
#include "core/record/planned_match.h"
#include "core/record/test_spec.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

enum class VariantState : uint8_t { kLeft, kPassed, kDroppedOut };
// "left", "passed", "dropped_out"
std::string_view ToString(VariantState state);

// How a bot did. Of a variant, only games before it passed or dropped out count.
struct VariantResult {
  int bot = 0;
  VariantState state = VariantState::kLeft;
  int64_t games = 0;
  int64_t units = 0;
  double llr = 0;
  // How much stronger it is than the base, not adjusted for looking; empty without units.
  std::optional<ratings::Estimate> elo = {};
  Faults faults = {};
};

// A sequential test of each variant against the base, where the results so far decide who plays
// next (Thompson sampling). Each variant has its own log-likelihood ratio, from its own units, and
// is tested at alpha / k. So the probability that any of k variants passes is at most alpha,
// however the games are chosen.
//
// A unit of a variant, by table:
//
//   two variants and the base: a match in all six seatings is a unit of both variants
//   with one variant left, the mirror of a test: a match of the variant against two of the base,
//     then one of the base against two of the variant
//   two seats: a match with both colours
//
// Matches are planned in picks. The first picks give each variant ten units. Later ones draw a
// strength for each variant left from what is known of it, and seat those with the largest for four
// units. Pick n depends only on the results of the picks before n - max(4, n / 10), so many games
// can be played at once, and which results come first changes nothing.
//
// The expected scores under the hypotheses come from one curve for all variants, by the ratings of
// the first 20, 40, 80, … units. No variant passes or drops out before its 20th unit.
class BestOf : public Planner {
 public:
  // Requires: spec.best_of is set, and Schedule::Make accepts the spec.
  BestOf(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& finished) override;
  std::vector<PlannedMatch> Next() override;
  bool is_over() const override { return best_.has_value() || left_ == 0; }
  PlanState State() const override;

  // kBetter if a variant passed, kNotShown if all dropped out, and kUndecided if the spec's number
  // of games allows no further match.
  Verdict verdict() const;
  // The variant that passed.
  const std::optional<int>& best() const { return best_; }
  int64_t left() const { return left_; }
  const Bounds& bounds() const { return bounds_; }
  // The games that count: those of the matches up to the end, or up to the first that is missing.
  int64_t games() const { return base_.games; }
  // The base, without a ratio.
  const VariantResult& base() const { return base_; }
  // The variants in the order of the spec.
  std::vector<VariantResult> Variants() const;

 private:
  enum FieldKind : uint8_t { kShared, kMirror };
  // The games of one kind of units. A variant plays as the new bot of a test.
  struct Field {
    TestSpec test;
    ScoreCurve curve;
    Hypotheses scores = {};  // expected of a unit by the curve
  };
  struct Variant {
    VariantResult result;
    std::array<ScoreSums, 2> sums = {};  // by kind
  };

  static Field MakeField(TestField field, size_t seats);
  Variant& VariantOf(int bot) { return variants_[static_cast<size_t>(bot) - 1]; }
  bool IsLeft(int bot) { return VariantOf(bot).result.state == VariantState::kLeft; }
  // Counts the games of a match for the curves.
  void CountForCurves(const FinishedMatch& finished);
  // Counts a match for the variants at its table.
  void CountForVariants(const FinishedMatch& finished);
  void AddUnit(int bot, FieldKind kind, double score);
  // Decides, after a unit, which variants pass or drop out.
  void Look();
  void Refit();
  void SetScores();
  double RatioOf(const Variant& variant) const;
  ratings::Estimate EloOf(const Variant& variant) const;
  // Draws a strength in Elo from what is known of a variant.
  double DrawElo(const Variant& variant, Random& random) const;

  // Adds the picks that depend only on results that are known.
  void AddPicks();
  std::vector<Table> TablesOf(int64_t pick) const;
  std::vector<Table> DrawTables(int64_t pick) const;
  // Returns the table of a match that gives the variants their first units.
  Table FirstTable(int64_t match) const;

  const BestOfSpec asked_;
  const std::vector<std::string> names_;
  const uint64_t seed_;
  const size_t seats_;
  const int64_t games_max_;
  const Bounds bounds_;
  const int64_t first_matches_;  // that give the variants their first units
  std::array<Field, 2> fields_;  // by kind
  ratings::GameCounter counter_;
  VariantResult base_;
  std::vector<Variant> variants_;
  int64_t left_;
  std::optional<int> best_;
  // The mean score of a variant alone against two of the base, until the other half of the unit
  // is finished.
  std::optional<double> half_;
  int64_t units_ = 0;               // a match of two variants is one
  std::vector<Table> tables_;       // of all picks so far
  std::vector<int64_t> pick_ends_;  // the number of tables up to the end of each pick
  int64_t picks_finished_ = 0;
  int64_t planned_ = 0;   // matches
  int64_t finished_ = 0;  // matches
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_H_
