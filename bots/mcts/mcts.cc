// Registers the bot `mcts`.

#include "bots/mcts/mcts.h"

#include <array>

#include "bots/search/search_player.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {
    NodesOption("simulations per move", 2'000),
    NumberOption("exploration", "how widely to explore moves that look worse", 0, 10,
                 MctsOptions().exploration),
    kResignOption};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  const MctsOptions options{.exploration = *request.options.Number("exploration")};
  return MakeForGame(request.game, [&]<Position P>() {
    return std::make_unique<SearchPlayer<Mcts<P>>>(request, options);
  });
}

}  // namespace

extern constinit const BundledBot kMctsBot{
    .name = "mcts",
    .description = "Monte Carlo tree search with a vector of rewards",
    .options = kOptions,
    .make = Make};

}  // namespace triarch
