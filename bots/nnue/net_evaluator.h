// Evaluates positions of one game with a network, from what changed since the last one.

#ifndef TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_
#define TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_

#include <cstddef>
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
// accumulator of a seat's view is changed from its last position to the next one, wherever that
// comes from: the search needs to know nothing of it. An elimination in Triumvirate changes the
// owners of many pieces; then the accumulator is made anew.
template <HasFeatures P>
class NetEvaluator {
 public:
  // Requires: the network is one of this game.
  explicit NetEvaluator(std::shared_ptr<const Network> network) : network_(std::move(network)) {
    for (View& view : views_) view.accumulator.resize(network_->data().accumulator);
  }

  // Returns how far the seat leads each other seat in its own view, in hundredths of a pawn. Where
  // one of them is out, the number means nothing.
  PerSeat<int> Leads(const P& position, Seat seat) {
    View& view = views_[seat];
    const uint32_t flags = Flags(position);
    if (view.last) ListChanges(*view.last, view.flags, position, flags, lost_, gained_);
    if (!view.last || lost_.size() + gained_.size() > kChangesMax) {
      ListFeatures(position, gained_);
      lost_.clear();
      network_->Begin(view.accumulator.data());
    }
    network_->Change(lost_, gained_, features_[seat], view.accumulator.data());
    view.last = position;
    view.flags = flags;
    const auto found = network_->Leads(view.accumulator.data());
    PerSeat<int> leads;
    constexpr size_t kSeats = P::kInfo.seats;
    for (size_t i = 1; i < kSeats; ++i) leads[SeatAt((Index(seat) + i) % kSeats)] = found[i - 1];
    return leads;
  }

 private:
  // About as many as there are features.
  static constexpr size_t kChangesMax = 32;

  struct View {
    std::optional<P> last;
    uint32_t flags = 0;
    std::vector<int16_t> accumulator;
  };

  const std::shared_ptr<const Network> network_;
  const FeatureViews& features_ = ViewsOfFeatures<P>();
  PerSeat<View> views_;
  FeatureList lost_;
  FeatureList gained_;
};

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NET_EVALUATOR_H_
