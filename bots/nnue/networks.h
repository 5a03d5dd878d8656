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

// The option of every searcher that plays with a network.
inline constexpr BotOption kNetworkOption{
    .name = kNetOption,
    .description = "the evaluation: none (made by hand), bundled (a network), or a network file",
    .default_note = kNoNet};

// Returns the network that comes with this program; null if the game has none.
std::shared_ptr<const Network> BundledNetwork(std::string_view game);

// Reads the networks of files. A library without it knows only the bundled ones.
using NetworkReader = absl::StatusOr<std::shared_ptr<const Network>> (*)(const std::string& path,
                                                                         const std::string& digest);
void ReadNetworksWith(NetworkReader reader);

// Checks the value of the option, but not the file. InvalidArgument: it is no absolute path.
absl::Status CheckNetOption(const BotOptionValues& options);

// Returns the network that the option names: null for the hand-made evaluation. Returns the errors
// of the reader, NotFound if the game has no bundled network, and InvalidArgument if the network is
// one of another game, or of other features.
absl::StatusOr<std::shared_ptr<const Network>> FindNetwork(const PlayerRequest& request,
                                                           size_t features);

template <HasFeatures P>
absl::StatusOr<std::shared_ptr<const Network>> NetworkFor(const PlayerRequest& request) {
  return FindNetwork(request, FeatureCount(kGame<P>));
}

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NETWORKS_H_
