// Maps each index to its game: bots, seats, opening and seed.

#ifndef TRIARCH_CORE_SCHEDULE_SCHEDULE_H_
#define TRIARCH_CORE_SCHEDULE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "core/record/planned_match.h"
#include "core/record/tournament_spec.h"

namespace triarch {

inline constexpr size_t kSelfplayBotsMax = 256;  // a shard has one byte for a bot
inline constexpr size_t kVariantsMax = 100;      // of best-of
// Choosing matches takes cubic or square time.
inline constexpr size_t kAdaptiveBotsMax = 300;
inline constexpr size_t kEventBotsMax = 2'000;  // of Swiss events, knock-outs and leagues

// InvalidArgument: adjudication.plies_max leaves no plies to play after an opening.
absl::Status CheckPliesMax(const TournamentSpec& spec);

// A pure function of the spec, in constant time for any index (with copies, a binary search): any
// game can be played, or replayed, from (spec, index) alone.
//
// Consecutive indices are the seatings of one match: one set of bots and one opening in all orders
// of the seats (6 for three seats, 2 for two), so the effects of seat and opening cancel out.
// Consecutive matches are the sets of bots. After all sets have met, the next round begins with the
// next opening.
//
// If two of three bots are copies (they differ only in their names), three of the orders would
// repeat the others with the copies exchanged. Such a match has only the three rotations, in which
// each bot has each seat once.
//
// If the matches are chosen by the results so far (IsPlanned), the bots of a game come from its
// PlannedMatch, and every match is a round with an opening of its own.
//
// In self-play each game is a match and a round: it has its own opening, and each seat draws its
// bot by weight. In a sequential test (test_pairing.h), each match is a round.
class Schedule {
 public:
  // InvalidArgument: the number of bots does not fit the game's seats, or the game or start is
  // unknown. Does not check opening lines, which the creator of the spec has played.
  static absl::StatusOr<Schedule> Make(TournamentSpec spec);

  const TournamentSpec& spec() const { return spec_; }
  int64_t matches_per_round() const { return matches_per_round_; }
  // Games in one round: every set of bots, in all its seatings.
  int64_t games_per_round() const;

  // Returns game `index`, for any index >= 0, even beyond the spec's number of games. Random
  // opening plies take microseconds, unless `earlier` is a game of the same match, which then gives
  // its opening; it may be null. Requires: !IsPlanned(spec()).
  GameSpec Game(int64_t index, const GameSpec* earlier = nullptr) const;
  // Returns only the bots of a game by seat, as indices into spec().bots. Requires:
  // !IsPlanned(spec()).
  PerSeat<int> Bots(int64_t index) const;
  // Returns which line of the spec's openings a match plays, from 0. Requires: there are some.
  size_t LineOf(int64_t match) const;
  // Returns a game of a planned match; `earlier` as above. Requires: IsPlanned(spec()), and the
  // match has the game and bots of the spec.
  GameSpec PlannedGame(const PlannedMatch& match, int64_t index,
                       const GameSpec* earlier = nullptr) const;

 private:
  explicit Schedule(TournamentSpec spec) : spec_(std::move(spec)) {}

  // Returns the index that the game would have if every match had all seatings.
  int64_t FullIndex(int64_t index) const;
  PerSeat<int> DrawBots(int64_t index) const;
  Openings::Line OpeningOf(int64_t match) const;
  // Returns the game without its bots.
  GameSpec GameOf(int64_t match, int64_t index, const GameSpec* earlier) const;

  TournamentSpec spec_;
  std::string start_;  // the start's text form; empty if it is the game's default
  size_t seats_ = 0;
  int64_t seatings_ = 0;  // games per match without copies
  int64_t matches_per_round_ = 0;
  std::vector<int64_t> short_matches_;  // of a round, by their first games: those with copies
};

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_SCHEDULE_H_
