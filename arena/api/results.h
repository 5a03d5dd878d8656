// Holds what an arena shows of its recorded games.

#ifndef TRIARCH_ARENA_API_RESULTS_H_
#define TRIARCH_ARENA_API_RESULTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game/seat.h"

namespace triarch::arena {

// The results of one player in one game ("triumvirate"), or of all players in one seat.
struct PlayerResults {
  std::string name;
  int64_t games = 0;
  int64_t wins = 0;                // alone in first place
  double points = 0;               // placement points
  PerSeat<int64_t> seats{};        // games in each seat
  std::optional<double> rating{};  // Elo; only of rated games
  double error = 0;                // its standard error
};

struct GameResults {
  std::vector<PlayerResults> rated;         // the rated games, by rating
  std::vector<PlayerResults> all;           // all games, by points
  PerSeat<PlayerResults> seats;             // all games
  std::map<std::string, size_t> rated_row;  // by name: the index in `rated`

  // Returns a player's results in rated games, or null.
  const PlayerResults* FindRated(const std::string& name) const {
    const auto found = rated_row.find(name);
    return found == rated_row.end() ? nullptr : &rated[found->second];
  }
};

// By game. Shared with the thread that reads the next ones.
using Results = std::map<std::string, GameResults>;

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_RESULTS_H_
