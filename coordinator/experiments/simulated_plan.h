// Plays planned matches with simulated results, for tests.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_PLAN_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_PLAN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/experiments/plan.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/random.h"
#include "core/record/game_summary.h"
#include "core/record/planned_match.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Returns a spec of bots a, b, c … in a game with that many seats.
inline TournamentSpec PlannedSpecOf(Format format, size_t bots, size_t seats = 3) {
  TournamentSpec spec;
  spec.game = seats == 3 ? "triumvirate" : "tri-d";
  spec.format = format;
  spec.games = 1'000'000;
  spec.openings.random_plies = 4;
  for (size_t i = 0; i < bots; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    spec.bots.push_back({.name = name, .bot = "random", .options = {}});
  }
  return spec;
}

// Decides the results of all games. The same game always has the same result.
class SimulatedResults {
 public:
  // Bot 0 is the strongest, and each further one is weaker by `step` (natural).
  SimulatedResults(size_t bots, size_t seats, double step, uint64_t seed)
      : world_{.strength = {}, .seat = std::vector<double>(seats, 0)}, seed_(seed) {
    for (size_t i = 0; i < bots; ++i) world_.strength.push_back(-step * static_cast<double>(i));
  }

  GameSummary GameOf(const PlannedMatch& match, int64_t index) const {
    Random random(DeriveSeed(seed_, static_cast<uint64_t>(index)));
    const PerSeat<int> places = SeatPlaces(match, index);
    GameSummary game;
    game.index = index;
    game.match = match.number;
    std::vector<double> at_seat;
    for (size_t i = 0; i < match.bots.size(); ++i) {
      const int bot = match.bots[static_cast<size_t>(places[SeatAt(i)])];
      game.bots[SeatAt(i)] = bot;
      at_seat.push_back(world_.strength[static_cast<size_t>(bot)]);
    }
    const std::vector<double> no_shift(at_seat.size(), 0);
    game.outcome.place = ratings::SimulatePlaces(world_, at_seat, no_shift, random);
    game.outcome.termination = Termination::kCheckmate;
    return game;
  }

 private:
  ratings::SimulatedWorld world_;
  uint64_t seed_;
};

// Plays planned matches until the plan is over or `games` games are played. Workers play `slots`
// games at a time, which end in an order that `order` determines, and matches are planned as soon
// as possible.
inline void Play(const SimulatedResults& results, Plan& plan, uint64_t order, size_t slots = 1,
                 int64_t games = INT64_MAX) {
  Random random(order);
  std::vector<int64_t> under_way;
  int64_t started = 0;
  while (!plan.is_over()) {
    const std::vector<PlannedMatch> next = plan.Next();
    plan.Add(next);
    while (under_way.size() < slots && started < std::min(games, plan.games())) {
      under_way.push_back(started++);
    }
    if (under_way.empty()) return;
    const size_t which = random.Below(static_cast<uint32_t>(under_way.size()));
    const int64_t game = under_way[which];
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
    plan.Add(results.GameOf(*FindMatch(plan.matches(), game), game));
  }
}

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SIMULATED_PLAN_H_
