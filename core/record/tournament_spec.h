// Describes a tournament's games, and where their records go.

#ifndef TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_
#define TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/best_of_spec.h"
#include "core/record/format_spec.h"
#include "core/record/game_spec.h"
#include "core/record/selfplay_spec.h"
#include "core/record/test_spec.h"
#include "core/record/tune_spec.h"

namespace triarch {

// How the games of a match begin: with random moves or with given lines, not both.
struct Openings {
  int64_t random_plies = 0;  // uniformly random legal moves from the start, the same in a match
  // One line per round, in turn: moves (canonical text) played from a position (the game's text
  // form; empty for the tournament's start).
  struct Line {
    std::string position;
    std::vector<std::string> moves;
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::vector<Line> lines;

  friend bool operator==(const Openings&, const Openings&) = default;
};

// spec/tournament_options.cc lists how files, flags and JSON spell each value, and its bounds.
struct TournamentSpec {
  std::string name;   // for the Event tag
  std::string game;   // "triumvirate"
  std::string start;  // a named start; empty for the game's default
  std::vector<BotSpec> bots;
  Format format = Format::kRoundRobin;
  FormatOptions format_options = {};
  int64_t games = 0;  // total number; at most, if the results decide when the tournament ends
  uint64_t seed = 1;
  Openings openings;
  TimeControl time_control;
  Adjudication adjudication;
  DrawRules draw_rules;
  // Set for self-play; null if the bots play to be rated. All games share it.
  std::shared_ptr<const SelfplaySpec> selfplay;
  // Set for a sequential test of the first bot against the second; null otherwise.
  std::shared_ptr<const TestSpec> test = nullptr;
  // Set for a search for the best variant of the first bot; null otherwise.
  std::shared_ptr<const BestOfSpec> best_of = nullptr;
  // Set for the tuning of a bot; null otherwise.
  std::shared_ptr<const TuneSpec> tune = nullptr;

  // Not part of the tournament's identity, and neither is `games`, which may grow:
  std::string anchor;        // the bot whose rating is 0; if empty, the mean is 0
  bool search_info = false;  // records what the bots say about their moves (move_info.h)
  int64_t slots = 0;         // games played in parallel; 0 means one per core
  std::string db;            // SQLite file; if empty, games are not recorded
  std::string tpgn;          // file to which the games are written, if not empty
  std::string data;  // self-play: the location of the shards, a folder or "s3://BUCKET/PREFIX"
  std::string run;   // self-play: the run's name, part of its shards' names (run_claim.h)
};

// Returns whether the matches are chosen by the results so far (PlannedMatch) rather than by their
// numbers.
inline bool IsPlanned(const TournamentSpec& spec) {
  return spec.best_of || spec.tune || spec.format >= Format::kAdaptive;
}

// Returns whether TournamentSpec::data names a location in an S3 bucket rather than a folder.
inline bool IsBucket(std::string_view data) { return data.starts_with("s3://"); }

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_
