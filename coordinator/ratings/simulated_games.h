// Simulates tournaments of bots of known strength, for tests.

#ifndef TRIARCH_COORDINATOR_RATINGS_SIMULATED_GAMES_H_
#define TRIARCH_COORDINATOR_RATINGS_SIMULATED_GAMES_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/normal.h"
#include "core/base/random.h"
#include "core/game/seat.h"
#include "core/record/game_summary.h"

// Results are drawn stage by stage as in the model, by code that shares nothing with the fit.
namespace triarch::ratings {

struct SimulatedWorld {
  std::vector<double> strength;                                // natural, per bot
  std::vector<double> seat;                                    // natural, one per seat
  std::array<double, kSeatsMax + 1> tie = {0, 0, -1e9, -1e9};  // τ by size, natural
  // Standard deviation of each bot's shift in strength per match, as if the opening favoured the
  // bot in all its seats.
  double opening_deviation = 0;
  bool can_share_second = true;  // otherwise two can only share first place
  std::vector<double> duel_shift =
      {};  // added to each bot's strength once two are left; may be empty
};

// Draws places by seat, given the strengths at the seats and their shifts once two are left.
inline PerSeat<uint8_t> SimulatePlaces(const SimulatedWorld& world, std::vector<double> at_seat,
                                       const std::vector<double>& duel_shift, Random& random) {
  const size_t seats = at_seat.size();
  PerSeat<uint8_t> place;
  std::vector<size_t> left(seats);
  for (size_t i = 0; i < seats; ++i) left[i] = i;
  while (!left.empty()) {
    if (left.size() == 2) {
      for (const size_t i : left) at_seat[i] += duel_shift[i];
    }
    const unsigned subsets = 1u << left.size();
    std::vector<double> cumulative(subsets, 0);
    for (unsigned set = 1; set < subsets; ++set) {
      double sum = 0;
      size_t size = 0;
      for (size_t i = 0; i < left.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        sum += at_seat[left[i]];
        ++size;
      }
      const bool can_happen = size != 2 || left.size() == 2 || world.can_share_second;
      const double log_weight = world.tie[size] - sum / static_cast<double>(size);
      cumulative[set] = cumulative[set - 1] + (can_happen ? std::exp(log_weight) : 0);
    }
    const double draw = random.Unit() * cumulative.back();
    unsigned drawn = 1;
    while (drawn + 1 < subsets && cumulative[drawn] <= draw) ++drawn;
    std::vector<size_t> out;
    std::vector<size_t> rest;
    for (size_t i = 0; i < left.size(); ++i)
      ((drawn >> i & 1) != 0 ? out : rest).push_back(left[i]);
    for (const size_t i : out) place[SeatAt(i)] = static_cast<uint8_t>(rest.size() + 1);
    left = rest;
  }
  return place;
}

// Plays all seatings of the bots of one match.
inline void SimulateMatch(const SimulatedWorld& world, int64_t match, std::vector<int> bots,
                          Random& random, std::vector<GameSummary>& games) {
  const size_t seats = world.seat.size();
  std::vector<double> favour(world.strength.size(), 0);
  for (const int bot : bots) {
    favour[static_cast<size_t>(bot)] = world.opening_deviation * NormalDeviate(random);
  }
  std::sort(bots.begin(), bots.end());
  do {
    GameSummary game;
    game.index = static_cast<int64_t>(games.size());
    game.match = match;
    std::vector<double> at_seat;
    std::vector<double> duel_shift;
    for (size_t i = 0; i < seats; ++i) {
      const auto bot = static_cast<size_t>(bots[i]);
      game.bots[SeatAt(i)] = bots[i];
      at_seat.push_back(world.strength[bot] + favour[bot] + world.seat[i]);
      duel_shift.push_back(world.duel_shift.empty() ? 0 : world.duel_shift[bot]);
    }
    game.outcome.place = SimulatePlaces(world, at_seat, duel_shift, random);
    game.outcome.termination = Termination::kCheckmate;
    games.push_back(game);
  } while (std::next_permutation(bots.begin(), bots.end()));
}

// Plays every set of bots that fills a game, `rounds` times.
inline std::vector<GameSummary> SimulateRoundRobin(const SimulatedWorld& world, int rounds,
                                                   uint64_t seed) {
  Random random(seed);
  std::vector<GameSummary> games;
  int64_t match = 0;
  const int bots = static_cast<int>(world.strength.size());
  for (int round = 0; round < rounds; ++round) {
    for (int a = 0; a < bots; ++a) {
      for (int b = a + 1; b < bots; ++b) {
        if (world.seat.size() == 2) {
          SimulateMatch(world, match++, {a, b}, random, games);
          continue;
        }
        for (int c = b + 1; c < bots; ++c) {
          SimulateMatch(world, match++, {a, b, c}, random, games);
        }
      }
    }
  }
  return games;
}

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_SIMULATED_GAMES_H_
