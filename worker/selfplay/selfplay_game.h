// Decides what self-play adds to a game: exploration and samples.

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

// What self-play adds to a game: it explores, so that games differ and the data has moves that are
// not the best, and it packs what is to be learnt. All it draws comes from the game's seed: under a
// limit of nodes the same game gives the same samples.
class SelfplayGame {
 public:
  // Of a game that begins. `spec` must outlive this.
  SelfplayGame(const SelfplaySpec& spec, uint64_t game_seed);

  // A turn begins, before which so many moves were played: sets of the limits what self-play wants.
  void BeginTurn(int64_t ply, SearchLimits* limits);
  // What becomes of the player's answer in that turn: it may be another move, drawn from the
  // policy, or a resignation. `share` is the player's own of the points, if it has an opinion.
  void Explore(Seat seat, size_t moves, std::optional<double> share, Decision* decision);
  // That move of `state` is about to be played, in that turn or of the opening; `opinion` is the
  // player's.
  void AddMove(const AnyState& state, const AnyState::Moves& moves, size_t number,
               const std::optional<PerSeat<double>>& opinion);
  // The seat leaves the game.
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
  bool is_kept_ = false;  // the turn that is on
  std::optional<DirichletNoise> noise_;
  SearchInfo search_info_;
  PerSeat<int64_t> hopeless_turns_{};  // in a row
  GameSamples samples_;
  std::vector<uint16_t> legal_;  // of the row that is written
  std::vector<uint8_t> policy_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SELFPLAY_SELFPLAY_GAME_H_
