// Decides when the match ends a game that the rules would continue.

#ifndef TRIARCH_CORE_RECORD_ADJUDICATOR_H_
#define TRIARCH_CORE_RECORD_ADJUDICATOR_H_

#include <cstdint>
#include <optional>

#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

class Adjudicator {
 public:
  Adjudicator(const Adjudication& limits, size_t seats) : limits_(limits), seats_(seats) {}

  // Adds a ply with its player's evaluation. A ply without an evaluation breaks the run, so no
  // player can decide a game alone if win_plies is more than a round.
  void AddPly(const std::optional<PerSeat<double>>& eval);

  int64_t plies() const { return plies_; }
  // Returns whether the survivors share a draw.
  bool is_draw() const { return plies_ >= limits_.plies_max; }
  // Returns the seat that all evaluations have favoured for win_plies plies.
  std::optional<Seat> winner() const {
    return row_plies_ > 0 && row_plies_ >= limits_.win_plies ? std::optional(favorite_)
                                                             : std::nullopt;
  }

 private:
  Adjudication limits_;
  size_t seats_;
  int64_t plies_ = 0;
  Seat favorite_ = Seat::kFirst;  // of the run
  int64_t row_plies_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_ADJUDICATOR_H_
