#ifndef TRIARCH_CORE_RECORD_ADJUDICATOR_H_
#define TRIARCH_CORE_RECORD_ADJUDICATOR_H_

#include <cstdint>
#include <optional>

#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

// Says when the match ends a game that the rules would let go on.
class Adjudicator {
 public:
  Adjudicator(const Adjudication& limits, size_t seats) : limits_(limits), seats_(seats) {}

  // A ply was played, with the opinion of the one who played it. A ply without an opinion breaks
  // the row: so no player decides a game by its own word alone, as long as the row is longer than a
  // round.
  void AddPly(const std::optional<PerSeat<double>>& eval);

  int64_t plies() const { return plies_; }
  // The survivors are to share a draw.
  bool is_draw() const { return plies_ >= limits_.plies_max; }
  // The seat that all opinions have given the game for long enough.
  std::optional<Seat> winner() const {
    return row_plies_ > 0 && row_plies_ >= limits_.win_plies ? std::optional(favorite_)
                                                             : std::nullopt;
  }

 private:
  Adjudication limits_;
  size_t seats_;
  int64_t plies_ = 0;
  Seat favorite_ = Seat::kFirst;  // of the row
  int64_t row_plies_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_ADJUDICATOR_H_
