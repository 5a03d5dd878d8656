#include "core/record/adjudicator.h"

#include <algorithm>
#include <cmath>

#include "absl/container/inlined_vector.h"
#include "core/record/material.h"

namespace triarch {
namespace {

using Eval = std::optional<PerSeat<double>>;

using Seats = absl::InlinedVector<Seat, kSeatsMax>;

Seats SurvivorsOf(const AnyState& state) {
  Seats survivors;
  for (size_t i = 0; i < state.info().seats; ++i) {
    if (state.is_in(SeatAt(i))) survivors.push_back(SeatAt(i));
  }
  return survivors;
}

// Returns the survivor to whom the evaluation gives at least this share of the points.
std::optional<Seat> FavoriteOf(const Seats& survivors, const Eval& eval, double share) {
  for (const Seat seat : survivors) {
    if (eval && (*eval)[seat] >= share) return seat;  // false for NaN
  }
  return std::nullopt;
}

bool IsEven(const Seats& survivors, const Eval& eval, double margin) {
  const double equal = 1 / static_cast<double>(survivors.size());
  return eval && std::all_of(survivors.begin(), survivors.end(), [&](Seat seat) {
           return std::abs((*eval)[seat] - equal) <= margin;  // false for NaN
         });
}

// Returns the survivor with at least this much more material than every other survivor.
std::optional<Seat> LeaderOf(const Seats& survivors, const PerSeat<int64_t>& material,
                             int64_t lead) {
  for (const Seat seat : survivors) {
    const bool leads = std::all_of(survivors.begin(), survivors.end(), [&](Seat other) {
      return other == seat || material[seat] - material[other] >= lead;
    });
    if (leads) return seat;
  }
  return std::nullopt;
}

int64_t SpreadOf(const Seats& survivors, const PerSeat<int64_t>& material) {
  const auto less = [&](Seat a, Seat b) { return material[a] < material[b]; };
  const auto [least, most] = std::minmax_element(survivors.begin(), survivors.end(), less);
  return material[*most] - material[*least];
}

}  // namespace

void Adjudicator::Run::Add(std::optional<Seat> favorite) {
  if (!favorite || *favorite != seat) plies = 0;
  if (!favorite) return;
  seat = *favorite;
  ++plies;
}

Adjudicator::Adjudicator(const Adjudication& limits)
    : limits_(limits),
      looks_at_game_(limits.win_share > 0 || limits.draw_margin > 0 || limits.win_material > 0 ||
                     limits.idle_plies > 0) {}

std::optional<EarlyEnd> Adjudicator::Judge(const AnyState& state, const Eval& eval) {
  const std::optional<EarlyEnd> end = ByEvaluations(state, eval);
  return end ? end : ByMaterial(state);
}

std::optional<EarlyEnd> Adjudicator::ByEvaluations(const AnyState& state, const Eval& eval) {
  if (limits_.win_share <= 0 && limits_.draw_margin <= 0) return std::nullopt;
  const Seats survivors = SurvivorsOf(state);
  if (limits_.win_share > 0) {
    eval_run_.Add(FavoriteOf(survivors, eval, limits_.win_share));
    if (eval_run_.plies > 0 && eval_run_.plies >= limits_.win_plies) {
      return EarlyEnd{eval_run_.seat, Termination::kAdjudication};
    }
  }
  if (limits_.draw_margin <= 0) return std::nullopt;
  even_plies_ = IsEven(survivors, eval, limits_.draw_margin) ? even_plies_ + 1 : 0;
  if (even_plies_ < limits_.draw_plies || plies_ < limits_.draw_after) return std::nullopt;
  return EarlyEnd{{}, Termination::kAdjudication};
}

std::optional<EarlyEnd> Adjudicator::ByMaterial(const AnyState& state) {
  // The moves before the start do not count.
  const bool is_idle = limits_.idle_plies > 0 && plies_ >= limits_.idle_plies &&
                       state.halfmove_clock() >= limits_.idle_plies;
  if (limits_.win_material <= 0 && !is_idle) return std::nullopt;
  const Seats survivors = SurvivorsOf(state);
  const PerSeat<int64_t> material = MaterialOf(state);
  if (limits_.win_material > 0) {
    material_run_.Add(LeaderOf(survivors, material, limits_.win_material));
    if (material_run_.plies > 0 && material_run_.plies >= limits_.material_plies) {
      return EarlyEnd{material_run_.seat, Termination::kMaterialAdjudication};
    }
  }
  if (!is_idle || SpreadOf(survivors, material) > limits_.idle_material) return std::nullopt;
  return EarlyEnd{{}, Termination::kMaterialAdjudication};
}

}  // namespace triarch
