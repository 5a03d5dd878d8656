#include "bots/nnue/networks.h"

#include <atomic>
#include <map>

#include "absl/strings/str_format.h"
#include "bots/nnue/bundled.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch::nnue {
namespace {

using SharedNetwork = std::shared_ptr<const Network>;

std::atomic<NetworkReader> network_reader = nullptr;

absl::StatusOr<SharedNetwork> ReadFile(const std::string& path, const std::string& digest) {
  const NetworkReader reader = network_reader;
  if (reader != nullptr) return reader(path, digest);
  return absl::UnimplementedError("this library reads no network files; expected net " +
                                  std::string(kBundledNet) + " or " + std::string(kNoNet));
}

}  // namespace

std::shared_ptr<const Network> BundledNetwork(std::string_view game) {
  static const std::map<std::string, SharedNetwork, std::less<>> networks = [] {
    std::map<std::string, SharedNetwork, std::less<>> all;
    for (const std::string_view bytes : BundledBytes()) {
      absl::StatusOr<SharedNetwork> network = Network::FromBytes(bytes);
      CHECK(network.ok());  // a test reads them, too
      all[(*network)->data().game] = *std::move(network);
    }
    return all;
  }();
  const auto found = networks.find(game);
  return found == networks.end() ? nullptr : found->second;
}

void ReadNetworksWith(NetworkReader reader) { network_reader = reader; }

absl::Status CheckNetOption(const BotOptionValues& options) {
  if (!options.is_given(kNetOption)) return absl::OkStatus();
  const std::string net = options.Text(kNetOption);
  if (net == kBundledNet || net == kNoNet || net.starts_with('/')) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("option net: expected %s, %s or the absolute path of a network file, not %s",
                      std::string(kBundledNet), std::string(kNoNet), Quote(net)));
}

absl::StatusOr<SharedNetwork> FindNetwork(const PlayerRequest& request, size_t features,
                                          std::string_view default_net) {
  const bool is_given = request.options.is_given(kNetOption);
  const std::string net = is_given ? request.options.Text(kNetOption) : std::string(default_net);
  if (net == kNoNet) return nullptr;
  if (net == kBundledNet) {
    SharedNetwork bundled = BundledNetwork(request.game.name);
    if (bundled || !is_given) return bundled;
    return absl::NotFoundError("no network of " + std::string(request.game.name) +
                               " comes with this program");
  }
  absl::StatusOr<SharedNetwork> network = ReadFile(net, request.spec.digest);
  if (!network.ok()) return network;
  const NetworkData& data = (*network)->data();
  const size_t others = request.game.seats - 1;
  if (data.game == request.game.name && data.features == features && data.leads == others) {
    return network;
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s is a network of %s with %d features and %d leads; expected one of %s with %d and %d",
      Quote(net), Quote(data.game), data.features, data.leads, std::string(request.game.name),
      features, others));
}

}  // namespace triarch::nnue
