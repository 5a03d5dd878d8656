#ifndef TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_
#define TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/game_spec.h"
#include "core/record/selfplay_spec.h"

namespace triarch {

enum class Format : uint8_t {
  kRoundRobin,  // every set of bots that fills a table
  kGauntlet,    // every such set with the first bot in it
};

// From what the games of a match begin. At most one of the two is given.
struct Openings {
  int64_t random_plies = 0;  // uniformly random legal moves from the start, fixed per match
  // Else these in turn, one per round: moves (canonical text) played from a position (game's text
  // form, empty for the start of the tournament).
  struct Line {
    std::string position;
    std::vector<std::string> moves;
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::vector<Line> lines;

  friend bool operator==(const Openings&, const Openings&) = default;
};

// A whole tournament, as its YAML file or the flags of `triarch run` describe it.
struct TournamentSpec {
  std::string name;   // for the Event tag; the default names the game
  std::string game;   // "triumvirate"
  std::string start;  // a named start; empty for the game's default
  std::vector<BotSpec> bots;
  Format format = Format::kRoundRobin;
  int64_t games = 0;  // how many in all
  uint64_t seed = 1;
  Openings openings;
  TimeControl time_control;
  Adjudication adjudication;
  Draws draws = Draws::kAutomatic;
  bool insufficient_material = false;  // a draw; where the game leaves it open
  DrawRules draw_rules() const {
    return {.draws = draws, .insufficient_material = insufficient_material};
  }
  // Null: the bots meet to be rated. Games share it.
  std::shared_ptr<const SelfplaySpec> selfplay;

  // Not part of the tournament's identity, and neither is `games`, which may grow:
  std::string anchor;  // the bot whose rating is 0; empty: the mean is 0
  int64_t slots = 0;   // games at a time; 0: as many as the machine has cores
  std::string db;      // SQLite file; empty: no recording asked for
  std::string tpgn;    // file of games; empty: none
  std::string data;    // where shards go, a folder or "s3://BUCKET/PREFIX"; of self-play only
  std::string
      run;  // name of the self-play run, in those of its shards (selfplay/storage/run_claim.h)
};

// Whether TournamentSpec::data is a part of an S3 bucket, and not a folder.
inline bool IsBucket(std::string_view data) { return data.starts_with("s3://"); }

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TOURNAMENT_SPEC_H_
