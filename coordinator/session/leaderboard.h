// Adds up the placement points of a tournament's bots as its games are recorded.

#ifndef TRIARCH_COORDINATOR_SESSION_LEADERBOARD_H_
#define TRIARCH_COORDINATOR_SESSION_LEADERBOARD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "core/record/game_summary.h"

namespace triarch {

class Leaderboard {
 public:
  struct Row {
    std::string bot;
    int64_t games = 0;
    double points = 0;
  };

  explicit Leaderboard(const std::vector<BotSpec>& bots);

  // Requires: the game's bots are among those of the constructor.
  void Add(const GameRecord& game);
  void Add(const GameSummary& game);

  // Returns the rows sorted by points per game, best first; ties keep the order of the bots in the
  // constructor.
  std::vector<Row> Rows() const;

 private:
  void Add(const PerSeat<size_t>& bots, const Outcome& outcome);

  std::vector<Row> rows_;  // by bot number
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_LEADERBOARD_H_
