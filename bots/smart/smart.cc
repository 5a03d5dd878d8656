// Registers the bot `smart`.

#include "bots/smart/smart.h"

#include <array>

#include "bots/search/search_player.h"
#include "core/attackers.h"

namespace triarch {
namespace {

constexpr BotOption WeightOption(std::string_view name, std::string_view description) {
  return NumberOption(name, description, 0, 10, 1);
}

constexpr std::array kOptions = {
    WeightOption("material", "weight of the capture and possible recaptures"),
    WeightOption("defence", "weight of threats that the move answers"),
    WeightOption("tactics", "weight of checks, forks and draws"),
    WeightOption("position", "weight of mobility, centre and king safety"),
    WeightOption("risk", "weight of the pieces that the move leaves hanging"),
    kResignOption};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  const BotOptionValues& options = request.options;
  const SmartWeights weights{.material = *options.Number("material"),
                             .defence = *options.Number("defence"),
                             .tactics = *options.Number("tactics"),
                             .position = *options.Number("position"),
                             .risk = *options.Number("risk")};
  return MakeForGame(request.game, [&]<Position P>() {
    return std::make_unique<SearchPlayer<Smart<P>>>(request, weights);
  });
}

}  // namespace

extern constinit const BundledBot kSmartBot{
    .name = "smart",
    .description =
        "rates each move by material, defence, tactics, position and risk, and explains why",
    .options = kOptions,
    .make = Make};

}  // namespace triarch
