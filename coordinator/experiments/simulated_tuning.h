// Simulates the games of a tuning, for tests.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_TUNING_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_TUNING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/tune.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/text.h"

namespace triarch::experiments {

inline TournamentSpec TuningSpec(std::vector<TunedOption> options, int64_t games,
                                 const std::string& game = "triumvirate") {
  TournamentSpec spec;
  spec.name = "tuning";
  spec.game = game;
  spec.bots = {{.name = "smart+", .bot = "smart"}, {.name = "smart-", .bot = "smart"}};
  spec.games = games;
  spec.openings.random_plies = 4;
  spec.tune = std::make_shared<const TuneSpec>(TuneSpec{.options = std::move(options)});
  return spec;
}

// A world in which a bot loses `elo_per_step` Elo times the square of each option's distance from
// its best value in steps.
struct TuningWorld {
  std::map<std::string, double> best;
  double elo_per_step = 2;
};

// The best values that tests use.
inline const TuningWorld kTuningWorld = {.best = {{"risk", 0.7}, {"depth", 12}}};

// Plays one game, which depends only on the match and the index.
inline GameSummary SimulateTuningGame(const TournamentSpec& spec, const TuningWorld& world,
                                      const PlannedMatch& match, int64_t index) {
  const PerSeat<int> places = SeatPlaces(match, index);
  GameSummary game;
  game.index = index;
  game.match = match.number;
  std::vector<double> at_seat;
  for (size_t i = 0; i < match.bots.size(); ++i) {
    const auto place = static_cast<size_t>(places[SeatAt(i)]);
    game.bots[SeatAt(i)] = match.bots[place];
    double elo = 0;
    for (const TunedOption& option : spec.tune->options) {
      const double value = ParseDouble(match.options[place].at(option.name)).value();
      const double steps = (value - world.best.at(option.name)) / option.step;
      elo -= world.elo_per_step * steps * steps;
    }
    at_seat.push_back(elo / ratings::kEloPerNatural);
  }
  Random random(DeriveSeed(99, static_cast<uint64_t>(index)));
  const std::vector<double> no_shift(at_seat.size(), 0);
  game.outcome.place = ratings::SimulatePlaces({}, at_seat, no_shift, random);
  return game;
}

// Plays the planned matches that have no games yet, from match `first` on. Returns their games.
inline std::vector<GameSummary> SimulatePlannedGames(const TournamentSpec& spec,
                                                     const TuningWorld& world, const Plan& plan,
                                                     size_t first) {
  std::vector<GameSummary> games;
  for (size_t i = first; i < plan.matches().size(); ++i) {
    const PlannedMatch& match = plan.matches()[i];
    for (int64_t index = match.first_game; index < EndOf(match); ++index) {
      games.push_back(SimulateTuningGame(spec, world, match, index));
    }
  }
  return games;
}

// Plays the tuning, or only that many more matches, and returns the games.
inline std::vector<GameSummary> SimulateTuning(const TournamentSpec& spec, const TuningWorld& world,
                                               Plan* plan, size_t matches_max = SIZE_MAX) {
  std::vector<GameSummary> all;
  size_t played = 0;
  while (!plan->is_over() && played < matches_max) {
    const size_t first = plan->matches().size();
    plan->Add(plan->Next());
    played += plan->matches().size() - first;
    for (const GameSummary& game : SimulatePlannedGames(spec, world, *plan, first)) {
      plan->Add(game);
      all.push_back(game);
    }
  }
  return all;
}

inline const Tune& TuneOf(const Plan& plan) { return dynamic_cast<const Tune&>(plan.planner()); }

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_TUNING_H_
