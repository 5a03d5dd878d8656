// Makes the planner of a tournament.

#include "coordinator/experiments/adaptive_planner.h"
#include "coordinator/experiments/best_of.h"
#include "coordinator/experiments/event_planners.h"
#include "coordinator/experiments/planner.h"
#include "coordinator/experiments/tune.h"
#include "core/any_state.h"
#include "core/base/check.h"

namespace triarch::experiments {

std::unique_ptr<Planner> MakePlanner(const TournamentSpec& spec) {
  const size_t seats = (*FindGame(spec.game))->seats;
  if (spec.tune) return std::make_unique<Tune>(spec, seats);
  if (spec.best_of) return std::make_unique<BestOf>(spec, seats);
  switch (spec.format) {
    case Format::kAdaptive:
      return std::make_unique<AdaptivePlanner>(spec, seats);
    case Format::kSwiss:
      return std::make_unique<SwissPlanner>(spec, seats);
    case Format::kKnockout:
      return std::make_unique<KnockoutPlanner>(spec, seats);
    case Format::kLeague:
      return std::make_unique<LeaguePlanner>(spec, seats);
    default:
      CHECK(false);
      return nullptr;
  }
}

}  // namespace triarch::experiments
