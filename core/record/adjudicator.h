// Decides when the match ends a game that the rules would continue.

#ifndef TRIARCH_CORE_RECORD_ADJUDICATOR_H_
#define TRIARCH_CORE_RECORD_ADJUDICATOR_H_

#include <cstdint>
#include <optional>

#include "core/any_state.h"
#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

// How the match ends a game: with a winner, or with a draw among the survivors.
struct EarlyEnd {
  std::optional<Seat> winner = {};
  Termination why = Termination::kPlyLimit;

  friend bool operator==(const EarlyEnd&, const EarlyEnd&) = default;
};

class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& limits);

  // Adds a ply that led to `state`, with its player's evaluation. A ply without an evaluation
  // breaks the runs of agreeing evaluations, so no player can decide a game alone if such a run is
  // longer than a round. Returns how the game ends, if it does.
  // Inline because it is called on every ply, and most matches have only a limit of plies.
  std::optional<EarlyEnd> AddPly(const AnyState& state,
                                 const std::optional<PerSeat<double>>& eval) {
    ++plies_;
    if (state.outcome()) return std::nullopt;
    if (looks_at_game_) {
      if (const std::optional<EarlyEnd> end = Judge(state, eval)) return end;
    }
    if (plies_ < limits_.plies_max) return std::nullopt;
    return EarlyEnd{.winner = std::nullopt, .why = Termination::kPlyLimit};
  }

 private:
  // Consecutive plies that favour the same seat.
  struct Run {
    Seat seat = Seat::kFirst;
    int64_t plies = 0;

    void Add(std::optional<Seat> favorite);
  };

  // Applies the limits other than that of the plies.
  std::optional<EarlyEnd> Judge(const AnyState& state, const std::optional<PerSeat<double>>& eval);
  std::optional<EarlyEnd> ByEvaluations(const AnyState& state,
                                        const std::optional<PerSeat<double>>& eval);
  std::optional<EarlyEnd> ByMaterial(const AnyState& state);

  const Adjudication limits_;
  const bool looks_at_game_;  // whether there are limits other than that of the plies
  int64_t plies_ = 0;
  Run eval_run_;
  Run material_run_;
  int64_t even_plies_ = 0;  // consecutive plies whose evaluations are even
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_ADJUDICATOR_H_
