// Registers the bot `maxn`.

#include "bots/maxn/maxn.h"

#include <array>

#include "bots/search/search_player.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {kDepthOption, kPositionsOption, kResignOption};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(
      request.game, [&]<Position P>() { return std::make_unique<SearchPlayer<Maxn<P>>>(request); });
}

}  // namespace

extern constinit const BundledBot kMaxnBot{
    .name = "maxn",
    .description = "max^n search that assumes each seat plays for itself",
    .options = kOptions,
    .make = Make};

}  // namespace triarch
