// Registers the bot `mcts`.

#include "bots/mcts/mcts.h"

#include <array>
#include <memory>

#include "bots/nnue/net_player.h"
#include "bots/search/search_options.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {
    NodesOption("simulations per move", 2'000),
    NumberOption("exploration", "how widely to explore moves that look worse", 0, 10,
                 MctsOptions().exploration),
    nnue::kAllViewsNetworkOption, kResignOption};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  const MctsOptions options{.exploration = *request.options.Number("exploration")};
  return nnue::MakeNetPlayer<Mcts>(request, options);
}

}  // namespace

extern constinit const BundledBot kMctsBot{
    .name = "mcts",
    .description = "Monte Carlo tree search with a vector of rewards",
    .options = kOptions,
    .make = Make,
    .check = nnue::CheckNetOption};

}  // namespace triarch
