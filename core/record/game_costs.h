// Sums what games cost their bots, for standings.

#ifndef TRIARCH_CORE_RECORD_GAME_COSTS_H_
#define TRIARCH_CORE_RECORD_GAME_COSTS_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "core/record/game_record.h"
#include "core/record/game_summary.h"

namespace triarch {

// The sums of one bot's costs over several games.
struct BotCosts {
  int64_t moves = 0;
  int64_t nodes = 0;
  int64_t time_us = 0;
  int64_t fallbacks = 0;
  // Over the games in which processor time was measured.
  int64_t measured_moves = 0;
  int64_t cpu_us = 0;

  void Add(const SeatCost& cost, int64_t more_fallbacks) {
    Add({.moves = cost.moves,
         .nodes = cost.nodes,
         .time_us = cost.time_us,
         .fallbacks = more_fallbacks,
         .measured_moves = cost.cpu_us ? cost.moves : 0,
         .cpu_us = cost.cpu_us.value_or(0)});
  }
  void Add(const BotCosts& more) {
    moves += more.moves;
    nodes += more.nodes;
    time_us += more.time_us;
    fallbacks += more.fallbacks;
    measured_moves += more.measured_moves;
    cpu_us += more.cpu_us;
  }
  friend bool operator==(const BotCosts&, const BotCosts&) = default;
};

struct GameCosts {
  int64_t plies = 0;
  std::map<int, BotCosts> bots = {};  // by number; only those that played

  void Add(const GameSummary& game) {
    plies += game.plies;
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat seat = SeatAt(i);
      // A seat that the game lacks has place 0.
      if (game.outcome.place[seat] == 0) continue;
      bots[game.bots[seat]].Add(game.costs[seat], game.fallbacks[seat]);
    }
  }
  friend bool operator==(const GameCosts&, const GameCosts&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_COSTS_H_
