#include "coordinator/experiments/best_of.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/normal.h"
#include "core/base/random.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

constexpr int kBase = 0;
constexpr int64_t kFirstUnits = 10;   // of each variant, before strengths decide
constexpr int64_t kUnitsPerPick = 4;  // also the number of matches in each of the first picks
constexpr uint64_t kPickSeeds = 4;    // apart from the seeds of core/schedule

// Returns how many picks before this one it does not depend on.
int64_t LagOf(int64_t pick) { return std::max<int64_t>(4, pick / 10); }

Bounds BoundsOf(const BestOfSpec& asked, size_t variants) {
  return {.lower = std::log(asked.beta),
          .upper = std::log((1 - asked.beta) * static_cast<double>(variants) / asked.alpha)};
}

std::vector<std::string> NamesOfBots(const TournamentSpec& spec) {
  std::vector<std::string> names;
  for (const BotSpec& bot : spec.bots) names.push_back(bot.name);
  return names;
}

int64_t FirstMatches(int64_t variants, size_t seats) {
  if (seats == 2) return kFirstUnits * variants;
  return variants == 1 ? 0 : kFirstUnits * variants / 2;
}

// Returns the numbers of a test for the bots: of this variant the new bot, and of another variant
// the third.
PerSeat<int> AsTestBots(const PerSeat<int>& bots, int variant, size_t seats) {
  PerSeat<int> renumbered{};
  for (size_t i = 0; i < seats; ++i) {
    const int bot = bots[SeatAt(i)];
    renumbered[SeatAt(i)] = bot == variant ? kNewBot : bot == kBase ? kBaseBot : kBaseBot + 1;
  }
  return renumbered;
}

// Returns the mean score of a variant's games.
double MeanScore(const FinishedMatch& finished, const TestSpec& test, int variant) {
  const size_t seats = finished.match.bots.size();
  double sum = 0;
  for (const GameSummary& game : finished.games) {
    sum += UnitScoreOf(test, AsTestBots(game.bots, variant, seats), game.outcome.place, seats);
  }
  return sum / static_cast<double>(finished.games.size());
}

// Returns the variants at a table, each once.
std::vector<int> VariantsAt(const Table& table) {
  std::vector<int> variants;
  for (const int bot : table) {
    const bool is_new = std::find(variants.begin(), variants.end(), bot) == variants.end();
    if (bot != kBase && is_new) variants.push_back(bot);
  }
  return variants;
}

// Counts the games and faults of a bot in a match.
void CountGames(const FinishedMatch& finished, VariantResult* result) {
  const size_t seats = finished.match.bots.size();
  result->games += std::ssize(finished.games);
  for (const GameSummary& game : finished.games) {
    for (size_t i = 0; i < seats; ++i) {
      if (game.bots[SeatAt(i)] == result->bot) result->faults.Count(game.endings[SeatAt(i)]);
    }
  }
}

}  // namespace

std::string_view ToString(VariantState state) {
  constexpr std::array<std::string_view, 3> kWords = {"left", "passed", "dropped_out"};
  return kWords[static_cast<size_t>(state)];
}

BestOf::BestOf(const TournamentSpec& spec, size_t seats)
    : asked_(*spec.best_of),
      names_(NamesOfBots(spec)),
      seed_(spec.seed),
      seats_(seats),
      games_max_(spec.games),
      bounds_(BoundsOf(asked_, spec.bots.size() - 1)),
      first_matches_(FirstMatches(std::ssize(spec.bots) - 1, seats)),
      fields_{MakeField(seats == 3 ? TestField::kPool : TestField::kMirror, seats),
              MakeField(TestField::kMirror, seats)},
      counter_(seats, seats),
      left_(std::ssize(spec.bots) - 1) {
  for (int bot = 1; bot <= left_; ++bot) {
    Variant& variant = variants_.emplace_back();
    variant.result.bot = bot;
    for (const FieldKind kind : {kShared, kMirror}) {
      variant.sums[kind].prior_variance = PriorVariance(fields_[kind].test, seats);
    }
  }
  SetScores();
  AddPicks();
}

BestOf::Field BestOf::MakeField(TestField field, size_t seats) {
  TestSpec test;
  test.field = field;
  return {.test = test, .curve = ScoreCurve(test, seats)};
}

// ---- Counting.

void BestOf::OnFinished(const FinishedMatch& finished) {
  ++finished_;
  CountGames(finished, &base_);
  CountForCurves(finished);
  CountForVariants(finished);
  if (finished_ < pick_ends_[static_cast<size_t>(picks_finished_)]) return;
  ++picks_finished_;
  AddPicks();
}

void BestOf::CountForCurves(const FinishedMatch& finished) {
  const int variant = VariantsAt(finished.match.bots).front();
  for (const GameSummary& game : finished.games) {
    GameSummary summary;
    summary.index = game.index;
    summary.match = game.index;  // the errors of ratings, for which blocks matter, are not used
    summary.bots = AsTestBots(game.bots, variant, seats_);
    summary.outcome.place = game.outcome.place;
    CHECK(counter_.Add(summary).ok());
  }
}

void BestOf::CountForVariants(const FinishedMatch& finished) {
  const Table& bots = finished.match.bots;
  const std::vector<int> at_table = VariantsAt(bots);
  for (const int bot : at_table) {
    if (IsLeft(bot)) CountGames(finished, &VariantOf(bot).result);
  }
  if (seats_ == 2 || at_table.size() == 2) {
    for (const int bot : at_table) {
      AddUnit(bot, kShared, MeanScore(finished, fields_[kShared].test, bot));
    }
    return Look();
  }
  const int bot = at_table.front();
  const double score = MeanScore(finished, fields_[kMirror].test, bot);
  if (std::count(bots.begin(), bots.end(), bot) == 1) {
    half_ = score;
    return;
  }
  if (!half_) return;
  AddUnit(bot, kMirror, (*std::exchange(half_, std::nullopt) + score) / 2);
  Look();
}

void BestOf::AddUnit(int bot, FieldKind kind, double score) {
  Variant& variant = VariantOf(bot);
  if (!IsLeft(bot)) return;
  variant.sums[kind].Add(score);
  ++variant.result.units;
}

// ---- Deciding.

void BestOf::Look() {
  ++units_;
  if (IsFitDue(units_)) Refit();
  for (Variant& variant : variants_) {
    VariantResult& result = variant.result;
    if (result.state != VariantState::kLeft) continue;
    result.llr = RatioOf(variant);
    if (result.units < kTestUnitsMin) continue;
    if (result.llr > bounds_.lower && result.llr < bounds_.upper) continue;
    --left_;
    const bool has_passed = result.llr >= bounds_.upper;
    result.state = has_passed ? VariantState::kPassed : VariantState::kDroppedOut;
    // Two may pass with one match.
    if (has_passed && (!best_ || result.llr > VariantOf(*best_).result.llr)) best_ = result.bot;
  }
}

void BestOf::Refit() {
  const absl::StatusOr<ratings::GameCounts> counts = counter_.Counts();
  CHECK(counts.ok());
  for (Field& field : fields_) {
    const absl::StatusOr<ScoreCurve> curve = ScoreCurve::Fit(field.test, *counts);
    CHECK(curve.ok());
    field.curve = *curve;
  }
  SetScores();
}

void BestOf::SetScores() {
  for (Field& field : fields_) {
    field.scores = {.h0 = field.curve.Score(asked_.elo[0]), .h1 = field.curve.Score(asked_.elo[1])};
  }
}

double BestOf::RatioOf(const Variant& variant) const {
  return LogLikelihoodRatio(variant.sums[kShared], fields_[kShared].scores) +
         LogLikelihoodRatio(variant.sums[kMirror], fields_[kMirror].scores);
}

Verdict BestOf::verdict() const {
  if (best_) return Verdict::kBetter;
  if (left_ == 0) return Verdict::kNotShown;
  PlannedMatch next;
  next.bots = tables_[static_cast<size_t>(finished_)];
  return games() + GamesOf(next) > games_max_ ? Verdict::kUndecided : Verdict::kUnderWay;
}

// ---- Planning.

// The stored match counts, should another machine have drawn otherwise.
void BestOf::OnPlanned(const PlannedMatch& match) {
  const auto number = static_cast<size_t>(planned_++);
  if (number == tables_.size()) tables_.emplace_back();
  tables_.at(number) = match.bots;
}

std::vector<PlannedMatch> BestOf::Next() {
  std::vector<PlannedMatch> matches;
  if (is_over()) return matches;
  for (auto i = static_cast<size_t>(planned_); i < tables_.size(); ++i) {
    matches.emplace_back().bots = tables_[i];
  }
  return matches;
}

void BestOf::AddPicks() {
  if (is_over()) return;
  for (int64_t pick = std::ssize(pick_ends_); pick - LagOf(pick) <= picks_finished_; ++pick) {
    int64_t end = pick_ends_.empty() ? 0 : pick_ends_.back();
    for (Table& table : TablesOf(pick)) {
      // A stored match is there already.
      if (end++ == std::ssize(tables_)) tables_.push_back(std::move(table));
    }
    pick_ends_.push_back(end);
  }
}

std::vector<Table> BestOf::TablesOf(int64_t pick) const {
  const int64_t first = pick * kUnitsPerPick;
  if (first >= first_matches_) return DrawTables(pick);
  std::vector<Table> tables;
  for (int64_t match = first; match < std::min(first + kUnitsPerPick, first_matches_); ++match) {
    tables.push_back(FirstTable(match));
  }
  return tables;
}

Table BestOf::FirstTable(int64_t match) const {
  const int64_t each = static_cast<int64_t>(seats_) - 1;
  Table table;
  for (int64_t i = match * each; i < (match + 1) * each; ++i) {
    table.push_back(static_cast<int>(i % std::ssize(variants_)) + 1);
  }
  table.push_back(kBase);
  return table;
}

std::vector<Table> BestOf::DrawTables(int64_t pick) const {
  Random random(DeriveSeed(DeriveSeed(seed_, kPickSeeds), static_cast<uint64_t>(pick)));
  std::vector<std::pair<double, int>> draws;
  for (const Variant& variant : variants_) {
    if (variant.result.state != VariantState::kLeft) continue;
    draws.emplace_back(DrawElo(variant, random), variant.result.bot);
  }
  std::sort(draws.rbegin(), draws.rend());
  std::vector<Table> tables;
  for (int64_t unit = 0; unit < kUnitsPerPick; ++unit) {
    const int strongest = draws.front().second;
    if (seats_ == 2) {
      tables.push_back({strongest, kBase});
    } else if (draws.size() == 1) {
      tables.push_back({strongest, kBase, kBase});
      tables.push_back({kBase, strongest, strongest});
    } else {
      tables.push_back({strongest, draws[1].second, kBase});
    }
  }
  return tables;
}

double BestOf::DrawElo(const Variant& variant, Random& random) const {
  const auto& [low, high] = asked_.elo;
  // The prior: as strong as the base, give or take the farther hypothesis.
  double information = 1 / std::pow(std::max(std::abs(low), std::abs(high)), 2);
  double sum = 0;
  for (const FieldKind kind : {kShared, kMirror}) {
    const ScoreSums& sums = variant.sums[kind];
    const Hypotheses& scores = fields_[kind].scores;
    const double slope = (scores.h1 - scores.h0) / (high - low);
    const double added = static_cast<double>(sums.units) * slope * slope / sums.variance();
    information += added;
    sum += added * (low + (sums.mean() - scores.h0) / slope);
  }
  return sum / information + NormalDeviate(random) / std::sqrt(information);
}

// ---- Reporting.

std::vector<VariantResult> BestOf::Variants() const {
  std::vector<VariantResult> results;
  for (const Variant& variant : variants_) {
    VariantResult& result = results.emplace_back(variant.result);
    if (result.units > 0) result.elo = EloOf(variant);
  }
  return results;
}

ratings::Estimate BestOf::EloOf(const Variant& variant) const {
  double information = 0;
  double sum = 0;
  for (const FieldKind kind : {kShared, kMirror}) {
    const ScoreSums& sums = variant.sums[kind];
    if (sums.units == 0) continue;
    const ScoreCurve& curve = fields_[kind].curve;
    const double elo = curve.Elo(sums.mean());
    const double slope = (curve.Score(elo + 1) - curve.Score(elo - 1)) / 2;
    const double added = static_cast<double>(sums.units) * slope * slope / sums.variance();
    information += added;
    sum += added * elo;
  }
  return {.value = sum / information, .error = 1 / std::sqrt(information)};
}

PlanState BestOf::State() const {
  PlanState state;
  state.verdict = verdict();
  const VariantResult* leader = nullptr;
  for (const Variant& variant : variants_) {
    const VariantResult& result = variant.result;
    state.figures.emplace_back(names_[static_cast<size_t>(result.bot)], result.llr);
    if (result.state == VariantState::kDroppedOut) continue;
    if (leader == nullptr || result.llr > leader->llr) leader = &result;
  }
  state.line = absl::StrFormat("%d of %s left", left_, Counted(variants_.size(), "variant"));
  if (leader == nullptr) return state;
  state.line +=
      absl::StrFormat("  best: %s LLR %.2f of %.2f", names_[static_cast<size_t>(leader->bot)],
                      leader->llr, bounds_.upper);
  return state;
}

}  // namespace triarch::experiments
