// Registers the bot `paranoid`.

#include "bots/paranoid/paranoid.h"

#include <array>

#include "bots/search/search_player.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {kDepthOption, kPositionsOption, kResignOption};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() {
    return std::make_unique<SearchPlayer<Paranoid<P>>>(request);
  });
}

}  // namespace

extern constinit const BundledBot kParanoidBot{.name = "paranoid",
                                               .description =
                                                   "alpha-beta search that assumes all others play "
                                                   "together against it (plain with two players)",
                                               .options = kOptions,
                                               .make = Make};

}  // namespace triarch
