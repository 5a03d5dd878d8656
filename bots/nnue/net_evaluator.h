// Evaluates positions of one game with a network, from what changed since the last one.

#ifndef TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_
#define TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bots/nnue/network.h"
#include "core/game/features.h"
#include "core/game/seat.h"

namespace triarch::nnue {

// A search visits one position after another, and neighbours differ by a move or two. So the
// accumulators of the last position are changed into those of the next one, wherever it comes from:
// the search needs to know nothing of it. An elimination in Triumvirate changes the owners of many
// pieces; then the accumulators are made anew.
template <HasFeatures P>
class NetEvaluator {
 public:
  // Requires: the network is one of this game.
  explicit NetEvaluator(std::shared_ptr<const Network> network) : network_(std::move(network)) {
    for (auto& accumulator : accumulators_) accumulator.resize(network_->data().accumulator);
  }

  // Returns the standing of each seat that is in, in hundredths of a pawn; 0 for others.
  PerSeat<int> Evaluate(const P& position) {
    const uint32_t flags = Flags(position);
    if (last_) ListChanges(*last_, flags_, position, flags, lost_, gained_);
    if (!last_ || lost_.size() + gained_.size() > kChangesMax) {
      Refresh(position);
    } else {
      Update();
    }
    last_ = position;
    flags_ = flags;
    PerSeat<int> standings;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (position.is_in(seat)) standings[seat] = network_->Standing(accumulators_[seat].data());
    }
    return standings;
  }

 private:
  // About as many as there are features.
  static constexpr size_t kChangesMax = 32;

  void Refresh(const P& position) {
    ListFeatures(position, gained_);
    lost_.clear();
    for (size_t i = 0; i < P::kInfo.seats; ++i) network_->Begin(accumulators_[SeatAt(i)].data());
    Update();
  }

  void Update() {
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      network_->Change(lost_, gained_, views_[seat], accumulators_[seat].data());
    }
  }

  const std::shared_ptr<const Network> network_;
  const FeatureViews& views_ = ViewsOfFeatures<P>();
  std::optional<P> last_;
  uint32_t flags_ = 0;
  PerSeat<std::vector<int16_t>> accumulators_;
  FeatureList lost_;
  FeatureList gained_;
};

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_
