#include "core/record/adjudicator.h"

namespace triarch {

void Adjudicator::AddPly(const std::optional<PerSeat<double>>& eval) {
  ++plies_;
  if (limits_.win_share <= 0) return;
  if (!eval) {
    row_plies_ = 0;
    return;
  }
  Seat best = Seat::kFirst;
  for (size_t i = 1; i < seats_; ++i) {
    if ((*eval)[SeatAt(i)] > (*eval)[best]) best = SeatAt(i);
  }
  const bool is_decided = (*eval)[best] >= limits_.win_share;  // false for NaN
  if (best != favorite_ || !is_decided) row_plies_ = 0;
  favorite_ = best;
  if (is_decided) ++row_plies_;
}

}  // namespace triarch
