// Makes players whose searchers evaluate positions with a network.

#ifndef TRIARCH_BOTS_NNUE_NET_PLAYER_H_
#define TRIARCH_BOTS_NNUE_NET_PLAYER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "bots/nnue/networks.h"
#include "bots/search/search_player.h"
#include "core/base/status_macros.h"
#include "core/features.h"
#include "core/game/evaluate.h"

namespace triarch::nnue {

// Makes a player for the requested game. Its searcher gets the arguments, and then the network that
// the option `net` names. Returns the errors of FindNetwork.
template <template <HasEvaluation> class Searcher, class... Args>
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakeNetPlayer(const PlayerRequest& request,
                                                          const Args&... args) {
  using Made = absl::StatusOr<std::unique_ptr<SyncPlayer>>;
  return MakeForGame(request.game, [&]<Position P>() -> Made {
    constexpr bool kTakesBundled = !Searcher<P>::kNeedsAllViews || P::kInfo.seats == 2;
    ASSIGN_OR_RETURN(
        std::shared_ptr<const Network> network,
        FindNetwork(request, FeatureCount(kGame<P>), kTakesBundled ? kBundledNet : kNoNet));
    return std::make_unique<SearchPlayer<Searcher<P>>>(request, args..., std::move(network));
  });
}

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NET_PLAYER_H_
