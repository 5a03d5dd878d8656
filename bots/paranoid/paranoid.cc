// Registers the bot `paranoid`.

#include "bots/paranoid/paranoid.h"

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
  return std::make_unique<SearchPlayer<Paranoid<P>>>(request, std::move(network));
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() { return MakeFor<P>(request); });
}

}  // namespace

extern constinit const BundledBot kParanoidBot{.name = "paranoid",
                                               .description =
                                                   "alpha-beta search that assumes all others play "
                                                   "together against it (plain with two players)",
                                               .options = kOptions,
                                               .make = Make,
                                               .check = nnue::CheckNetOption};

}  // namespace triarch
