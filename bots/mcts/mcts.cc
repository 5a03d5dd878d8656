// Registers the bot `mcts`.

#include "bots/mcts/mcts.h"

#include <array>
#include <memory>
#include <utility>

#include "bots/nnue/networks.h"
#include "bots/search/search_player.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {
    NodesOption("simulations per move", 2'000),
    NumberOption("exploration", "how widely to explore moves that look worse", 0, 10,
                 MctsOptions().exploration),
    nnue::kNetworkOption, kResignOption};

template <Position P>
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakeFor(const PlayerRequest& request) {
  ASSIGN_OR_RETURN(std::shared_ptr<const nnue::Network> network, nnue::NetworkFor<P>(request));
  const MctsOptions options{.exploration = *request.options.Number("exploration")};
  return std::make_unique<SearchPlayer<Mcts<P>>>(request, options, std::move(network));
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() { return MakeFor<P>(request); });
}

}  // namespace

extern constinit const BundledBot kMctsBot{
    .name = "mcts",
    .description = "Monte Carlo tree search with a vector of rewards",
    .options = kOptions,
    .make = Make,
    .check = nnue::CheckNetOption};

}  // namespace triarch
