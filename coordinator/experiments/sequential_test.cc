#include "coordinator/experiments/sequential_test.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

// Normalized Elo of a difference of one standard deviation of the score of a game.
constexpr double kNormalizedEloPerDeviation = 2 * ratings::kEloPerNatural;

// Returns the variance of a side's points per game in a unit, for equal bots without ties: 1/6 for
// a game of three, over the games of a match.
double PriorVarianceOfSide(const TestSpec& test, size_t seats) {
  if (seats == 2) return PriorVariance(test, seats);
  return test.field == TestField::kPool ? 1.0 / 36 : 1.0 / 18;
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kWords = {"under_way", "better", "not_shown",
                                                      "undecided"};
  return kWords[static_cast<size_t>(verdict)];
}

SequentialTest::SequentialTest(const TournamentSpec& spec, size_t seats)
    : test_(*spec.test),
      seats_(seats),
      bots_(static_cast<int64_t>(spec.bots.size())),
      games_per_unit_(GamesPerTestUnit(seats)),
      units_max_(spec.games / games_per_unit_),
      bounds_(WaldBounds(test_.alpha, test_.beta)),
      counter_(std::in_place, spec.bots.size(), seats),
      curve_(test_, seats) {
  sums_.prior_variance = PriorVariance(test_, seats);
  for (int bot = 0; bot < bots_; ++bot) {
    SideSums& sums = sides_.emplace_back();
    sums.side.bot = bot;
    sums.per_unit.prior_variance = PriorVarianceOfSide(test_, seats);
  }
  scores_ = ExpectedScores();
}

// ---- Counting.

PerSeat<int> SequentialTest::BotsOf(int64_t index) const {
  return SeatTestBots(test_.field, bots_, seats_, index);
}

void SequentialTest::Add(int64_t index, const Outcome& outcome,
                         const PerSeat<std::optional<Termination>>& endings) {
  const int64_t number = index / games_per_unit_;
  if (verdict_ != Verdict::kUnderWay || number < sums_.units || number >= units_max_) return;
  Unit& unit = waiting_[number];
  std::optional<Game>& game = unit.games[static_cast<size_t>(index % games_per_unit_)];
  if (game) return;
  game = {.place = outcome.place, .endings = endings};
  ++unit.count;
  while (verdict_ == Verdict::kUnderWay && !waiting_.empty()) {
    const auto next = waiting_.begin();
    if (next->first != sums_.units || next->second.count < games_per_unit_) break;
    CountUnit(next->second);
    waiting_.erase(next);
    Look();
  }
}

void SequentialTest::CountUnit(const Unit& unit) {
  const int64_t first = sums_.units * games_per_unit_;
  double sum = 0;
  for (int64_t i = 0; i < games_per_unit_; ++i) {
    const Game& game = *unit.games[static_cast<size_t>(i)];
    const PerSeat<int> bots = BotsOf(first + i);
    sum += UnitScoreOf(test_, bots, game.place, seats_);
    CountGame(first + i, bots, game);
  }
  for (SideSums& sums : sides_) CountSide(unit, sums);
  const double score = sum / static_cast<double>(games_per_unit_);
  ++bins_[static_cast<size_t>(std::clamp((score + 0.5) * 5, 0.0, 4.0))];
  sums_.Add(score);
}

void SequentialTest::CountGame(int64_t index, const PerSeat<int>& bots, const Game& game) {
  GameSummary summary;
  summary.index = index;
  summary.match = index;  // the errors of ratings, for which blocks matter, are not used
  summary.bots = bots;
  summary.outcome.place = game.place;
  CHECK(counter_->Add(summary).ok());
  for (size_t seat = 0; seat < seats_; ++seat) {
    const int bot = bots[SeatAt(seat)];
    sides_[static_cast<size_t>(bot)].side.faults.Count(game.endings[SeatAt(seat)]);
  }
}

bool SequentialTest::CountsFor(int bot, const PerSeat<int>& bots) const {
  return std::count(bots.begin(), bots.begin() + static_cast<ptrdiff_t>(seats_), bot) == 1;
}

void SequentialTest::CountSide(const Unit& unit, SideSums& sums) const {
  const int64_t first = sums_.units * games_per_unit_;
  TestSide& side = sums.side;
  const double points_before = side.points;
  const int64_t games_before = side.games;
  for (int64_t i = 0; i < games_per_unit_; ++i) {
    const PerSeat<int> bots = BotsOf(first + i);
    if (!CountsFor(side.bot, bots)) continue;
    const PerSeat<uint8_t>& place = unit.games[static_cast<size_t>(i)]->place;
    const auto seat =
        static_cast<size_t>(std::find(bots.begin(), bots.end(), side.bot) - bots.begin());
    const auto end = place.begin() + static_cast<ptrdiff_t>(seats_);
    ++side.games;
    side.points += Points(place, seats_)[SeatAt(seat)];
    side.firsts += PartOf(place, seats_, seat, 1);
    side.lasts += PartOf(place, seats_, seat, *std::max_element(place.begin(), end));
  }
  if (side.games == games_before) return;
  sums.per_unit.Add((side.points - points_before) / static_cast<double>(side.games - games_before));
}

// ---- Deciding.

void SequentialTest::Look() {
  const int64_t units = sums_.units;
  if (IsFitDue(units)) Refit();
  llr_ = Ratio();
  if (units >= kTestUnitsMin && llr_ >= bounds_.upper) {
    verdict_ = Verdict::kBetter;
  } else if (units >= kTestUnitsMin && llr_ <= bounds_.lower) {
    verdict_ = Verdict::kNotShown;
  } else if (units == units_max_) {
    verdict_ = Verdict::kUndecided;
  }
  if (verdict_ == Verdict::kUnderWay) return;
  waiting_.clear();
  counter_.reset();
  end_ = CurrentState();
}

void SequentialTest::Refit() {
  const absl::StatusOr<ratings::GameCounts> counts = counter_->Counts();
  CHECK(counts.ok());
  const absl::StatusOr<ScoreCurve> curve = ScoreCurve::Fit(test_, *counts);
  CHECK(curve.ok());
  curve_ = *curve;
  scores_ = ExpectedScores();
}

Hypotheses SequentialTest::ExpectedScores() const {
  return {.h0 = curve_.Score(test_.elo[0]), .h1 = curve_.Score(test_.elo[1])};
}

double SequentialTest::Ratio() const {
  if (!test_.is_normalized()) return LogLikelihoodRatio(sums_, scores_);
  const double per_elo =
      std::sqrt(static_cast<double>(games_per_unit_)) / kNormalizedEloPerDeviation;
  return NormalizedLogLikelihoodRatio(
      sums_, {.h0 = test_.nelo[0] * per_elo, .h1 = test_.nelo[1] * per_elo});
}

int64_t SequentialTest::horizon() const {
  const TestState state = State();
  const int64_t ahead = std::max(kTestUnitsMin * games_per_unit_, 2 * state.games_left.value_or(0));
  return state.games + ahead;
}

// ---- Reporting.

bool SequentialTest::IsDecided() const {
  return verdict_ == Verdict::kBetter || verdict_ == Verdict::kNotShown;
}

IntervalEstimate SequentialTest::PlainMean() const {
  const double margin =
      ratings::kDeviates95 * std::sqrt(sums_.variance() / static_cast<double>(sums_.units));
  return {.low = sums_.mean() - margin, .value = sums_.mean(), .high = sums_.mean() + margin};
}

Hypotheses SequentialTest::CurrentScores() const {
  if (!test_.is_normalized()) return scores_;
  const double per_elo = std::sqrt(sums_.variance() * static_cast<double>(games_per_unit_)) /
                         kNormalizedEloPerDeviation;
  return {.h0 = test_.nelo[0] * per_elo, .h1 = test_.nelo[1] * per_elo};
}

TestState SequentialTest::CurrentState() const {
  TestState state = {.verdict = verdict_,
                     .units = sums_.units,
                     .games = sums_.units * games_per_unit_,
                     .llr = llr_,
                     .bounds = bounds_};
  if (sums_.units == 0) return state;
  const Hypotheses scores = CurrentScores();
  IntervalEstimate estimate = PlainMean();
  state.is_adjusted = IsDecided() && sums_.units > kTestUnitsMin;
  if (state.is_adjusted) {
    Bounds reached = bounds_;
    (verdict_ == Verdict::kBetter ? reached.upper : reached.lower) = llr_;
    estimate = EstimateAfterStop(verdict_ == Verdict::kBetter, reached, sums_, scores);
  }
  state.elo = {.low = curve_.Elo(estimate.low),
               .value = curve_.Elo(estimate.value),
               .high = curve_.Elo(estimate.high)};
  if (verdict_ != Verdict::kUnderWay || sums_.units < kTestUnitsMin) return state;
  const Walk walk = WalkOf(sums_.mean(), sums_.variance(), scores);
  const Bounds left = {.lower = bounds_.lower - llr_, .upper = bounds_.upper - llr_};
  const double units =
      std::min(ExpectedUnits(walk, left), static_cast<double>(units_max_ - sums_.units));
  state.games_left = games_per_unit_ * std::max<int64_t>(1, std::llround(units));
  return state;
}

TestDetails SequentialTest::Details() const {
  TestDetails details;
  details.bins = bins_;
  for (const SideSums& sums : sides_) {
    TestSide& side = details.sides.emplace_back(sums.side);
    if (side.games == 0) continue;
    side.points_per_game = {
        .value = sums.per_unit.mean(),
        .error = std::sqrt(sums.per_unit.variance() / static_cast<double>(sums.per_unit.units))};
  }
  if (seats_ == 2 || test_.field == TestField::kPool || sums_.units == 0) return details;
  const ratings::Estimate& with_new = details.sides[kNewBot].points_per_game;
  const ratings::Estimate& with_base = details.sides[kBaseBot].points_per_game;
  const double halves = (with_new.value - 0.5) - (0.5 - with_base.value);
  details.halves_z = halves / std::hypot(with_new.error, with_base.error);
  return details;
}

}  // namespace triarch::experiments
