#include "worker/session/bundle_fetch.h"

#include <algorithm>

#include "bundle/bundle.h"

namespace triarch {

std::vector<NeededBundle> NeededBundles(const TournamentSpec& spec) {
  std::vector<NeededBundle> needed;
  for (const BotSpec& bot : spec.bots) {
    const bool is_listed = std::any_of(needed.begin(), needed.end(), [&](const NeededBundle& one) {
      return one.digest == bot.digest;
    });
    if (bot.bundle.empty() || !bot.dir.empty() || is_listed) continue;
    needed.push_back({.bot = bot.name, .digest = bot.digest});
  }
  return needed;
}

absl::Status BundleFetch::Add(const BundlePart& part) {
  const int64_t room = part.size - offset();
  if (part.size > static_cast<int64_t>(kBundleTarMax) || (size_ > 0 && part.size != size_) ||
      part.bytes.empty() || static_cast<int64_t>(part.bytes.size()) > room) {
    return absl::DataLossError("the coordinator sent bytes that are not part of the bundle");
  }
  size_ = part.size;
  tar_ += part.bytes;
  return absl::OkStatus();
}

std::string BundleFetch::TakeTar() {
  size_ = 0;
  return std::exchange(tar_, std::string());
}

}  // namespace triarch
