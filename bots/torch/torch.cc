// Registers the bot `torch`, a tree search with the user's own model.

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bots/search/search_player.h"
#include "bots/torch/puct.h"
#include "bots/torch/torch_models.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::array<std::string_view, 2> kDevices = {"cpu", "cuda"};

constexpr std::array kOptions = {
    BotOption{.name = kModelOption, .description = "the TorchScript file, as an absolute path"},
    BotOption{.name = "device",
              .description = "where the model runs",
              .type = BotOption::Type::kChoice,
              .choices = kDevices},
    NodesOption("simulations per move; with 1 the policy's best move is played", 800),
    NumberOption("cpuct", "weight of the policy against the values", 0, 100, PuctOptions().cpuct),
    WholeOption("leaves", "positions that a game requests per round", 1, 1'024,
                PuctOptions().leaves),
    WholeOption("batch", "maximum number of positions in a batch, over all games", 1, 65'536, 64),
    WholeOption("wait_us", "microseconds to wait for a full batch", 0, 1e6, 500),
    WholeOption("threads", "CPU threads for one batch", 1, 1'024, 1),
    kResignOption};

absl::Status Check(const BotOptionValues& options) {
  if (!options.is_given(kModelOption)) {
    return absl::InvalidArgumentError(
        "bot \"torch\" needs its option model: the path of a TorchScript file");
  }
  const std::string model = options.Text(kModelOption);
  if (model.starts_with('/')) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "option model of bot \"torch\": expected an absolute path, not " + Quote(model));
}

absl::Status CheckHere(const BotOptionValues& /*options*/) { return CheckTorch(); }

template <Position P>
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakeFor(const PlayerRequest& request) {
  const BotOptionValues& options = request.options;
  const TorchSettings settings{.model = options.Text(kModelOption),
                               .device = options.Text("device"),
                               .batch = *options.Whole("batch"),
                               .wait_us = *options.Whole("wait_us"),
                               .threads = *options.Whole("threads")};
  ASSIGN_OR_RETURN(std::shared_ptr<EvalQueue> queue,
                   FindTorchModel(settings, ShapeOf<P>(), request.spec.digest));
  // A request larger than a batch could not be combined with those of other games.
  const int64_t leaves = std::min(*options.Whole("leaves"), settings.batch);
  const PuctOptions puct{.cpuct = *options.Number("cpuct"), .leaves = static_cast<int>(leaves)};
  return std::make_unique<SearchPlayer<Puct<P>>>(request, puct, std::move(queue));
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  return MakeForGame(request.game, [&]<Position P>() { return MakeFor<P>(request); });
}

}  // namespace

extern constinit const BundledBot kTorchModelBot{
    .name = kTorchBot,
    .description = "tree search with your own model, a TorchScript file (docs/bots.md)",
    .options = kOptions,
    .make = Make,
    .check = Check,
    .check_here = CheckHere};

}  // namespace triarch
