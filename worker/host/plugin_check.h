#ifndef TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
#define TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/game/position.h"
#include "worker/host/plugin.h"

namespace triarch {

// What a plugin did when it played against itself.
struct PluginReport {
  int64_t games = 0;
  int64_t plies = 0;
  double plies_per_second = 0;
  std::vector<std::string> faults;    // what would forfeit a game
  std::vector<std::string> warnings;  // what would not, and is wrong or unwise all the same

  bool operator==(const PluginReport&) const = default;
};

// Plays `games` games of a plugin against itself, each seat an instance of its own, and looks at
// every answer, harder than a game does: whether it is legal, keeps to its limits of nodes and
// time, obeys the stop flag, tells shares and policies that are some, and plays the same game from
// the same seed. Each fault is told once, with where it happened first. InvalidArgument as
// Plugin::Check.
absl::StatusOr<PluginReport> CheckPlugin(const Plugin& plugin, const GameInfo& game,
                                         const std::map<std::string, std::string>& options,
                                         int64_t games);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
