#ifndef TRIARCH_CORE_SCHEDULE_SCHEDULE_H_
#define TRIARCH_CORE_SCHEDULE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Which game is played when: a pure function of the spec, in constant time for any index, so that
// any game can be played (again) from (spec, index) alone.
//
// Consecutive indices are the seatings of one match: one set of bots and one opening in all orders
// of the seats (6 for three seats, 2 for two), so that seat and opening cancel out. Consecutive
// matches are the sets of bots; once all have met, the next round begins with the next opening.
//
// In self-play each game is a match and a round: an opening of its own, and every seat draws its
// bot by the weights.
inline constexpr size_t kSelfplayBotsMax = 256;  // a shard has a byte for a bot

// InvalidArgument if adjudication.plies_max leaves no plies to play after an opening.
absl::Status CheckPliesMax(const TournamentSpec& spec);

class Schedule {
 public:
  // InvalidArgument if the spec has too few or too many bots for the game's seats, or names no
  // known game or start. Opening lines are not looked at: whoever made the spec has tried them.
  static absl::StatusOr<Schedule> Make(TournamentSpec spec);

  const TournamentSpec& spec() const { return spec_; }
  int64_t games_per_match() const { return games_per_match_; }
  int64_t matches_per_round() const { return matches_per_round_; }
  // Games in one round: every set of bots, every seating.
  int64_t games_per_round() const { return games_per_match_ * matches_per_round_; }

  // Game `index`, for any index >= 0 (the spec's number of games is not looked at). With
  // random_plies its opening is worked out by the rules, which takes microseconds.
  GameSpec Game(int64_t index) const;
  // The bots of a game by seat, as indices into spec().bots, without the rest.
  PerSeat<int> Bots(int64_t index) const;

 private:
  explicit Schedule(TournamentSpec spec) : spec_(std::move(spec)) {}

  PerSeat<int> DrawBots(int64_t index) const;
  Openings::Line OpeningOf(int64_t match) const;

  TournamentSpec spec_;
  std::string start_;  // the start's text form; empty if it is the game's default
  size_t seats_ = 0;
  int64_t games_per_match_ = 0;
  int64_t matches_per_round_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_SCHEDULE_H_
