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

  // Returns how far a seat leads each other seat, in hundredths of a pawn. A network computes only
  // the views of the seats that the search needs.
  const PerSeat<int>& Leads(const P& position, Seat seat) {
    const uint64_t key = position.key();
    Entry& entry = entries_[key % kEntries];
    if (entry.key != key) entry = {.key = key};
    if ((entry.known >> Index(seat) & 1) == 0) Compute(position, seat, entry);
    return entry.leads[seat];
  }

  // Returns the points that a seat may expect in its own view.
  Score PointsOf(const P& position, Seat seat) {
    return PointsFromLeads(position, seat, Leads(position, seat));
  }

  // Returns the points that all seats may expect. The lead of one over another is the mean of what
  // both of them see.
  PerSeat<Score> Points(const P& position) {
    return PointsFromPairs<P>([&](Seat a, Seat b) {
      if (!position.is_in(a) || !position.is_in(b)) return SettledChance(position, a, b);
      return BeatChance((Leads(position, a)[b] - Leads(position, b)[a]) / 2);
    });
  }

 private:
  static constexpr size_t kEntries = size_t{1} << 14;

  struct Entry {
    uint64_t key = 0;
    PerSeat<PerSeat<int>> leads = {};
    uint8_t known = 0;  // a bit for each seat whose leads are there
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

  void Compute(const P& position, Seat seat, Entry& entry) {
    if constexpr (HasFeatures<P>) {
      if (net_) {
        entry.leads[seat] = net_->Leads(position, seat);
        entry.known |= static_cast<uint8_t>(1U << Index(seat));
        return;
      }
    }
    const PerSeat<int> standings = Evaluate(position);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      for (size_t j = 0; j < P::kInfo.seats; ++j) {
        entry.leads[SeatAt(i)][SeatAt(j)] = standings[SeatAt(i)] - standings[SeatAt(j)];
      }
    }
    entry.known = (1U << P::kInfo.seats) - 1;
  }

  std::optional<typename NetOf<P>::Type> net_;
  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_EVALUATION_CACHE_H_
