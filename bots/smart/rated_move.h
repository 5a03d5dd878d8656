#ifndef TRIARCH_BOTS_SMART_RATED_MOVE_H_
#define TRIARCH_BOTS_SMART_RATED_MOVE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bots/search/root.h"
#include "bots/smart/rating.h"
#include "core/game/move_list.h"

namespace triarch {

template <HasAttackers P>
struct RatedMove {
  RootMove<P> root;
  Rating rating;
};

// A lead of so many hundredths of a pawn makes a move e times as likely.
inline constexpr double kRatingScale = 60;

// The softmax of the ratings, by number in the list of legal moves. `rated` are the same moves, the
// best first, at least one.
template <HasAttackers P>
std::vector<float> PolicyOf(const MoveList<typename P::Move>& moves,
                            const std::vector<RatedMove<P>>& rated) {
  const int best = rated.front().rating.total();
  std::vector<double> weights(moves.size());
  double sum = 0;
  for (const RatedMove<P>& move : rated) {
    const double weight = std::exp((move.rating.total() - best) / kRatingScale);
    weights[static_cast<size_t>(std::find(moves.begin(), moves.end(), move.root.move) -
                                moves.begin())] = weight;
    sum += weight;
  }
  std::vector<float> policy;
  for (const double weight : weights) policy.push_back(static_cast<float>(weight / sum));
  return policy;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_RATED_MOVE_H_
