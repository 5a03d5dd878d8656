// Draws openings at random and keeps those that a bot finds even for all seats.

#ifndef TRIARCH_CLI_TOURNAMENT_MAKE_OPENINGS_H_
#define TRIARCH_CLI_TOURNAMENT_MAKE_OPENINGS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

struct OpeningsRequest {
  const GameInfo* game = nullptr;
  int64_t lines = 0;
  int64_t plies = 0;  // of each line
  uint64_t seed = 0;
  BotSpec searcher = {};  // evaluates the openings
  BotSpec player = {};    // plays four games from each of the kept openings in all seats
};

struct MadeOpenings {
  struct Line {
    std::vector<std::string> moves;  // canonical text
    // The largest difference between a seat's expected share of the points and an equal share.
    double imbalance = 0;
  };
  std::vector<Line> lines;  // in the order in which they were drawn
  int64_t drawn = 0;
  // Mean points of each seat in the player's games, and its standard error over the openings.
  PerSeat<double> points;
  PerSeat<double> error;
};

// Draws several times as many different openings as asked for and keeps those with the smallest
// imbalance: their end is searched once for each seat, as the searcher plays on for one round.
// Uses all cores; the result depends only on the request. Requires: the bots suit the game.
// InvalidArgument: the searcher gives no evaluations. Cancelled: `stop` became true.
absl::StatusOr<MadeOpenings> MakeOpenings(const OpeningsRequest& request,
                                          const std::atomic<bool>& stop);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_MAKE_OPENINGS_H_
