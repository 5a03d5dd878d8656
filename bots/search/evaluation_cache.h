// Evaluates positions for a search, and remembers those that it visits again.

#ifndef TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_
#define TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bots/nnue/net_evaluator.h"
#include "bots/nnue/network.h"
#include "bots/search/points.h"
#include "core/features.h"
#include "core/game/evaluate.h"

namespace triarch {

// Evaluates positions with a network, or by hand (the game's Evaluate()) without one. The
// evaluation is the most expensive part of a search, and a quarter of the positions come up again:
// as transpositions, or on the next iteration. Like the other tables of a search, this one treats
// positions with equal keys as equal.
template <HasEvaluation P>
class EvaluationCache {
 public:
  // Requires: the network, which may be null, is one of this game.
  explicit EvaluationCache(std::shared_ptr<const nnue::Network> network = nullptr) {
    if constexpr (HasFeatures<P>) {
      if (network) net_.emplace(std::move(network));
    }
  }

  // Forgets everything, so that a game never depends on earlier games.
  void Clear() { entries_.assign(kEntries, {}); }

  // Returns how the seats stand, in hundredths of a pawn (core/game/evaluate.h).
  const PerSeat<int>& Of(const P& position) {
    const uint64_t key = position.key();
    Entry& entry = entries_[key % kEntries];
    if (entry.key != key) entry = {key, Compute(position)};
    return entry.standings;
  }

  // Returns the points that the seats may expect.
  PerSeat<Score> Points(const P& position) { return PointsFromStandings(position, Of(position)); }

 private:
  static constexpr size_t kEntries = size_t{1} << 14;

  struct Entry {
    uint64_t key = 0;
    PerSeat<int> standings{};
  };
  struct NoNet {};
  template <class Game>
  struct NetOf {
    using Type = NoNet;
  };
  template <HasFeatures Game>
  struct NetOf<Game> {
    using Type = nnue::NetEvaluator<Game>;
  };

  PerSeat<int> Compute(const P& position) {
    if constexpr (HasFeatures<P>) {
      if (net_) return net_->Evaluate(position);
    }
    return Evaluate(position);
  }

  std::optional<typename NetOf<P>::Type> net_;
  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_
