// Implements `triarch net`: describes and checks the networks of the searchers.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "bots/nnue/net_evaluator.h"
#include "bots/nnue/network_file.h"
#include "bots/nnue/networks.h"
#include "bots/search/points.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/report.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/evaluate.h"
#include "core/features.h"
#include "core/games.h"
#include "core/text.h"

namespace triarch {
namespace {

using SharedNetwork = std::shared_ptr<const nnue::Network>;

struct NetOptions {
  std::string file;
  int64_t positions = 10'000;
  uint64_t seed = 1;
};

// Takes a file, or the name of a game for its bundled network.
absl::StatusOr<SharedNetwork> ReadNet(const std::string& word) {
  if (SharedNetwork bundled = nnue::BundledNetwork(word)) return bundled;
  absl::StatusOr<SharedNetwork> network = nnue::ReadNetwork(word);
  if (!absl::IsNotFound(network.status())) return network;
  return absl::NotFoundError(absl::StrFormat("%s; for a bundled network: %s",
                                             network.status().message(),
                                             FindGame(word).status().message()));
}

absl::Status ShowInfo(const NetOptions& options) {
  ASSIGN_OR_RETURN(const SharedNetwork network, ReadNet(options.file));
  const nnue::NetworkData& data = network->data();
  Print(absl::StrFormat(
      "game         %s\nfeatures     %d\naccumulator  %d\nhidden       %d\nleads        %d\nbytes  "
      "      %d\n"
      "digest       %s\nmade by      %s\n",
      data.game, data.features, data.accumulator, nnue::kHidden, data.leads,
      nnue::NetworkBytes(*network).size(), network->digest(), network->description()));
  return absl::OkStatus();
}

// Plays random games, and compares what each position gets from the one before with what it gets
// anew.
template <HasFeatures P>
absl::Status CheckFor(const SharedNetwork& network, const NetOptions& options) {
  if (network->data().features != FeatureCount(kGame<P>)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "it has %d features; expected %d", network->data().features, FeatureCount(kGame<P>)));
  }
  nnue::NetEvaluator<P> updated(network);
  Random random(options.seed);
  double share_of_mover = 0;
  int64_t count = 0;
  while (count < options.positions) {
    ASSIGN_OR_RETURN(const P start, Start(kGame<P>, ""));
    GameState<P> state(start);
    while (!state.outcome() && count < options.positions) {
      const auto moves = state.position().LegalMoves();
      state.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
      if (state.outcome()) break;
      const Seat mover = state.position().to_move();
      const PerSeat<int> leads = updated.Leads(state.position(), mover);
      if (nnue::NetEvaluator<P>(network).Leads(state.position(), mover) != leads) {
        return absl::InternalError("the updated value of a position differs from a new one: " +
                                   ToString(state.position()));
      }
      const Score points = PointsFromLeads(state.position(), mover, leads);
      share_of_mover += points / static_cast<double>(kPoint);
      ++count;
    }
  }
  Print(
      absl::StrFormat("%d positions of random games: updated and new values are equal; the mover "
                      "expects %.3f points\n",
                      count, share_of_mover / static_cast<double>(count)));
  return absl::OkStatus();
}

absl::Status CheckNet(const NetOptions& options) {
  ASSIGN_OR_RETURN(const SharedNetwork network, ReadNet(options.file));
  RETURN_IF_ERROR(FindGame(network->data().game).status());
  absl::Status status;
  ForEachGame(Games(), [&]<Position P>() {
    if (P::kInfo.name != network->data().game) return false;
    status = CheckFor<P>(network, options);
    return true;
  });
  return status;
}

int RunInfo(const NetOptions& options) { return Finish(ShowInfo(options)); }
int RunCheck(const NetOptions& options) { return Finish(CheckNet(options)); }

}  // namespace

void AddNetCommands(const Command& app) {
  const Command group = app.AddCommand("net", "Describe or check a network of the searchers.");
  group.RequireCommand();
  auto options = std::make_shared<NetOptions>();
  const Command info =
      group.AddCommand("info", "Show the sizes of a network, and how it was made.");
  info.AddFile({"FILE", "", "A network, or the name of a game for its bundled one"}, &options->file)
      .Required();
  info.Footer("Example:\n  triarch net info ./mine.net");
  info.OnRun(options, RunInfo);
  const Command check =
      group.AddCommand("check", "Check a network's digest, and that its updated values are right.");
  check
      .AddFile({"FILE", "", "A network, or the name of a game for its bundled one"}, &options->file)
      .Required();
  check.AddNumber({"--positions", "N", "Compare this many positions of random games"},
                  {1, 1'000'000'000}, &options->positions);
  check.AddNumber({"--seed", "S", "Play them with this seed"}, &options->seed);
  check.Footer("Example:\n  triarch net check ./mine.net");
  check.OnRun(options, RunCheck);
  group.Footer("Examples:\n  triarch net info ./mine.net\n  triarch net check ./mine.net");
}

}  // namespace triarch
