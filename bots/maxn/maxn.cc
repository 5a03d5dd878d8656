// Registers the bot `maxn`.

#include "bots/maxn/maxn.h"

#include <array>
#include <memory>
#include <utility>

#include "bots/nnue/networks.h"
#include "bots/search/search_player.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {kDepthOption, kPositionsOption, nnue::kNetworkOption,
                                 kResignOption};

template <Position P>
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakeFor(const PlayerRequest& request) {
  ASSIGN_OR_RETURN(std::shared_ptr<const nnue::Network> network, nnue::NetworkFor<P>(request));
  return std::make_unique<SearchPlayer<Maxn<P>>>(request, std::move(network));
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() { return MakeFor<P>(request); });
}

}  // namespace

extern constinit const BundledBot kMaxnBot{
    .name = "maxn",
    .description = "max^n search that assumes each seat plays for itself",
    .options = kOptions,
    .make = Make,
    .check = nnue::CheckNetOption};

}  // namespace triarch
