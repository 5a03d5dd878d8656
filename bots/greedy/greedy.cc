// Registers the bot `greedy`.

#include "bots/greedy/greedy.h"

#include "bots/search/search_player.h"

namespace triarch {
namespace {

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() {
    return std::make_unique<SearchPlayer<Greedy<P>>>(request);
  });
}

}  // namespace

extern constinit const BundledBot kGreedyBot{
    .name = "greedy",
    .description =
        "makes the capture that gains most by exchange value, else improves its standing",
    .make = Make};

}  // namespace triarch
