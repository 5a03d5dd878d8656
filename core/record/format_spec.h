// Describes how a tournament decides which bots meet.

#ifndef TRIARCH_CORE_RECORD_FORMAT_SPEC_H_
#define TRIARCH_CORE_RECORD_FORMAT_SPEC_H_

#include <cstdint>

namespace triarch {

// core/record/spec_words.h names the values.
enum class Format : uint8_t {
  kRoundRobin,  // every set of bots that fills a game
  kGauntlet,    // every such set that includes the first bot
  // The others plan their matches, all but the league by the results so far.
  kAdaptive,  // the matches from which the ratings learn most
  kSwiss,     // bots with similar points meet, no two of them twice if that can be avoided
  kKnockout,  // the best of each table advance
  kLeague,    // a season: round robins in divisions, then promotion and relegation
};

enum class AdaptiveGoal : uint8_t {
  kRatings,  // small errors of all ratings
  kBest,     // to find out which bot is the strongest
};

// The settings of the formats that have some.
struct FormatOptions {
  AdaptiveGoal adaptive_goal = AdaptiveGoal::kRatings;
  // Adaptive, for ratings: ends when half of the bots have a 95 % interval of at most ± this many
  // Elo; 0 means never.
  double adaptive_error = 0;
  int64_t swiss_rounds = 0;
  int64_t knockout_advancing = 1;
  int64_t league_division = 9;  // bots per division

  friend bool operator==(const FormatOptions&, const FormatOptions&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_FORMAT_SPEC_H_
