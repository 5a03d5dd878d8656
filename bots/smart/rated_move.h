// Holds a move with its rating, and derives a policy from ratings.

#ifndef TRIARCH_BOTS_SMART_RATED_MOVE_H_
#define TRIARCH_BOTS_SMART_RATED_MOVE_H_

#include <cstddef>
#include <vector>

#include "bots/search/root.h"
#include "bots/search/searcher.h"
#include "bots/smart/rating.h"
#include "core/base/portable_math.h"

namespace triarch {

template <HasAttackers P>
struct RatedMove {
  RootMove<P> root;
  Rating rating;
};

// A lead of this many hundredths of a pawn makes a move e times as likely.
inline constexpr double kRatingScale = 60;

// Returns the softmax of the ratings. Requires: at least one move; the best comes first.
template <HasAttackers P>
std::vector<WeighedMove<typename P::Move>> PolicyOf(const std::vector<RatedMove<P>>& rated) {
  const int best = rated.front().rating.total();
  std::vector<double> weights;
  double sum = 0;
  for (const RatedMove<P>& move : rated) {
    weights.push_back(PortableExp((move.rating.total() - best) / kRatingScale));
    sum += weights.back();
  }
  std::vector<WeighedMove<typename P::Move>> policy;
  for (size_t i = 0; i < rated.size(); ++i) {
    policy.push_back({rated[i].root.move, static_cast<float>(weights[i] / sum)});
  }
  return policy;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_RATED_MOVE_H_
