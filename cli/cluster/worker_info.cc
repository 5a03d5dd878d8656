#include "cli/cluster/worker_info.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <utility>

#include "bots/bots.h"
#include "bots/sdk/triarch_bot.h"
#include "cli/build_id.h"
#include "core/any_state.h"

namespace triarch {

WorkerInfo MakeWorkerInfo(std::string name, int64_t slots) {
  if (name.empty()) {
    std::array<char, 65> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host = {'w', 'o', 'r', 'k', 'e', 'r'};
    name = std::string(host.data()) + "-" + std::to_string(getpid());
  }
  WorkerInfo info{.id = {.name = std::move(name), .instance = DrawInstance()},
                  .slots = slots,
                  .games = {},
                  .bots = {},
                  .build = BuildIdentity()};
  for (const GameInfo* const game : AllGames()) info.games.emplace_back(game->name);
  for (const BundledBot* const bot : BundledBots()) {
    if (!IsPlayedHere(bot->name)) continue;
    info.bots.push_back(
        {.type = std::string(bot->name), .digest = std::string(kBuildId), .abi = 0});
  }
  for (const std::string_view type : {kPluginBot, kProcessBot}) {
    info.bots.push_back({.type = std::string(type),
                         .digest = std::string(kBuildId),
                         .abi = type == kPluginBot ? TRIARCH_ABI_VERSION : 0});
  }
  return info;
}

uint64_t DrawInstance() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

int64_t DefaultSlots() { return std::max<int64_t>(std::thread::hardware_concurrency(), 1); }

}  // namespace triarch
