// Registers the bot `maxn`.

#include "bots/maxn/maxn.h"

#include <array>

#include "bots/nnue/net_player.h"
#include "bots/search/search_options.h"

namespace triarch {
namespace {

constexpr std::array kOptions = {kDepthOption, kPositionsOption, nnue::kAllViewsNetworkOption,
                                 kResignOption};

}  // namespace

extern constinit const BundledBot kMaxnBot{
    .name = "maxn",
    .description = "max^n search that assumes each seat plays for itself",
    .options = kOptions,
    .make = nnue::MakeNetPlayer<Maxn>,
    .check = nnue::CheckNetOption};

}  // namespace triarch
