// Describes the self-play settings of a tournament: games played to make training data.

#ifndef TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_
#define TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_

#include <cstdint>
#include <vector>

namespace triarch {

// Each seat of each self-play game draws its bot by BotSpec::weight, so one bot may fill all seats.
// spec/tournament_options.cc has the bounds of these values.
struct SelfplaySpec {
  // After this many plies of the game (with the opening's), moves are drawn from the bot's policy
  // raised to the power 1 / temperature. At 0, the bot's own move is played.
  struct TemperatureStep {
    int64_t plies = 0;
    double temperature = 0;
    friend bool operator==(const TemperatureStep&, const TemperatureStep&) = default;
  };

  std::vector<TemperatureStep> temperature;  // ascending by plies; 0 before the first step
  double noise_alpha = 0;                    // of the Dirichlet noise at the root
  double noise_share = 0;                    // share of the noise in the policy; 0 means none
  double random_moves = 0;                   // share of turns at which any legal move is played
  double full_share = 1;                     // share of turns that are searched in full and kept
  int64_t fast_nodes = 0;                    // nodes for all other turns; used if full_share < 1
  double resign_below = 0;        // a seat resigns if its share of the points is below this …
  int64_t resign_turns = 3;       // … for this many of its turns in a row; 0 means never
  double played_out_share = 0.1;  // share of games in which no seat resigns this way
  double sample_rate = 1;         // share of fully searched plies that are kept
  bool drops_duplicates = true;   // keeps only the first of equal positions in a shard

  // Not part of the tournament's identity:
  int64_t shard_samples = 200'000;  // approximate number of samples in a shard
  bool is_deflated = true;          // whether a shard's arrays are compressed

  friend bool operator==(const SelfplaySpec&, const SelfplaySpec&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_
