// Tests a plugin bot in games against itself.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
#define TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/game/position.h"
#include "worker/host/plugin.h"

namespace triarch {

// The result of a check.
struct PluginReport {
  int64_t games = 0;
  int64_t plies = 0;
  double plies_per_second = 0;
  std::vector<std::string> faults;    // would forfeit a game
  std::vector<std::string> warnings;  // would not forfeit a game, but are wrong or unwise

  bool operator==(const PluginReport&) const = default;
};

// Plays `games` games of a plugin against itself, with one instance per seat. Checks more strictly
// than a game does that every answer is legal, stays within the node and time limits, obeys the
// stop flag and reports valid shares and policies, and that the same seed produces the same game.
// Reports each fault once, with its first occurrence. Fails with InvalidArgument like
// Plugin::Check.
absl::StatusOr<PluginReport> CheckPlugin(const Plugin& plugin, const GameInfo& game,
                                         const std::map<std::string, std::string>& options,
                                         int64_t games);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
