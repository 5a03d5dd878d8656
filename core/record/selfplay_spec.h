#ifndef TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_
#define TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_

#include <cstdint>
#include <vector>

namespace triarch {

// What makes a tournament self-play: bots do not meet to be rated but to make training data. Each
// seat of each game draws its bot alone, so that one bot may sit in all of them.
struct SelfplaySpec {
  // From that ply of the game on (the opening's count) moves are drawn from the bot's policy to the
  // power of 1 / temperature. At 0 the bot's own move is played.
  struct TemperatureStep {
    int64_t ply = 0;
    double temperature = 0;
    friend bool operator==(const TemperatureStep&, const TemperatureStep&) = default;
  };

  std::vector<double> weights;               // of the bots, by number; above 0
  std::vector<TemperatureStep> temperature;  // plies ascend; before the first, and if empty: 0
  double noise_alpha = 0;                    // of the Dirichlet noise at the root
  double noise_share = 0;                    // of the noise in the policy; 0: none
  double full_share = 1;                     // of the turns that are searched in full and kept
  int64_t fast_nodes = 0;                    // what the others may search; if full_share is below 1
  double resign_below = 0;                   // a seat whose share of the points is below this
  int64_t resign_turns = 3;                  // for so many of its turns in a row resigns; 0: never
  double played_out_share = 0.1;             // of the games, in which nobody resigns for that
  double sample_rate = 1;                    // share of the plies (searched in full) that are kept
  bool drops_duplicates = true;              // of a shard: the later ones of equal positions

  // Not part of the tournament's identity:
  int64_t shard_samples = 200'000;  // about what a shard has
  bool is_deflated = true;          // the arrays in a shard; else stored

  friend bool operator==(const SelfplaySpec&, const SelfplaySpec&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SELFPLAY_SPEC_H_
