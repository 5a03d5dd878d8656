// Reads and writes the files of networks.

#include "bots/nnue/network_file.h"

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "absl/strings/str_format.h"
#include "core/base/mutex.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::nnue {
namespace {

using SharedNetwork = std::shared_ptr<const Network>;

template <class T>
std::string_view BytesOf(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

absl::StatusOr<std::string> ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) return absl::NotFoundError(absl::StrFormat("cannot read %s", Quote(path)));
  return bytes;
}

absl::StatusOr<SharedNetwork> ParseFile(const std::string& path, const std::string& bytes) {
  absl::StatusOr<SharedNetwork> network = ParseNetwork(bytes);
  if (network.ok()) return network;
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: %s", Quote(path), network.status().message()));
}

}  // namespace

absl::StatusOr<SharedNetwork> ParseNetwork(std::string_view bytes) {
  ASSIGN_OR_RETURN(SharedNetwork network, Network::FromBytes(bytes));
  if (Sha256Hex(bytes.substr(0, bytes.size() - kDigestDigits)) == network->digest()) {
    return network;
  }
  return absl::InvalidArgumentError("it is damaged: its SHA-256 differs from the one at its end");
}

absl::StatusOr<SharedNetwork> ReadNetwork(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadBytes(path));
  return ParseFile(path, bytes);
}

absl::StatusOr<SharedNetwork> ShareNetwork(const std::string& path, const std::string& digest) {
  struct Read {
    std::weak_ptr<const Network> network;
    std::string digest;  // of the whole file
  };
  static Mutex mutex;
  static std::map<std::string, Read> all;
  MutexLock lock(&mutex);
  Read& read = all[path];
  if (SharedNetwork network = read.network.lock(); network && read.digest == digest) {
    return network;
  }
  ASSIGN_OR_RETURN(const std::string bytes, ReadBytes(path));
  const std::string found = Sha256Hex(bytes);
  if (!digest.empty() && found != digest) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s has changed since the tournament began", Quote(path)));
  }
  ASSIGN_OR_RETURN(SharedNetwork network, ParseFile(path, bytes));
  read = {network, found};
  return network;
}

std::string NetworkBytes(const Network& network) {
  const NetworkData& data = network.data();
  const nlohmann::ordered_json json = {{"game", data.game},
                                       {"features", data.features},
                                       {"accumulator", data.accumulator},
                                       {"hidden", kHidden},
                                       {"leads", data.leads}};
  std::string bytes(kMagic);
  bytes += network.description().empty() ? json.dump() : network.description();
  bytes += '\n';
  bytes += BytesOf(std::span(data.feature_weights));
  bytes += BytesOf(std::span(data.feature_bias));
  bytes += BytesOf(std::span(data.hidden_weights));
  bytes += BytesOf(std::span(data.hidden_bias));
  bytes += BytesOf(std::span(data.output_weights));
  bytes += BytesOf(std::span(data.output_bias));
  return bytes + Sha256Hex(bytes);
}

}  // namespace triarch::nnue
