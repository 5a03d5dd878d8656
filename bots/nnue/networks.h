// Finds the network with which a searcher plays.

#ifndef TRIARCH_BOTS_NNUE_NETWORKS_H_
#define TRIARCH_BOTS_NNUE_NETWORKS_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/bot.h"
#include "bots/nnue/network.h"
#include "core/game/features.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"

namespace triarch::nnue {

// The option of a searcher that plays with a network. The second one is for searchers that need the
// views of all seats (kNeedsAllViews): with three, a network costs them more than it gains.
constexpr BotOption NetworkOption(std::string_view default_note) {
  return {
      .name = kNetOption,
      .description = "the evaluation: bundled (a network), none (made by hand), or a network file",
      .default_note = default_note};
}
inline constexpr BotOption kNetworkOption = NetworkOption(kBundledNet);
inline constexpr BotOption kAllViewsNetworkOption =
    NetworkOption("bundled; none with three players");

// Returns the network that comes with this program; null if the game has none.
std::shared_ptr<const Network> BundledNetwork(std::string_view game);

// Reads the networks of files. A library without it knows only the bundled ones.
using NetworkReader = absl::StatusOr<std::shared_ptr<const Network>> (*)(const std::string& path,
                                                                         const std::string& digest);
void ReadNetworksWith(NetworkReader reader);

// Checks the value of the option, but not the file. InvalidArgument: it is no absolute path.
absl::Status CheckNetOption(const BotOptionValues& options);

// Returns the network that the option names: null for the hand-made evaluation. Without the option,
// `default_net` names it; a bundled network that the game lacks is then null. Returns the errors of
// the reader, NotFound if the option asks for a bundled network that the game lacks, and
// InvalidArgument if the network is one of another game, or of other features.
absl::StatusOr<std::shared_ptr<const Network>> FindNetwork(const PlayerRequest& request,
                                                           size_t features,
                                                           std::string_view default_net);

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NETWORKS_H_
