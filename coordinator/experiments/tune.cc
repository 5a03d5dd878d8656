#include "coordinator/experiments/tune.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/random.h"
#include "core/game/outcome.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

// More iterations in play keep no more workers busy.
constexpr int64_t kInPlayMax = 1'000;
// The most options that the progress line shows.
constexpr size_t kOptionsShown = 3;
constexpr int64_t kConfirmingGames = 200'000;

// The purposes of derived seeds; those of the schedule are small numbers.
enum class TuneSeed : uint64_t { kDirections = 1001, kConfirmation };

uint64_t TuneSeedFor(const TournamentSpec& spec, TuneSeed use) {
  return DeriveSeed(spec.seed, static_cast<uint64_t>(use));
}

std::vector<SpsaParameter> ParametersOf(const TuneSpec& tune) {
  std::vector<SpsaParameter> parameters;
  for (const TunedOption& option : tune.options) {
    parameters.push_back({.start = option.start,
                          .min = option.min,
                          .max = option.max,
                          .step = option.step,
                          .is_integer = option.is_integer});
  }
  return parameters;
}

SpsaOptions SpsaOptionsOf(const TournamentSpec& spec, size_t seats) {
  const int64_t iterations = spec.games / GamesPerTestUnit(seats);
  return {.iterations = iterations,
          .final_rate = FinalRate(spec),
          .in_play = std::min(MaxSpsaInPlay(iterations), kInPlayMax),
          .seed = TuneSeedFor(spec, TuneSeed::kDirections)};
}

std::map<std::string, std::string> TextsOf(const std::vector<TunedOption>& options,
                                           const std::vector<double>& values) {
  std::map<std::string, std::string> texts;
  for (size_t i = 0; i < options.size(); ++i) {
    texts[options[i].name] = TunedValueText(options[i], values[i]);
  }
  return texts;
}

// Rounds a result to a whole number, or to the first decimal place that is at most a tenth of a
// step.
double RoundedResult(const TunedOption& option, double value) {
  const double tenths = option.is_integer ? 0 : std::ceil(1 - std::log10(option.step) - 1e-9);
  const double scale = std::pow(10, std::max(0.0, tenths));
  return std::clamp(std::round(value * scale) / scale, option.min, option.max);
}

// Returns the bot of both copies, without the sign that ends their names.
BotSpec BotOf(const TournamentSpec& spec) {
  BotSpec bot = spec.bots[kPlusCopy];
  if (bot.name.ends_with('+')) bot.name.pop_back();
  return bot;
}

void SetValues(const std::map<std::string, std::string>& texts, BotSpec* bot) {
  for (const auto& [name, text] : texts) bot->options[name] = text;
}

}  // namespace

// ---- The planner.

Tune::Tune(const TournamentSpec& spec, size_t seats)
    : options_(spec.tune->options),
      seats_(seats),
      spsa_(ParametersOf(*spec.tune), SpsaOptionsOf(spec, seats)) {}

void Tune::OnPlanned(const PlannedMatch&) { ++planned_; }

void Tune::OnFinished(const FinishedMatch& finished) {
  const int alone = finished.match.bots[0];
  double points = 0;
  for (const GameSummary& game : finished.games) {
    const PerSeat<double> shares = Points(game.outcome.place, seats_);
    for (size_t i = 0; i < seats_; ++i) {
      if (game.bots[SeatAt(i)] == alone) points += shares[SeatAt(i)];
    }
  }
  if (seats_ == 2) {
    result_ = 6 * points - 6;
  } else {
    result_ += alone == kPlusCopy ? 2 * points : -2 * points;
  }
  if (++finished_ % MatchesPerIteration() != 0) return;
  spsa_.Add(finished_ / MatchesPerIteration() - 1, result_);
  result_ = 0;
}

std::vector<PlannedMatch> Tune::Next() {
  std::vector<PlannedMatch> matches;
  const int64_t first = planned_ / MatchesPerIteration();
  for (int64_t k = first; k < spsa_.playable(); ++k) PlanIteration(k, &matches);
  // The first match of an iteration may be planned already.
  if (planned_ % MatchesPerIteration() != 0) matches.erase(matches.begin());
  return matches;
}

void Tune::PlanIteration(int64_t iteration, std::vector<PlannedMatch>* matches) const {
  const SpsaPair pair = spsa_.PairOf(iteration);
  const auto plus = TextsOf(options_, pair.plus);
  const auto minus = TextsOf(options_, pair.minus);
  if (seats_ == 2) {
    matches->push_back({.bots = {kPlusCopy, kMinusCopy}, .options = {plus, minus}});
    return;
  }
  matches->push_back(
      {.bots = {kPlusCopy, kMinusCopy, kMinusCopy}, .options = {plus, minus, minus}});
  matches->push_back({.bots = {kMinusCopy, kPlusCopy, kPlusCopy}, .options = {minus, plus, plus}});
}

double Tune::StepsFromStart(size_t option, double value) const {
  return (value - options_[option].start) / options_[option].step;
}

std::string Tune::Progress() const {
  return absl::StrFormat("%d of %d iterations", spsa_.applied(), spsa_.iterations());
}

PlanState Tune::State() const {
  const std::vector<double>& values = spsa_.path().back();
  PlanState state = {.line = Progress(),
                     .games_expected = spsa_.iterations() * GamesPerTestUnit(seats_)};
  for (size_t i = 0; i < options_.size(); ++i) {
    state.figures.emplace_back(options_[i].name, StepsFromStart(i, values[i]));
    if (i < kOptionsShown) {
      state.line += absl::StrFormat("  %s %.3g", options_[i].name, values[i]);
    }
  }
  return state;
}

double FinalRate(const TournamentSpec& spec) {
  if (spec.tune->rate > 0) return spec.tune->rate;
  constexpr double kFewGames = 30'000, kFewRate = 0.008;
  constexpr double kManyGames = 100'000, kManyRate = 0.002;
  const double games = std::clamp(static_cast<double>(spec.games), kFewGames, kManyGames);
  const double share = std::log(games / kFewGames) / std::log(kManyGames / kFewGames);
  return kFewRate * std::pow(kManyRate / kFewRate, share);
}

// ---- The result.

BotSpec BotAtStart(const TournamentSpec& spec) {
  BotSpec bot = BotOf(spec);
  std::vector<double> values;
  for (const TunedOption& option : spec.tune->options) values.push_back(option.start);
  SetValues(TextsOf(spec.tune->options, values), &bot);
  return bot;
}

BotSpec TunedBot(const TournamentSpec& spec, const Tune& tune) {
  BotSpec bot = BotOf(spec);
  bot.name += "-tuned";
  std::vector<double> values = tune.spsa().Mean();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = RoundedResult(tune.options()[i], values[i]);
  SetValues(TextsOf(tune.options(), values), &bot);
  return bot;
}

bool IsUnchanged(const TournamentSpec& spec, const Tune& tune) {
  return TunedBot(spec, tune).options == BotAtStart(spec).options;
}

TournamentSpec ConfirmingTest(const TournamentSpec& spec, const Tune& tune) {
  TournamentSpec test = spec;
  test.name += " confirmation";
  test.bots = {TunedBot(spec, tune), BotAtStart(spec)};
  test.games = kConfirmingGames;
  test.seed = TuneSeedFor(spec, TuneSeed::kConfirmation);
  test.tune = nullptr;
  test.test = std::make_shared<const TestSpec>(TestSpec{.elo = spec.tune->elo});
  test.tpgn.clear();
  return test;
}

}  // namespace triarch::experiments
