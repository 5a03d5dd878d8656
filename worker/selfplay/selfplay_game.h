// Adds exploration and samples to a game of self-play.

#ifndef TRIARCH_WORKER_SELFPLAY_SELFPLAY_GAME_H_
#define TRIARCH_WORKER_SELFPLAY_SELFPLAY_GAME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/any_state.h"
#include "core/base/random.h"
#include "core/game/seat.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/selfplay_spec.h"

namespace triarch {

// The part of a game that is specific to self-play. It explores, so that games differ and the data
// includes moves that are not the best, and it packs the training samples. All randomness derives
// from the game's seed, so under a node limit the same game produces the same samples.
class SelfplayGame {
 public:
  // Requires: the game begins, and `spec` outlives this object.
  SelfplayGame(const SelfplaySpec& spec, uint64_t game_seed);

  // Begins the turn after `ply` moves and sets the limits that self-play needs.
  void BeginTurn(int64_t ply, SearchLimits* limits);
  // May replace the player's decision in this turn with another move, drawn from the policy, or
  // with a resignation. `share` is the player's estimate of its own share of the points, if it has
  // one.
  void Explore(Seat seat, size_t moves, std::optional<double> share, Decision* decision);
  // Adds a move of `state`, from a turn or from the opening, before it is played; `opinion` is the
  // player's evaluation.
  void AddMove(const AnyState& state, const AnyState::Moves& moves, size_t number,
               const std::optional<PerSeat<double>>& opinion);
  // Records that the seat leaves the game.
  void AddLeaving(Seat seat);

  GameSamples TakeSamples() { return std::move(samples_); }

 private:
  double Temperature() const;
  size_t Draw(size_t own);
  void NoteHope(Seat seat, double share, Decision* decision);
  void AddRow(const AnyState& state, const AnyState::Moves& moves, size_t number,
              const std::optional<PerSeat<double>>& opinion);

  const SelfplaySpec& spec_;
  Random random_;
  const bool is_played_out_;
  int64_t ply_ = 0;
  bool is_kept_ = false;  // for the current turn
  std::optional<DirichletNoise> noise_;
  SearchInfo search_info_;
  PerSeat<int64_t> hopeless_turns_{};  // consecutive
  GameSamples samples_;
  std::vector<uint16_t> legal_;  // legal moves of the row being written
  std::vector<uint8_t> policy_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SELFPLAY_SELFPLAY_GAME_H_
