// Remembers the evaluations of positions that a search visits again.

#ifndef TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_
#define TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bots/search/points.h"
#include "core/game/evaluate.h"

namespace triarch {

// A quarter of the positions that a search evaluates are transpositions or were evaluated on an
// earlier iteration, and the evaluation is the most expensive part of a search. Like the other
// tables of a search, it takes positions with equal keys for equal.
template <HasEvaluation P>
class EvaluationCache {
 public:
  // Forgets everything, so that a game never depends on earlier games.
  void Clear() { entries_.assign(kEntries, {}); }

  // Returns Evaluate(position).
  const PerSeat<int>& Of(const P& position) {
    const uint64_t key = position.key();
    Entry& entry = entries_[key % kEntries];
    if (entry.key != key) entry = {key, Evaluate(position)};
    return entry.standings;
  }

  // Returns ExpectedPoints(position).
  PerSeat<Score> Points(const P& position) { return PointsFromStandings(position, Of(position)); }

 private:
  static constexpr size_t kEntries = size_t{1} << 14;

  struct Entry {
    uint64_t key = 0;
    PerSeat<int> standings{};
  };

  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_
