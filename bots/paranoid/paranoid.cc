// Registers the bot `paranoid`.

#include "bots/paranoid/paranoid.h"

#include <array>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/nnue/net_player.h"
#include "bots/search/search_options.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr BotOption kValuesOption{
    .name = "values",
    .description =
        "the seats whose points are searched ones: own, or all, with another search for "
        "each other seat, for self-play data",
    .default_note = "own"};
constexpr std::array kOptions = {kDepthOption, kPositionsOption, nnue::kNetworkOption,
                                 kResignOption, kValuesOption};

absl::Status Check(const BotOptionValues& options) {
  if (options.is_given("values")) {
    const std::string values = options.Text("values");
    if (values != "own" && values != "all") {
      return absl::InvalidArgumentError("option values: expected own or all, not " + Quote(values));
    }
  }
  return nnue::CheckNetOption(options);
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  ParanoidOptions options;
  options.searches_all =
      request.options.is_given("values") && request.options.Text("values") == "all";
  return nnue::MakeNetPlayer<Paranoid>(request, options);
}

}  // namespace

extern constinit const BundledBot kParanoidBot{.name = "paranoid",
                                               .description =
                                                   "alpha-beta search that assumes all others play "
                                                   "together against it (plain with two players)",
                                               .options = kOptions,
                                               .make = Make,
                                               .check = Check};

}  // namespace triarch
